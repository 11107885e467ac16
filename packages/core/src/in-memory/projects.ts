/** Folders of the in-memory store, and what is known of them. */
import type { ProjectStorage, ProjectWorkspace } from '../ports/project-storage.ts'
import { workspacesOfProject } from '../projects/group-projects.ts'
import { compareText, type StoreData } from './data.ts'

/** Every folder that a session or a request names, by path. */
export const workspacesOf = (data: StoreData): readonly ProjectWorkspace[] => {
  const paths = new Set<string>()
  for (const { facts } of data.sessions.values()) if (facts.workspace !== undefined) paths.add(facts.workspace)
  for (const { fact } of data.requests.values()) if (fact.workspace !== undefined) paths.add(fact.workspace)
  paths.delete('')
  return [...paths].sort(compareText).map((path) => data.workspaces.get(path) ?? { path, finding: 'unseen' })
}

/** Whether a folder is in the wanted project. */
export const isInProject = (data: StoreData, workspace: string | undefined, wanted: string): boolean =>
  workspace !== undefined && workspacesOfProject(wanted, workspacesOf(data)).has(workspace)

/** Storage of projects over the in-memory store's data. */
export const createInMemoryProjects = (data: StoreData): ProjectStorage => {
  const known = (path: string): ProjectWorkspace | undefined => workspacesOf(data).find((one) => one.path === path)
  return {
    workspaces: async () => workspacesOf(data),
    note: async (found) => {
      for (const { path, finding, remote } of found) {
        const before = known(path)
        if (before === undefined || (finding === 'missing' && before.finding !== 'unseen')) continue
        const { chosen } = before
        data.workspaces.set(path, {
          path,
          finding,
          ...(remote === undefined ? {} : { remote }),
          ...(chosen === undefined ? {} : { chosen }),
        })
      }
      data.changed()
    },
    choose: async (paths, project) => {
      for (const path of paths) {
        const before = known(path)
        if (before === undefined) continue
        const { chosen: _former, ...others } = before
        data.workspaces.set(path, project === undefined ? others : { ...others, chosen: project })
      }
      data.changed()
    },
  }
}
