/**
 * What was found of each file at the last snapshot, so that only what changed is read again. A cache alone: without it, or
 * when anything about it is doubtful, everything is read.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../../json.ts'
import type { GitMode, UsualModes } from '../../checkpoints/attributes.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { replaceFile } from '../replace-file.ts'

const NAME = 'cairn-files'
const VERSION = 2
const MODES: readonly GitMode[] = ['100644', '100755', '120000']

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

/**
 * The cache of a repository; undefined where there is none that is whole, or it is of another version.
 * A line of JSON, then the fields of each file, each ended by a NUL, which no path holds: read in a third of the time of JSON.
 */
export const readStatCache = (gitFolder: string): StatCache | undefined => {
  try {
    const [head, ...fields] = readFileSync(join(gitFolder, NAME), 'latin1').split('\0')
    const value: unknown = JSON.parse(head ?? '')
    if (!isJsonObject(value) || value['version'] !== VERSION || !isJsonObject(value['usual'])) return undefined
    const { commit, tree, usual, count } = value
    const files = readFiles(fields)
    if (typeof commit !== 'string' || files === undefined || files.size !== count) return undefined
    // Written by this program alone; what is not JSON was caught above.
    return { commit, tree: typeof tree === 'string' ? tree : undefined, usual: usual as unknown as UsualModes, files }
  } catch {
    return undefined
  }
}

const FIELDS = 5
const END = 'end'

/** The files of the fields, in their order; undefined where one of them is damaged or the end is missing. */
const readFiles = (fields: readonly string[]): Map<BytePath, CachedFile> | undefined => {
  if (fields.at(-1) !== END || fields.length % FIELDS !== 1) return undefined
  const files = new Map<BytePath, CachedFile>()
  for (let at = 0; at < fields.length - 1; at += FIELDS) {
    const [path, stamp, blob] = [fields[at], fields[at + 1], fields[at + 2]]
    const gitMode = MODES.find((each) => each === fields[at + 3])
    const size = Number(fields[at + 4])
    if (!path || stamp === undefined || !blob || gitMode === undefined || !Number.isSafeInteger(size)) return undefined
    files.set(path, { stamp, blob, gitMode, size })
  }
  return files
}

/** Keeps the cache, in place of a former one. It may fail without harm: then the next snapshot reads everything. */
export const writeStatCache = (gitFolder: string, { commit, tree, usual, files }: StatCache): void => {
  const fields = [JSON.stringify({ version: VERSION, commit, tree, usual, count: files.size })]
  for (const [path, { stamp, blob, gitMode, size }] of files) fields.push(path, stamp, blob, gitMode, String(size))
  fields.push(END)
  try {
    // Bytes as they are: each character of a path is one.
    replaceFile(join(gitFolder, NAME), Buffer.from(fields.join('\0'), 'latin1'), { flush: false })
  } catch {
    removeStatCache(gitFolder)
  }
}

/** Makes the next snapshot read everything. A missing cache is no error. */
export const removeStatCache = (gitFolder: string): void => rmSync(join(gitFolder, NAME), { force: true })
