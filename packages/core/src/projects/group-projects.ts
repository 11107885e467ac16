/**
 * Which folders are one project, decided from what the store knows of each:
 * 1. what somebody chose for it;
 * 2. the remote of its repository;
 * 3. a work tree belongs to its repository, and a folder to the known one that it lies in.
 * A folder's name alone joins nothing: `app` and `app` may be two.
 */
import { parentOf, repositoryByPath } from '../importers/workspace.ts'
import type { ProjectWorkspace } from '../ports/project-storage.ts'

/** Longer paths are no folders. */
const LONGEST_PATH = 4_096
/** Folders that hold what has nothing to do with each other, as long as none of them is known to be a repository. */
const SHARED_FOLDERS = [
  /^[\\/]?[^\\/]*[\\/]?$/,
  /^[\\/](?:home|Users|mnt|media|Volumes|var|private|data|export)[\\/][^\\/]+$/i,
  /^[\\/]mnt[\\/][a-z][\\/]Users[\\/][^\\/]+$/i,
  /^[A-Za-z]:[\\/]?(?:[^\\/]+|Users[\\/][^\\/]+)?$/,
  /[\\/]te?mp$/i,
]
const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:[\\/])/

/**
 * Each folder's project: the address of a remote, a chosen name, or a folder. What was chosen wins over a remote, that
 * over what the path tells.
 */
export const projectsOf = (workspaces: readonly ProjectWorkspace[]): ReadonlyMap<string, string> => {
  const known = new Map(workspaces.map((workspace) => [workspace.path, workspace]))
  const held = remotesBelow(workspaces, known)
  const found = new Map<string, string>()
  /**
   * A folder's project: what was chosen, else its remote (where that is a known folder, that folder's project); else
   * that of its repository by the path, or of the folder that holds it; else its own path.
   * @param passed folders on the way here: a clone of a clone may lead back
   */
  const projectOf = (path: string, passed: ReadonlySet<string>): string => {
    const done = found.get(path)
    if (done !== undefined) return done
    const workspace = known.get(path)
    const on = new Set(passed).add(path)
    // Of a folder that is known here, such as the one that this one is a clone of, the project is meant.
    const named = workspace?.chosen ?? workspace?.remote
    if (named !== undefined) return known.has(named) && !on.has(named) ? projectOf(named, on) : named
    const repository = repositoryByPath(path)
    if (repository !== path && !on.has(repository)) return projectOf(repository, on)
    const parent = ABSOLUTE.test(path) && path.length <= LONGEST_PATH ? holderOf(path, known, held) : undefined
    return parent === undefined || on.has(parent) ? path : projectOf(parent, on)
  }
  // In one order: of folders that lead to each other the first one is the project.
  for (const path of [...known.keys()].sort()) found.set(path, projectOf(path, new Set()))
  return found
}

/**
 * The folders around a path, the nearest first, without the root of the disk. No `for` counts upwards here: Turbopack 16.4
 * leaves an imported name in its last part as it is, where nothing is called so in the bundle.
 */
const foldersAbove = (path: string): readonly string[] => {
  const folders: string[] = []
  let folder = parentOf(path)
  while (folder !== parentOf(folder)) {
    folders.push(folder)
    folder = parentOf(folder)
  }
  return folders
}

/**
 * The nearest known folder around one, if that can hold it; else undefined, as for a repository of its own. A
 * repository holds what lies in it; a folder that was seen and is none, a shared place such as a home, and one with
 * several repositories hold nothing. `held`: the remotes of the repositories below each folder.
 */
const holderOf = (
  path: string,
  known: ReadonlyMap<string, ProjectWorkspace>,
  held: ReadonlyMap<string, ReadonlySet<string>>,
): string | undefined => {
  // A repository of its own.
  if (known.get(path)?.finding === 'repository') return undefined
  for (const folder of foldersAbove(path)) {
    const candidate = known.get(folder)
    if (candidate === undefined) continue
    const isRepository = candidate.finding === 'repository' || candidate.remote !== undefined
    if (isRepository) return folder
    if (candidate.finding === 'folder' || SHARED_FOLDERS.some((shared) => shared.test(folder))) return undefined
    return (held.get(folder)?.size ?? 0) > 1 ? undefined : folder
  }
  return undefined
}

/**
 * The remotes of the repositories below each known folder that has any: one with several is a folder of projects, and
 * none itself.
 */
const remotesBelow = (
  workspaces: readonly ProjectWorkspace[],
  known: ReadonlyMap<string, ProjectWorkspace>,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const below = new Map<string, Set<string>>()
  for (const { path, remote } of workspaces) {
    if (remote === undefined || path.length > LONGEST_PATH) continue
    for (const folder of foldersAbove(path)) {
      if (!known.has(folder)) continue
      const remotes = below.get(folder) ?? new Set()
      below.set(folder, remotes.add(remote))
    }
  }
  return below
}

/** A project's name: the last part of its address or folder. */
export const nameOfProject = (project: string): string =>
  project.split(/[\\/]/).findLast((part) => part !== '') ?? project

/**
 * The keys of the projects that a text means: that of the folder with this path, else the one that is the text itself, else
 * all of this name. Empty where no project is meant.
 */
const keysOf = (wanted: string, projects: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const own = projects.get(wanted)
  if (own !== undefined) return new Set([own])
  const keys = new Set(projects.values())
  return keys.has(wanted) ? new Set([wanted]) : new Set([...keys].filter((key) => nameOfProject(key) === wanted))
}

/** The keys of the projects that a text means, a key, a name or a folder's path; in order. Several may have one name. */
export const projectsMeant = (wanted: string, workspaces: readonly ProjectWorkspace[]): readonly string[] =>
  [...keysOf(wanted, projectsOf(workspaces))].sort()

/**
 * The folders of the projects that a text means: a project's key or name, or the path of a folder in it. Empty for one that
 * no project has.
 */
export const workspacesOfProject = (wanted: string, workspaces: readonly ProjectWorkspace[]): ReadonlySet<string> => {
  const projects = projectsOf(workspaces)
  const keys = keysOf(wanted, projects)
  return new Set([...projects].flatMap(([path, project]) => (keys.has(project) ? [path] : [])))
}
