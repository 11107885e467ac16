/** The paths of a workspace as a set that resolvers ask: relative to its root, with `/`, the root itself being ``. */

export interface PathIndex {
  readonly has: (path: string) => boolean
  readonly hasFolder: (folder: string) => boolean
  /** The paths of the files directly in a folder, sorted; empty for a folder that is not there. */
  readonly filesIn: (folder: string) => readonly string[]
}

/** Indexes paths once; the answers stay as they are when the workspace changes. */
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

/** The folder of a path with `/`, without a slash at its end; empty for one in the root, and for the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The last part of a path with `/`; the whole of one without. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** A path from a folder, with `.` and `..` followed; undefined where it leaves the workspace. */
export const joinPath = (folder: string, path: string): string | undefined => {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** The folder and those above it, nearest first; the root (empty) is last. */
export const foldersUpwards = (folder: string): readonly string[] => {
  const folders = [folder]
  for (let up = folder; up !== '';) {
    up = folderOf(up)
    folders.push(up)
  }
  return folders
}
