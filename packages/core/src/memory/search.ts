/** Finds entries by their words; of those that fit equally well, the one that counts more comes first. */
import type { MemoryEntry } from '../ports/memory-storage.ts'
import { rankTexts } from '../text-analysis/rank-texts.ts'
import type { MemoryMatch } from './memory.ts'
import { priority } from './priority.ts'

/** How much more an entry of full priority scores than one of none: words decide, priority settles what is close. */
const PRIORITY_WEIGHT = 0.25
const FULL_PRIORITY = 1.5

/**
 * Entries with words in common, best first; equal ones in the order given, and none for a query without words. Examples
 * are searched too. `now`: the time (ms) that priorities are computed for.
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
