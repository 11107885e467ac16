/**
 * From a working folder to the project it belongs to: work trees count as their repository. First by
 * the path's text alone, which works for paths of other machines; then, for folders that exist here,
 * by what git wrote on disk.
 */
import type { FileSystem } from '../ports/file-system.ts'

/** Layouts that make work trees of a repository, each with the repository as its first group. */
const WORK_TREES: readonly RegExp[] = [
  /^(.+?)[/\\]\.worktrees[/\\][^/\\]/,
  /^(.+?)\.worktrees[/\\][^/\\]/,
  /^(.+?)[/\\]\.claude[/\\]worktrees[/\\][^/\\]/,
  /^(.+?)[/\\]\.git[/\\]worktrees[/\\][^/\\]/,
]

/**
 * The repository's folder by the path's text alone: `/code/app/.worktrees/fix` is `/code/app`. Any other path comes
 * back as it is, without trailing slashes.
 */
export const repositoryByPath = (folder: string): string => {
  for (const layout of WORK_TREES) {
    const found = layout.exec(folder)?.[1]
    if (found !== undefined && !/[/\\]$/.test(found)) return found
  }
  return withoutTrailingSlash(folder)
}

/** No system has longer paths; what a transcript says may be longer, and each of its parts would be looked up. */
const LONGEST_PATH = 4096

/**
 * Whether a text has the form of an absolute path on this platform (and is not overlong), so that it may be looked up
 * here.
 */
export const isPathHere = (path: string, platform: string): boolean =>
  path.length <= LONGEST_PATH && (platform === 'win32' ? /^(?:[A-Za-z]:[/\\]|[/\\]{2})/ : /^\//).test(path)

/**
 * Whether `folder` is `parent` or lies in it, by text: neither is looked up, letter case counts, and both separators
 * do.
 */
export const isInside = (folder: string, parent: string): boolean => {
  if (folder === parent) return true
  if (!folder.startsWith(parent)) return false
  const next = folder[parent.length]
  return next === '/' || next === '\\' || /[/\\]$/.test(parent)
}

const withoutTrailingSlash = (folder: string): string =>
  folder.length > 1 && !/^[A-Za-z]:[/\\]$/.test(folder) ? folder.replace(/[/\\]+$/, '') : folder

/** What is known of the workspaces of a session at a line. */
export interface WorkspaceTrail {
  /** The session's first workspace. */
  readonly first: string
}

/**
 * The workspace of a line that names this folder: the session's first one when the folder's repository lies in it, else
 * that repository, by the path's text.
 */
export const workspaceAt = (trail: WorkspaceTrail | undefined, folder: string): string => {
  const workspace = repositoryByPath(folder)
  return trail !== undefined && isInside(workspace, trail.first) ? trail.first : workspace
}

/**
 * Finds the repository of folders that exist on this machine. A `.git` file names the main
 * repository's folder (`gitdir: <main>/.git/worktrees/<name>`). Submodules stay what they are.
 * Every folder is looked up once; what can't be read counts as not being there. A folder without a repository comes
 * back as it is. Never rejects.
 */
export const createWorkspaceResolver = (
  fileSystem: Pick<FileSystem, 'stat' | 'readText'>,
): ((folder: string) => Promise<string>) => {
  const known = new Map<string, Promise<string>>()

  /**
   * Looks up the folder and those above it, until one has a `.git`; the folder itself if none has, or if its path is
   * not absolute or too long.
   */
  const find = async (start: string): Promise<string> => {
    if (start.length > LONGEST_PATH || !/^(?:[/\\]|[A-Za-z]:[/\\])/.test(start)) return start
    for (let folder = start; ; folder = parentOf(folder)) {
      const git = await attempt(() => fileSystem.stat(joined(folder, '.git')))
      if (git?.kind === 'directory') return folder
      if (git?.kind === 'file')
        return mainRepository(folder, await attempt(() => fileSystem.readText(joined(folder, '.git'))))
      if (parentOf(folder) === folder) return start
    }
  }

  return (folder) => {
    const cached = known.get(folder)
    if (cached !== undefined) return cached
    const found = find(repositoryByPath(folder))
    known.set(folder, found)
    return found
  }
}

/** The main repository that a `.git` file names by an absolute path; `workTree` itself where it names none. */
const mainRepository = (workTree: string, gitFile: string | undefined): string => {
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(gitFile ?? '')?.[1]
  const main = target === undefined ? undefined : /^(.+?)[/\\]\.git[/\\]worktrees[/\\][^/\\]+[/\\]?$/.exec(target)?.[1]
  if (main === undefined || main.startsWith('..')) return workTree
  return main
}

/** The folder around a path, by its text; the outermost (`/`, `C:\`) is its own. */
export const parentOf = (folder: string): string => {
  const cut = Math.max(folder.lastIndexOf('/'), folder.lastIndexOf('\\'))
  if (cut < 0) return folder
  const parent = folder.slice(0, cut)
  if (parent === '') return folder.slice(0, 1)
  return /^[A-Za-z]:$/.test(parent) ? folder.slice(0, cut + 1) : parent
}

/** The path of a name in a folder, with a slash between unless the folder ends with one. */
export const joined = (folder: string, name: string): string =>
  /[/\\]$/.test(folder) ? `${folder}${name}` : `${folder}/${name}`

/** What reading something gives; undefined where it fails, whatever the error. */
export const attempt = async <T>(read: () => Promise<T | undefined>): Promise<T | undefined> => {
  try {
    return await read()
  } catch {
    return undefined
  }
}
