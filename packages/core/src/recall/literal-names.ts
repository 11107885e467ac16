/**
 * Names of a program in a query ("ERR_MODULE_NOT_FOUND", "@acme/shop", "src/pages.ts"), and the sessions that hold them
 * letter for letter. The index has the words of a name, not how they stand: the texts of a few messages are read.
 */
import { searchableText } from '../text-analysis/message-text.ts'
import { queryWords } from '../text-analysis/query.ts'
import { messagePosition } from './conditions.ts'
import type { View } from './index/view.ts'
import { holdsTerm, type RankedMessages } from './message-search.ts'
import { comparable, wordsPattern } from './quoted-phrases.ts'
import type { RecallSource } from './recall-source.ts'

/** Signs within a name, a capital after a small letter, or a scope before it. */
const NAME = /[\p{L}\p{N}][_/.:@-]+[\p{L}\p{N}]|\p{Ll}\p{Lu}|^@[\p{L}\p{N}]/u
/** What a name stands in, and the end of a sentence. */
const AROUND = /^["'`“„«([{<]+|["'`”»)\]}>.,;:!?]+$/gu
/** With more of them a query is pasted code or data. */
const MOST_NAMES = 4
/** Messages that are read for a name, and of one session. */
const MOST_READ = 40
const MOST_OF_SESSION = 2

/**
 * The names in a query that looks for names: half of its words at least are. Empty for any other, and for one with more
 * than a few.
 */
export const literalNames = (query: string): readonly string[] => {
  const words = query.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const names = new Set(words.map((word) => word.replace(AROUND, '')).filter((word) => NAME.test(word)))
  return 2 * names.size < words.length || names.size > MOST_NAMES ? [] : [...names]
}

/** What a session holds of a query's names. */
export interface NamesHeld {
  /** How many of the names. */
  readonly count: number
  /** The row of the message that holds the most of them, the best of several. */
  readonly row: number
}

/**
 * The sessions, by number, that hold at least one of the names letter for letter, in any case. Only the best messages of
 * each session that hold the name's words are looked at. Rejects as the source does.
 */
export const sessionsHolding = async (
  source: RecallSource,
  view: View,
  ranked: RankedMessages,
  names: readonly string[],
): Promise<ReadonlyMap<number, NamesHeld>> => {
  const likely = [...new Set(names.flatMap((name) => likelyRows(view, ranked, name)))].sort((left, right) =>
    byScore(ranked, left, right),
  )
  if (likely.length === 0) return new Map()
  const positions = likely.map((row) => messagePosition(view, ranked.messages[row] as number))
  const entries = await source.messages(positions)
  const patterns = names.map(wordsPattern)
  const held = new Map<number, { readonly names: Set<number>; row: number; most: number }>()
  likely.forEach((row, index) => {
    const text = comparable(searchableText(entries[index]?.content ?? []))
    const found = patterns.flatMap((pattern, name) => (pattern.test(text) ? [name] : []))
    const { session } = positions[index] as { readonly session: number }
    if (found.length === 0) return
    const former = held.get(session) ?? { names: new Set<number>(), row, most: 0 }
    for (const name of found) former.names.add(name)
    held.set(session, found.length > former.most ? { ...former, row, most: found.length } : former)
  })
  return new Map([...held].map(([session, { names: own, row }]) => [session, { count: own.size, row }]))
}

const byScore = ({ ranking: { scores } }: RankedMessages, left: number, right: number): number =>
  (scores[right] as number) - (scores[left] as number) || left - right

/**
 * The rows of the best messages of each session that hold all words of a name, the best first. At most
 * `MOST_OF_SESSION` of a session and `MOST_READ` in all; none if the query has not all of its words.
 */
const likelyRows = (view: View, ranked: RankedMessages, name: string): readonly number[] => {
  const { table, messages, ranking } = ranked
  const columns = queryWords(name).map(({ hash }) => table.terms.findIndex((term) => term.hash === hash))
  if (columns.length === 0 || columns.includes(-1)) return []
  const rows = Array.from(messages.keys())
    .filter((row) => (ranking.scores[row] as number) > 0 && columns.every((column) => holdsTerm(table, row, column)))
    .sort((left, right) => byScore(ranked, left, right))
  const bySession = new Map<number, number>()
  return rows
    .filter((row) => {
      const { session } = messagePosition(view, messages[row] as number)
      const count = (bySession.get(session) ?? 0) + 1
      bySession.set(session, count)
      return count <= MOST_OF_SESSION
    })
    .slice(0, MOST_READ)
}
