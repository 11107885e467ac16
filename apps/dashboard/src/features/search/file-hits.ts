/** Files that tools of agents touched, found by their names. */
import type { FileTouch, SearchIndex } from '@cairn/core'
import { markedPath } from './marked.ts'
import type { Marked } from './marked.ts'

/** A file that was found. */
export interface FileHit {
  readonly path: Marked
  /** Where it was touched last. */
  readonly sessionId: string
  readonly seq: number
  readonly at: number | null
  readonly operation: FileTouch['operation']
  /** How many sessions touched it, of the touches that were looked at. */
  readonly sessions: number
}

/** The newest so many touches are looked at. */
const TOUCHES = 50_000

/** Returns the words of a text, in lower case, with `/` in paths. */
const partsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('\\', '/')
    .split(/\s+/)
    .filter((part) => part !== '')

/**
 * Returns how well a path fits the words: 3 its name, 2 the beginning of its name, 1 within its name, 0 elsewhere in
 * its path; undefined if a word is missing.
 */
const fitOf = (path: string, words: readonly string[]): number | undefined => {
  const plain = path.toLowerCase().replaceAll('\\', '/')
  if (!words.every((word) => plain.includes(word))) return undefined
  const name = plain.slice(plain.lastIndexOf('/') + 1)
  const [word = ''] = words
  const wanted = word.slice(word.lastIndexOf('/') + 1)
  if (name === wanted || name.replace(/\.[^.]+$/, '') === wanted) return 3
  if (wanted !== '' && name.startsWith(wanted)) return 2
  return words.some((each) => name.includes(each)) ? 1 : 0
}

/**
 * Returns files whose path contains all words of a text, in any case, best fit first, then the last touched first.
 * Empty for a text without words. Rejects as the search does.
 */
export const findFiles = async (
  search: Pick<SearchIndex, 'touches'>,
  text: string,
  limit: number,
): Promise<readonly FileHit[]> => {
  const words = partsOf(text)
  if (words.length === 0) return []
  const fits = new Map<string, number | undefined>()
  const byPath = new Map<string, { readonly newest: FileTouch; readonly sessions: Set<string> }>()
  for (const touch of await search.touches({ limit: TOUCHES })) {
    const { path, sessionId } = touch
    if (!fits.has(path)) fits.set(path, fitOf(path, words))
    if (fits.get(path) === undefined) continue
    const known = byPath.get(path)
    if (known === undefined) byPath.set(path, { newest: touch, sessions: new Set([sessionId]) })
    else known.sessions.add(sessionId)
  }
  return [...byPath]
    .sort(
      ([leftPath, left], [rightPath, right]) =>
        (fits.get(rightPath) ?? 0) - (fits.get(leftPath) ?? 0) ||
        (right.newest.at ?? -Infinity) - (left.newest.at ?? -Infinity) ||
        (leftPath < rightPath ? -1 : 1),
    )
    .slice(0, limit)
    .map(([path, { newest, sessions }]) => ({
      path: markedPath(path, words),
      sessionId: newest.sessionId,
      seq: newest.seq,
      at: newest.at,
      operation: newest.operation,
      sessions: sessions.size,
    }))
}
