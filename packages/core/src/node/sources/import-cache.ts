/** Records of imports in a file of the data folder, one a workspace. It is a cache: thrown away, it costs a second. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportCache } from '../../sources/imports/import-index.ts'
import { recordsFromText, recordsToText } from '../../sources/imports/import-records.ts'
import { createHasher } from '../hasher.ts'
import { makeFolder } from '../make-folder.ts'
import { replaceFile } from '../replace-file.ts'

/** A larger file is not ours, or of a workspace that is too large to keep. */
const LARGEST_CACHE = 64 * 1024 * 1024

/**
 * The cache of the workspace with these roots; several processes may use it, and the last one to save wins. Neither
 * method throws: what can't be loaded is empty, what can't be saved is not kept.
 */
export const createImportCache = (dataFolder: string, roots: readonly string[]): ImportCache => {
  const folder = join(dataFolder, 'cache', 'imports')
  const file = join(folder, `${createHasher().sha256(roots.join('\0')).slice(0, 32)}.json`)
  return {
    /** The records that were saved last; none where they are missing, damaged or larger than `LARGEST_CACHE`. */
    load: () => {
      try {
        const facts = statSync(file)
        return facts.isFile() && facts.size <= LARGEST_CACHE ? recordsFromText(readFileSync(file, 'utf8')) : new Map()
      } catch {
        return new Map()
      }
    },
    /** Keeps the records in place of the former ones; nothing where they can't be written. */
    save: (records) => {
      try {
        makeFolder(folder, 0o700)
        replaceFile(file, recordsToText(records))
      } catch {
        // A full disk or a folder that can't be written: the next answer is as right, and slower.
      }
    },
  }
}
