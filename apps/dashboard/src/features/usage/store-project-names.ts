/** What the projects and folders of a store are called; on the server only. */
import type { Store } from '@cairn/core'
import { projectsOf } from '@cairn/core/projects'
import { distinctNames } from './project-names.ts'
import type { ProjectNames } from './project-names.ts'

/** Returns the names of all folders and projects of a store; no two folders, and no two projects, share a name. */
export const projectNames = async ({ projects }: Pick<Store, 'projects'>): Promise<ProjectNames> => {
  const workspaces = await projects.workspaces()
  const ofProjects = distinctNames(projectsOf(workspaces).values())
  const folders = new Set(workspaces.map(({ path }) => path))
  const ofFolders = distinctNames(folders)
  return (key) => (folders.has(key) ? ofFolders(key) : ofProjects(key))
}
