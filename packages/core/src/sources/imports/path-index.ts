/** The paths of a workspace as a set that resolvers ask: relative to its root, with `/`, the root itself being ``. */

/** The files and folders of a workspace, by path. Paths are relative and use `/`; the root is the empty text. */
export interface PathIndex {
  readonly has: (path: string) => boolean
  readonly hasFolder: (folder: string) => boolean
  /** The paths of the files directly in a folder, sorted; empty for a folder that is not there. */
  readonly filesIn: (folder: string) => readonly string[]
}

/**
 * Indexes the paths as they are now; later changes of the workspace are not noticed. `filesIn` gives files directly in
 * a folder, sorted; the root is ''.
 */
export const createPathIndex = (paths: Iterable<string>): PathIndex => {
  const files = new Set(paths)
  const byFolder = new Map<string, string[]>([['', []]])
  for (const path of files) {
    const folder = folderOf(path)
    const siblings = byFolder.get(folder)
    if (siblings !== undefined) siblings.push(path)
    else {
      byFolder.set(folder, [path])
      for (let up = folderOf(folder); up !== '' && !byFolder.has(up); up = folderOf(up)) byFolder.set(up, [])
    }
  }
  for (const siblings of byFolder.values()) siblings.sort()
  return {
    has: (path) => files.has(path),
    hasFolder: (folder) => byFolder.has(folder),
    filesIn: (folder) => byFolder.get(folder) ?? [],
  }
}

/** Returns the folder of a path, without a trailing slash; empty for a file in the root and for the root itself. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Returns the last part of a path; the whole path if it has no `/`. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * Returns a path relative to a folder, with `.`, `..` and repeated slashes resolved; undefined if it leaves the
 * workspace.
 */
export const joinPath = (folder: string, path: string): string | undefined => {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Returns the folder itself and those above it, nearest first; the root (empty) is last. */
export const foldersUpwards = (folder: string): readonly string[] => {
  const folders = [folder]
  for (let up = folder; up !== '';) {
    up = folderOf(up)
    folders.push(up)
  }
  return folders
}
