/**
 * Messages that mention a commit. The index stores each hash by its first digits, so every length of it is found. The
 * search returns the best hits; if there are more, the oldest ones are looked up separately.
 */
import type { SearchHit } from '../ports/search-index.ts'
import { hashesIn, isSameHash } from './commits.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { newestFirst } from './links.ts'
import type { Question } from './question.ts'

/** A message that names a commit. */
export type Mention = Pick<SearchHit, 'sessionId' | 'seq' | 'at'>

/** Number of digits by which the index stores a hash: see text-analysis/words. */
const SHORTEST = 7

/**
 * Messages that mention a commit by its full or abbreviated hash, newest first, within the question's period and
 * limits; empty if there are none. Hashes in other letters than lower case count too.
 */
export const findCommitMentions = async (hash: string, question: Question): Promise<readonly Mention[]> => {
  const found = new Map<string, Mention>()
  for (const { sessionId, seq, at, text } of await searchHash(hash.slice(0, SHORTEST), question)) {
    if (hashesIn(text).some((each) => isSameHash(each, hash))) found.set(`${sessionId}#${seq}`, { sessionId, seq, at })
  }
  return [...found.values()].sort(newestFirst)
}

/**
 * The best hits and, if there are more, the oldest ones, found in ever shorter time ranges within a limited number of
 * steps. The same hit may be there twice.
 */
const searchHash = async (text: string, { search, period }: Question): Promise<readonly SearchHit[]> => {
  const limit = GRAPH_LIMITS.hits
  const best = await search.search({ text, ...period, limit })
  const times = best.flatMap(({ at }) => at ?? [])
  if (best.length < limit || times.length === 0) return best
  const found = [...best]
  const newest = Math.max(...times) + 1
  const ranges = [
    { since: newest, until: period.until ?? Infinity },
    { since: period.since ?? FIRST_COMMITS, until: newest },
  ]
  for (let step = 0; step < MOST_STEPS; step++) {
    const range = ranges.pop()
    if (range === undefined) break
    const { since, until } = range
    const hits = await search.search({ text, ...period, since, ...(until === Infinity ? {} : { until }), limit })
    found.push(...hits)
    const middle = Math.floor((since + until) / 2)
    if (hits.length === limit && until !== Infinity && middle > since)
      ranges.push({ since: middle, until }, { since, until: middle })
  }
  return found
}

/** No agent wrote before this time, ms. */
const FIRST_COMMITS = Date.UTC(2020, 0, 1)
const MOST_STEPS = 60
