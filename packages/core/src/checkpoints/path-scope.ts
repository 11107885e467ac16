/** The part of a folder to check when a caller knows which paths may have changed. */
import { folderOfPath } from './byte-path.ts'
import type { BytePath } from './byte-path.ts'

/** A set of paths, each a file or a folder with all its content. */
export interface PathScope {
  /** Sorted; none is inside another. */
  readonly paths: readonly BytePath[]
  /** Whether a path is one of them or inside one. */
  covers(path: BytePath): boolean
  /** The names in a folder that lead to them; undefined if the folder itself is covered (all names). */
  namesIn(folder: BytePath): ReadonlySet<string> | undefined
}

/**
 * Creates a scope of these paths and everything below them, sorted, without paths inside others. The empty path covers
 * everything; an empty list covers nothing.
 */
export const createPathScope = (paths: Iterable<BytePath>): PathScope => {
  const given = new Set(paths)
  const isBelowAnother = (path: BytePath): boolean => path !== '' && (given.has('') || hasFolderIn(path, given))
  const own = new Set([...given].filter((path) => !isBelowAnother(path)).sort())
  const names = new Map<BytePath, Set<string>>()
  for (const path of own)
    for (let below = path; below !== ''; below = folderOfPath(below)) {
      const folder = folderOfPath(below)
      const inFolder = names.get(folder) ?? new Set()
      inFolder.add(folder === '' ? below : below.slice(folder.length + 1))
      names.set(folder, inFolder)
    }
  const covers = (path: BytePath): boolean => own.has('') || own.has(path) || hasFolderIn(path, own)
  return {
    paths: [...own],
    covers,
    namesIn: (folder) => (covers(folder) ? undefined : (names.get(folder) ?? new Set())),
  }
}

/** Whether one of the folders is a parent of a path. */
const hasFolderIn = (path: BytePath, folders: ReadonlySet<BytePath>): boolean => {
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
    if (folders.has(path.slice(0, slash))) return true
  return false
}
