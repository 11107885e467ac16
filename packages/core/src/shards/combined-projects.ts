/** Folders and their projects over several shards. */
import type { ProjectStorage, ProjectWorkspace } from '../ports/project-storage.ts'
import type { SessionQuery } from '../ports/session-storage.ts'
import type { Store } from '../ports/store.ts'
import type { UsageQuery } from '../ports/usage-storage.ts'
import { UNKNOWN_KEY } from '../usage/calendar.ts'
import { workspacesOfProject } from '../projects/group-projects.ts'

/** Of two rows of one folder the one that tells its project: by choice, else by a remote; else the first. */
const better = (one: ProjectWorkspace, other: ProjectWorkspace): ProjectWorkspace =>
  one.chosen === undefined && (other.chosen !== undefined || (one.remote === undefined && other.remote !== undefined))
    ? other
    : one

/**
 * Every folder of any shard, each once, by path: of several rows of one folder that with a chosen project, else with a
 * remote, else the first. Rejects as any shard does.
 */
export const workspacesOf = async (shards: readonly Store[]): Promise<readonly ProjectWorkspace[]> => {
  const found = new Map<string, ProjectWorkspace>()
  for (const workspaces of await Promise.all(shards.map(({ projects }) => projects.workspaces())))
    for (const workspace of workspaces) {
      const known = found.get(workspace.path)
      found.set(workspace.path, known === undefined ? workspace : better(known, workspace))
    }
  return [...found.values()].sort((left, right) => (left.path < right.path ? -1 : 1))
}

/** What a query asks for as a project. */
interface ProjectQuery {
  readonly filter?: UsageQuery['filter']
  readonly workspaces?: readonly string[]
}

/**
 * A query with its project as the folders that make it up among all shards: which folders these are may follow from folders
 * of other shards. Requests without a folder are known by every shard itself.
 */
export const withFoldersOfProject = async <Q extends ProjectQuery>(shards: readonly Store[], query: Q): Promise<Q> => {
  const { project, ...filter } = query.filter ?? {}
  if (project === undefined || project === UNKNOWN_KEY) return query
  return { ...query, filter, workspaces: await foldersOf(shards, project, query.workspaces) }
}

/** As {@link withFoldersOfProject}, for a list of sessions. */
export const withFoldersOfListedProject = async (
  shards: readonly Store[],
  { project, ...query }: SessionQuery,
): Promise<SessionQuery> => {
  if (project === undefined) return query
  if (project === UNKNOWN_KEY) return { ...query, project }
  return { ...query, workspaces: await foldersOf(shards, project, query.workspaces) }
}

/** The folders of a project among all shards; with `among` only those that are in it, too. Empty for an unknown project. */
const foldersOf = async (
  shards: readonly Store[],
  project: string,
  among: readonly string[] | undefined,
): Promise<readonly string[]> => {
  const folders = [...workspacesOfProject(project, await workspacesOf(shards))]
  return among === undefined ? folders : folders.filter((folder) => among.includes(folder))
}

/** Folders over shards. What is noted or chosen for a folder is told to every shard; those that don't have it skip it. */
export const createCombinedProjects = (shards: readonly Store[]): ProjectStorage => ({
  workspaces: () => workspacesOf(shards),
  note: async (found) => {
    await Promise.all(shards.map(({ projects }) => projects.note(found)))
  },
  choose: async (paths, project) => {
    await Promise.all(shards.map(({ projects }) => projects.choose(paths, project)))
  },
})
