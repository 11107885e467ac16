/** What the projects and folders of a store are called; on the server only. */
import { CairnError } from '@cairn/core'
import type { Store } from '@cairn/core'
import { projectsOf } from '@cairn/core/projects'
import { distinctNames } from './project-names.ts'
import type { ProjectNames } from './project-names.ts'

/** What is asked of a store for the names in it. */
export type NamedStore = Pick<Store, 'projects' | 'memory' | 'notes' | 'checkpoints'>

/** Returns an answer; an empty one where the reader's role does not show it. Rejects with any other error. */
const ifShown = async <T>(answer: Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CairnError && error.code === 'disabled') return []
    throw error
  }
}

/** Returns every folder that something else than a session is of: an entry of the memory, a note or a checkpoint. */
const otherFolders = async ({ memory, notes, checkpoints }: NamedStore): Promise<readonly string[]> => [
  ...(await ifShown(memory.workspaces())).map(({ workspace }) => workspace),
  ...(await ifShown(notes.workspaces())),
  ...(await ifShown(checkpoints.workspaces())).map(({ workspace }) => workspace),
]

/** The names of a store's projects and folders, and all of these folders. */
interface NamedFolders {
  readonly names: ProjectNames
  readonly folders: ReadonlySet<string>
}

/**
 * Returns the names of all folders and projects of a store, also of those without a session; no two folders, and no two
 * projects, share a name.
 */
export const namedFolders = async (store: NamedStore): Promise<NamedFolders> => {
  const workspaces = await store.projects.workspaces()
  const projects = projectsOf(workspaces)
  const others = (await otherFolders(store)).filter((path) => !projects.has(path))
  const ofProjects = distinctNames([...projects.values(), ...others])
  const folders = new Set([...workspaces.map(({ path }) => path), ...others])
  const ofFolders = distinctNames(folders)
  return { names: (key) => (folders.has(key) ? ofFolders(key) : ofProjects(key)), folders }
}

/** Returns the names of {@link namedFolders} alone. */
export const projectNames = async (store: NamedStore): Promise<ProjectNames> => (await namedFolders(store)).names
