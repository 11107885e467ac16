/** The files of a folder as git lists them. Git is asked with an environment that runs no hook, filter or monitor of the repository. */
import { statSync } from 'node:fs'
import { readUserGit } from '../checkpoints/git-process.ts'

/** A name that git gave: a file, or a repository inside, whose own files it does not list. */
export interface GitEntry {
  readonly path: string
  readonly isRepository: boolean
  /** Of a tracked file: its content by the index, which is right as long as size and time of change are these. */
  readonly indexed?: IndexedContent
}

export interface IndexedContent {
  readonly blobId: string
  readonly bytes: number
  readonly mtimeSeconds: number
  readonly mtimeNanoseconds: number
}

/** Without such a character, text is the same in latin1 and UTF-8, and lists of many files are long. */
const BEYOND_ASCII = /[\u0080-\u00ff]/

/**
 * What git says in a folder, as text; undefined where it ends with a failure, or is not installed. Changes nothing;
 * never rejects.
 */
export const askGit = async (folder: string, options: readonly string[]): Promise<string | undefined> => {
  try {
    const output = await readUserGit(folder, options)
    return output === undefined || !BEYOND_ASCII.test(output) ? output : Buffer.from(output, 'latin1').toString('utf8')
  } catch {
    return undefined
  }
}

/**
 * The tracked files of a folder, of which some may be gone from the disk, then those that are new and not ignored; paths
 * relative to the folder. A repository inside is one entry. Undefined where git is not installed or knows nothing of the
 * folder: it is in no repository, or in an ignored folder of one. Never rejects.
 */
export const listWithGit = async (folder: string): Promise<Iterable<GitEntry> | undefined> => {
  const [tracked, fresh, index] = await Promise.all([
    askGit(folder, ['ls-files', '-z', '--stage', '--debug']),
    askGit(folder, ['ls-files', '-z', '--others', '--exclude-standard']),
    askGit(folder, ['rev-parse', '--path-format=absolute', '--git-path', 'index']),
  ])
  if (tracked === undefined || fresh === undefined) return undefined
  const isEmpty = tracked === '' && fresh === ''
  if (isEmpty && (await askGit(folder, ['check-ignore', '-q', '.'])) !== undefined) return undefined
  return allEntries(tracked, fresh, indexTime(index))
}

/** The entries of both lists, one after the other, as each is soon a file of the list or nothing. */
function* allEntries(tracked: string, fresh: string, indexSeconds: number): Generator<GitEntry> {
  yield* trackedEntries(tracked, indexSeconds)
  yield* freshEntries(fresh)
}

/**
 * When git's index was changed, in whole seconds since 1970, 0 if unknown: what was staged within that second may have
 * changed again without a trace.
 */
const indexTime = (path: string | undefined): number => {
  try {
    return path === undefined ? 0 : Math.floor(statSync(path.replace(/\n$/, '')).mtimeMs / 1000)
  } catch {
    return 0
  }
}

const ENTRY =
  /^(?: {2}ctime: \d+:\d+\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: \d+\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: \w+\n)?(?:(\d{6}) ([0-9a-f]{40,64}) (\d)\t([^]+))?$/

/**
 * The entries of `git ls-files -z --stage --debug`, each path once. `indexed` is left out for repositories, and where
 * the file changed within the second of the index's last change, or later.
 */
function* trackedEntries(output: string, indexSeconds: number): Generator<GitEntry> {
  let pending: { readonly path: string; readonly mode: string; readonly blobId: string } | undefined
  const seen = new Set<string>()
  // The facts of an entry stand behind its name, and so at the beginning of the next piece.
  for (const piece of pieces(output)) {
    const [, seconds, nanoseconds, size, mode, blobId, , path] = ENTRY.exec(piece) ?? []
    if (pending !== undefined && !seen.has(pending.path)) {
      seen.add(pending.path)
      const isRepository = pending.mode === '160000'
      const mtimeSeconds = Number(seconds)
      const isKnown = seconds !== undefined && !isRepository && mtimeSeconds < indexSeconds
      yield {
        path: pending.path,
        isRepository,
        ...(isKnown
          ? {
              indexed: {
                blobId: pending.blobId,
                bytes: Number(size),
                mtimeSeconds,
                mtimeNanoseconds: Number(nanoseconds),
              },
            }
          : {}),
      }
    }
    pending = path === undefined || mode === undefined || blobId === undefined ? undefined : { path, mode, blobId }
  }
}

/** What stands between zero bytes, one after the other, as all at once are as many strings as there are files. */
function* pieces(output: string): Generator<string> {
  let from = 0
  for (let end = output.indexOf('\0'); end >= 0; end = output.indexOf('\0', from)) {
    yield output.slice(from, end)
    from = end + 1
  }
  yield output.slice(from)
}

/** The entries of `git ls-files -z --others`: a name with a slash at its end is a repository. */
function* freshEntries(output: string): Generator<GitEntry> {
  for (const name of pieces(output))
    if (name !== '') yield { path: name.replace(/\/$/, ''), isRepository: name.endsWith('/') }
}

/** Whether git tracks a file; false without git. */
export const isTracked = async (folder: string, path: string): Promise<boolean> =>
  ((await askGit(folder, ['ls-files', '-z', '--', `:(literal)${path}`])) ?? '') !== ''
