/**
 * What was found of each file at the last snapshot, so that only what changed is read again. A cache alone: without it, or
 * when anything about it is doubtful, everything is read.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../../json.ts'
import type { GitMode, UsualModes } from '../../checkpoints/attributes.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import { replaceFile } from '../replace-file.ts'

const NAME = 'cairn-files'
/** What differs from the cache since it was written as a whole. */
const SINCE_NAME = 'cairn-files-since'
const VERSION = 2
const MODES: readonly GitMode[] = ['100644', '100755', '120000']

/** Smaller caches are written as a whole, which costs next to nothing. */
const FEWEST_FILES = 2_000
/** With more of all files changed than this share, the cache is written as a whole. */
const LARGEST_SHARE = 0.1

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
  /** The caller's own, to change. */
  readonly files: Map<BytePath, CachedFile>
  /** What the file with the whole cache says of another snapshot, and the paths that are otherwise now. */
  readonly whole: { readonly commit: string; readonly changed: Set<BytePath> }
}

/**
 * The cache of a repository; undefined where there is none that is whole, or it is of another version.
 * A line of JSON, then the fields of each file, each ended by a NUL, which no path holds: read in a third of the time of JSON.
 */
export const readStatCache = (gitFolder: string): StatCache | undefined => {
  try {
    const whole = readPart(join(gitFolder, NAME))
    if (whole === undefined || whole.files.size !== whole.count) return undefined
    const changed = new Set<BytePath>()
    const cache = { ...whole, whole: { commit: whole.commit, changed } }
    const sincePath = join(gitFolder, SINCE_NAME)
    if (!existsSync(sincePath)) return cache
    const since = readPart(sincePath)
    // What was left when the cache was written as a whole again says nothing.
    if (since?.base !== whole.commit) return since === undefined ? undefined : cache
    const { files } = whole
    for (const [path, file] of since.files) {
      changed.add(path)
      if (file.blob === '') files.delete(path)
      else files.set(path, file)
    }
    const { commit, tree, usual, count } = since
    return files.size === count ? { ...cache, commit, tree, usual } : undefined
  } catch {
    return undefined
  }
}

interface Part extends Pick<StatCache, 'commit' | 'tree' | 'usual' | 'files'> {
  /** Of all files, not only of those that it holds. */
  readonly count: unknown
  /** The commit of the whole cache that it changes. */
  readonly base: unknown
}

/** A file of the cache; undefined where it is damaged or of another version. Throws where it can't be read. */
const readPart = (path: string): Part | undefined => {
  const [head, ...fields] = readFileSync(path, 'latin1').split('\0')
  const value: unknown = JSON.parse(head ?? '')
  if (!isJsonObject(value) || value['version'] !== VERSION || !isJsonObject(value['usual'])) return undefined
  const { commit, tree, usual, count, base } = value
  const files = readFiles(fields)
  if (typeof commit !== 'string' || files === undefined) return undefined
  // Written by this program alone; what is not JSON throws above.
  const modes = usual as unknown as UsualModes
  return { commit, tree: typeof tree === 'string' ? tree : undefined, usual: modes, files, count, base }
}

const FIELDS = 5
const END = 'end'
/** In place of the fields of a file that is no more. */
const REMOVED: CachedFile = { stamp: '', blob: '', gitMode: '100644', size: 0 }

/** The files of the fields, in their order; undefined where one of them is damaged or the end is missing. */
const readFiles = (fields: readonly string[]): Map<BytePath, CachedFile> | undefined => {
  if (fields.at(-1) !== END || fields.length % FIELDS !== 1) return undefined
  const files = new Map<BytePath, CachedFile>()
  for (let at = 0; at < fields.length - 1; at += FIELDS) {
    const [path, stamp, blob] = [fields[at], fields[at + 1], fields[at + 2]]
    const gitMode = MODES.find((each) => each === fields[at + 3])
    const size = Number(fields[at + 4])
    if (!path || stamp === undefined || blob === undefined || gitMode === undefined || !Number.isSafeInteger(size))
      return undefined
    files.set(path, { stamp, blob, gitMode, size })
  }
  return files
}

/**
 * Keeps the cache, in place of a former one: where that is large and nearly the same, beside it, with only what
 * changed. Where it can't be written there is no cache afterwards, and no error: the next snapshot reads everything.
 */
export const writeStatCache = (
  gitFolder: string,
  cache: Omit<StatCache, 'whole'> & Partial<Pick<StatCache, 'whole'>>,
): void => {
  const { files, whole } = cache
  const isWhole = whole === undefined || files.size < FEWEST_FILES || whole.changed.size > files.size * LARGEST_SHARE
  const paths = isWhole ? files.keys() : whole.changed
  const { commit, tree, usual } = cache
  const head = { version: VERSION, commit, tree, usual, count: files.size, base: isWhole ? undefined : whole.commit }
  const fields = [JSON.stringify(head)]
  for (const path of paths) {
    const { stamp, blob, gitMode, size } = files.get(path) ?? REMOVED
    fields.push(path, stamp, blob, gitMode, String(size))
  }
  fields.push(END)
  try {
    // Bytes as they are: each character of a path is one.
    const text = Buffer.from(fields.join('\0'), 'latin1')
    replaceFile(join(gitFolder, isWhole ? NAME : SINCE_NAME), text, { flush: false })
  } catch {
    removeStatCache(gitFolder)
  }
}

/** Removes the cache, so that the next snapshot reads everything. A missing one is no error. */
export const removeStatCache = (gitFolder: string): void => {
  rmSync(join(gitFolder, NAME), { force: true })
  rmSync(join(gitFolder, SINCE_NAME), { force: true })
}
