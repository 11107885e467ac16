/** Folders of the in-memory store, and what is known of them. */
import type { ProjectStorage, ProjectWorkspace } from '../ports/project-storage.ts'
import { workspacesOfProject } from '../projects/group-projects.ts'
import { compareText, type StoreData } from './data.ts'

/** Every folder that a session or a request names, sorted by path; `unseen` until something is noted of it. */
export const workspacesOf = (data: StoreData): readonly ProjectWorkspace[] => {
  const paths = new Set<string>()
  for (const { facts } of data.sessions.values()) if (facts.workspace !== undefined) paths.add(facts.workspace)
  for (const { fact } of data.requests.values()) if (fact.workspace !== undefined) paths.add(fact.workspace)
  paths.delete('')
  return [...paths].sort(compareText).map((path) => data.workspaces.get(path) ?? { path, finding: 'unseen' })
}

/** The paths of the folders of the wanted project (its key or name, or a folder's path); none for undefined. */
export const foldersOf = (data: StoreData, wanted: string | undefined): ReadonlySet<string> =>
  wanted === undefined ? new Set() : workspacesOfProject(wanted, workspacesOf(data))

/**
 * Storage of projects over the in-memory store's data, whose listeners are told of each `note` and `choose`. Both skip
 * folders that no session or request names. A folder found `missing` keeps its former finding and remote, unless it was
 * `unseen`. `choose` with undefined takes a choice back.
 */
export const createInMemoryProjects = (data: StoreData): ProjectStorage => {
  const knownByPath = (): Map<string, ProjectWorkspace> =>
    new Map(workspacesOf(data).map((workspace) => [workspace.path, workspace]))
  return {
    workspaces: async () => workspacesOf(data),
    note: async (found) => {
      const known = knownByPath()
      for (const { path, finding, remote } of found) {
        const before = known.get(path)
        if (before === undefined || (finding === 'missing' && before.finding !== 'unseen')) continue
        const { chosen } = before
        const noted = {
          path,
          finding,
          ...(remote === undefined ? {} : { remote }),
          ...(chosen === undefined ? {} : { chosen }),
        }
        known.set(path, noted)
        data.workspaces.set(path, noted)
      }
      data.changed()
    },
    choose: async (paths, project) => {
      const known = knownByPath()
      for (const path of paths) {
        const before = known.get(path)
        if (before === undefined) continue
        const { chosen: _former, ...others } = before
        data.workspaces.set(path, project === undefined ? others : { ...others, chosen: project })
      }
      data.changed()
    },
  }
}
