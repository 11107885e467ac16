/** Finds entries by their words; among equally good matches, higher priority comes first. */
import type { MemoryEntry } from '../ports/memory-storage.ts'
import { rankTexts } from '../text-analysis/rank-texts.ts'
import type { MemoryMatch } from './memory.ts'
import { priority } from './priority.ts'

/** How much more an entry of full priority scores than one of none: words decide, and priority breaks near-ties. */
const PRIORITY_WEIGHT = 0.25
const FULL_PRIORITY = 1.5

/**
 * Entries that share words with the query, best first; ties in the given order. Empty for a query without words.
 * Examples are searched too. `now` is the time (ms) for which priorities are computed.
 */
export const searchEntries = (entries: readonly MemoryEntry[], query: string, now: number): readonly MemoryMatch[] =>
  rankTexts(
    query,
    entries.map(({ text, examples }) => [text, ...examples].join('\n')),
  )
    .flatMap(({ index, score }) => {
      const entry = entries[index]
      return entry === undefined
        ? []
        : [{ entry, score: score * (1 + PRIORITY_WEIGHT * Math.min(1, priority(entry, now) / FULL_PRIORITY)), index }]
    })
    .sort((left, right) => right.score - left.score || left.index - right.index)
    .map(({ entry, score }) => ({ entry, score }))
