/** Lists of files that maps were made of, kept in the data folder, so that changes can be told later. */
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FileVersions } from '../../sources/map/map-changes.ts'
import { createHasher } from '../hasher.ts'
import { makeFolder } from '../make-folder.ts'
import { replaceFile } from '../replace-file.ts'

/** Older lists than so many are removed. */
const MOST_KEPT = 32
const ID = /^[0-9a-f]{16}$/

/** The id of a list: 16 hex digits, equal for equal roots and equal files with equal versions. */
export const treeId = (roots: readonly string[], versions: FileVersions): string =>
  createHasher()
    .sha256(JSON.stringify([roots, ...textOf(versions)]))
    .slice(0, 16)

/**
 * Keeps a list under its id, which is that of `treeId`: no other is found again. Removes all but the 32 newest lists. Does
 * not fail: what can't be kept is not found later.
 */
export const saveTree = (dataFolder: string, id: string, versions: FileVersions): void => {
  try {
    const folder = folderIn(dataFolder)
    makeFolder(folder, 0o700)
    replaceFile(join(folder, `${id}.json`), JSON.stringify(textOf(versions)))
    removeOld(folder)
  } catch {
    // A full disk, say: the map itself is right all the same.
  }
}

/**
 * Reads the list that `saveTree` kept under this id, which is one of `treeId`, not of Git: the version of each file by
 * its path. Undefined for any other id, and for a list that is not kept, or no longer, or damaged. Never throws.
 */
export const loadTree = (dataFolder: string, id: string): FileVersions | undefined => {
  if (!ID.test(id)) return undefined
  try {
    const rows: unknown = JSON.parse(readFileSync(join(folderIn(dataFolder), `${id}.json`), 'utf8'))
    if (!Array.isArray(rows)) return undefined
    const versions = new Map<string, string>()
    for (const row of rows as readonly unknown[]) {
      const [path, version] = Array.isArray(row) ? (row as readonly unknown[]) : []
      if (typeof path !== 'string' || typeof version !== 'string') return undefined
      versions.set(path, version)
    }
    return versions
  } catch {
    return undefined
  }
}

const folderIn = (dataFolder: string): string => join(dataFolder, 'cache', 'maps')

const textOf = (versions: FileVersions): readonly (readonly [string, string])[] =>
  [...versions].sort(([left], [right]) => (left < right ? -1 : 1))

/** Removes all but the `MOST_KEPT` files that were written last. Throws what the system says. */
const removeOld = (folder: string): void => {
  const kept = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((left, right) => right.at - left.at)
  for (const { path } of kept.slice(MOST_KEPT)) rmSync(path, { force: true })
}
