/**
 * What was found of each file at the last snapshot, so that only what changed is read again. A cache alone: without it, or
 * when anything about it is doubtful, everything is read.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../../json.ts'
import type { Attributes, GitMode, UsualModes } from '../../checkpoints/attributes.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { replaceFile } from '../replace-file.ts'

const NAME = 'cairn-files.json'
const VERSION = 1

export interface CachedFile {
  /** Empty where the file has to be read again. */
  readonly stamp: string
  readonly blob: string
  readonly gitMode: GitMode
  readonly size: number
}

export interface StatCache {
  /** The commit whose tree of files is `tree`. */
  readonly commit: string
  readonly tree: string | undefined
  readonly usual: UsualModes
  readonly files: ReadonlyMap<BytePath, CachedFile>
}

/** The cache of a repository; undefined where there is none that can be read, or it is of another version. */
export const readStatCache = (gitFolder: string): StatCache | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(join(gitFolder, NAME), 'latin1'))
    if (!isJsonObject(value) || value['version'] !== VERSION) return undefined
    const { commit, tree, usual, files } = value
    if (typeof commit !== 'string' || !isJsonObject(usual) || !Array.isArray(files)) return undefined
    return {
      commit,
      tree: typeof tree === 'string' ? tree : undefined,
      // Written by this program alone; a file that is not JSON was caught above.
      usual: usual as unknown as Attributes['usual'],
      files: new Map(
        (files as readonly (readonly [string, string, string, GitMode, number])[]).map(
          ([path, stamp, blob, gitMode, size]) => [path, { stamp, blob, gitMode, size }],
        ),
      ),
    }
  } catch {
    return undefined
  }
}

/** Keeps the cache, in place of a former one. It may fail without harm: then the next snapshot reads everything. */
export const writeStatCache = (gitFolder: string, { commit, tree, usual, files }: StatCache): void => {
  const rows: unknown[] = []
  for (const [path, { stamp, blob, gitMode, size }] of files) rows.push([path, stamp, blob, gitMode, size])
  try {
    // Bytes as they are: each character of a path is one.
    replaceFile(
      join(gitFolder, NAME),
      Buffer.from(JSON.stringify({ version: VERSION, commit, tree, usual, files: rows }), 'latin1'),
      { flush: false },
    )
  } catch {
    removeStatCache(gitFolder)
  }
}

/** Makes the next snapshot read everything. A missing cache is no error. */
export const removeStatCache = (gitFolder: string): void => rmSync(join(gitFolder, NAME), { force: true })
