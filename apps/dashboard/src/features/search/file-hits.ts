/** Files that tools of agents touched, found by their names. */
import type { FileTouch, SearchIndex } from '@cairn/core'
import { markedPath } from './marked.ts'
import type { Marked } from './marked.ts'

/** A file that was found. */
interface FileHit {
  readonly path: Marked
  /** Where it was touched last. */
  readonly sessionId: string
  readonly seq: number
  readonly at: number | null
  readonly operation: FileTouch['operation']
  /** How many sessions touched it, of the touches that were looked at. */
  readonly sessions: number
}

/** Files whose paths have all words of a text. */
export interface FileHits {
  /** The best, at most as many as were asked for. */
  readonly files: readonly FileHit[]
  /** How many there are. */
  readonly total: number
  /** Words that no path has, as they were typed. */
  readonly unknown: readonly string[]
  /** Only the newest touches ({@link TOUCHES}) were looked at: there were more. */
  readonly isCut: boolean
}

/** The newest so many touches are looked at. */
const TOUCHES = 50_000

/** Where a path is copied from often has a line and a column after it, or `./` before it. */
const LINE_AFTER = /(?::\d+){1,2}:?$/
const HERE_BEFORE = /^(?:\.\/)+/

/** Returns a path or a word as paths are compared: in lower case, with `/`. */
const plainOf = (text: string): string => text.toLowerCase().replaceAll('\\', '/')

/** Returns a text that may be a path without what is not part of it. */
const trimmedPath = (text: string): string => plainOf(text.trim()).replace(LINE_AFTER, '').replace(HERE_BEFORE, '')

/** Returns the words of a text as they were typed. */
const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => trimmedPath(word) !== '')

/** What is searched for, ready to be compared. */
interface Wanted {
  /** The whole text, which may be a path with spaces. */
  readonly whole: string
  readonly words: readonly string[]
}

const IS_ABSOLUTE = /^(?:\/|[a-z]:\/)/

/** It is the text. */
const EXACT = 5
/** Its end is the text, or it may be: only its folder tells whether it is {@link EXACT}. */
const END = 4

/**
 * Returns how well a path fits: {@link EXACT}; {@link END}, also where its name is one of the words; 3 its name without
 * extension is, 2 its name begins with one, 1 its name has one, 0 elsewhere in its path; undefined if a word is missing.
 */
const fitOf = (path: string, { whole, words }: Wanted): number | undefined => {
  const plain = trimmedPath(path)
  if (plain === whole) return EXACT
  if (IS_ABSOLUTE.test(whole) && whole.endsWith(`/${plain}`)) return END
  if (!words.every((word) => plain.includes(word))) return undefined
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  if (plain.endsWith(`/${whole}`) || words.includes(name)) return END
  const names = words.map((word) => word.slice(word.lastIndexOf('/') + 1)).filter((word) => word !== '')
  if (names.includes(name.replace(/\.[^.]+$/, ''))) return 3
  if (names.some((word) => name.startsWith(word))) return 2
  return words.some((word) => name.includes(word)) ? 1 : 0
}

/** A path that was touched, and how well it fits. */
interface Candidate {
  readonly path: string
  readonly fit: number
  readonly newest: FileTouch
  readonly sessions: Set<string>
}

/** Returns the folders of sessions, by their ids; those without one may be left out. */
export type FoldersOf = (sessionIds: readonly string[]) => Promise<ReadonlyMap<string, string>>

/**
 * Returns a file with the fit that its folder tells, as a path is written whole or as it is within the project's
 * folder: {@link EXACT} if it is the one that was typed; no file if a whole path was typed, which is another's; else
 * unchanged.
 */
const withFolder = (candidate: Candidate, folder: string | undefined, whole: string): readonly Candidate[] => {
  const plain = trimmedPath(candidate.path)
  const base = folder === undefined ? undefined : plainOf(folder).replace(/\/$/, '')
  const names = base === undefined ? [plain] : IS_ABSOLUTE.test(plain) ? [plain] : [plain, `${base}/${plain}`]
  const wanted = base === undefined || IS_ABSOLUTE.test(whole) ? [whole] : [whole, `${base}/${whole}`]
  if (names.some((name) => wanted.includes(name))) return [{ ...candidate, fit: EXACT }]
  // The path that was typed is another file's, whose path only ends as this one's.
  return IS_ABSOLUTE.test(whole) && !plain.includes(whole) ? [] : [candidate]
}

/** Compares two files: best fit first, then the last touched. */
const better = (left: Candidate, right: Candidate): number =>
  right.fit - left.fit ||
  (right.newest.at ?? -Infinity) - (left.newest.at ?? -Infinity) ||
  (left.path < right.path ? -1 : 1)

/**
 * Returns files whose path contains all words of a text, in any case, those that fit best first (see `fitOf`), of the
 * same fit the last touched. Without words there are none. Rejects as the search and `foldersOf` do. `total` counts all
 * that were found; `unknown` are the words that no path holds; `isCut` if older uses were not looked at.
 */
export const findFiles = async (
  search: Pick<SearchIndex, 'touches'>,
  text: string,
  limit: number,
  foldersOf: FoldersOf,
): Promise<FileHits> => {
  const typed = wordsOf(text)
  const words = typed.map(trimmedPath)
  if (words.length === 0) return { files: [], total: 0, unknown: [], isCut: false }
  const wanted = { whole: trimmedPath(text), words }
  const unknown = new Set(words)
  const byPath = new Map<string, Candidate | undefined>()
  const touches = await search.touches({ limit: TOUCHES })
  for (const touch of touches) {
    const { path, sessionId } = touch
    if (byPath.has(path)) {
      byPath.get(path)?.sessions.add(sessionId)
      continue
    }
    const fit = fitOf(path, wanted)
    byPath.set(path, fit === undefined ? undefined : { path, fit, newest: touch, sessions: new Set([sessionId]) })
    if (fit === undefined) {
      const plain = plainOf(path)
      for (const word of unknown) if (plain.includes(word)) unknown.delete(word)
    } else unknown.clear()
  }
  const fitting = [...byPath.values()].filter((candidate) => candidate !== undefined)
  const folders = await foldersOf(fitting.filter(({ fit }) => fit === END).map(({ newest }) => newest.sessionId))
  const found = fitting.flatMap((candidate) =>
    candidate.fit === END ? withFolder(candidate, folders.get(candidate.newest.sessionId), wanted.whole) : [candidate],
  )
  return {
    files: found
      .toSorted(better)
      .slice(0, limit)
      .map(({ path, newest, sessions }) => ({
        path: markedPath(path, words),
        sessionId: newest.sessionId,
        seq: newest.seq,
        at: newest.at,
        operation: newest.operation,
        sessions: sessions.size,
      })),
    total: found.length,
    unknown: typed.filter((word) => unknown.has(trimmedPath(word))),
    isCut: touches.length === TOUCHES,
  }
}
