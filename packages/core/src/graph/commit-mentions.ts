/**
 * Messages that name a commit. An index looks for words as they stand and gives the best of many, so that each length of
 * the hash is looked for, and where there are more than an answer holds, the oldest ones too.
 */
import type { SearchHit } from '../ports/search-index.ts'
import { hashesIn, isSameHash } from './commits.ts'
import { GRAPH_LIMITS } from './limits.ts'
import { newestFirst } from './links.ts'
import type { Question } from './question.ts'

export type Mention = Pick<SearchHit, 'sessionId' | 'seq' | 'at'>

/** Lengths of abbreviations that git prints. */
const SHORTEST = 7
const LONGEST_SHORT = 12
/** Other forms that the messages themselves give. */
const MOST_FORMS = 4

/** Newest first. */
export const mentionsOf = async (hash: string, question: Question): Promise<readonly Mention[]> => {
  const found = new Map<string, Mention>()
  const asked = new Set<string>()
  let forms: readonly string[] = [hash, ...abbreviations(hash)]
  // A message may have it in a form that others have it in alone.
  for (let round = 0; forms.length > 0 && round < 2; round++) {
    const longer = new Set<string>()
    for (const form of forms) {
      asked.add(form)
      for (const { sessionId, seq, at, text } of await hitsOf(form, question)) {
        const same = hashesIn(text).filter((each) => isSameHash(each, hash))
        if (same.length > 0) found.set(`${sessionId}#${seq}`, { sessionId, seq, at })
        for (const each of same) for (const other of [each, ...abbreviations(each)]) longer.add(other)
      }
    }
    forms = [...longer].filter((form) => !asked.has(form)).slice(0, MOST_FORMS)
  }
  return [...found.values()].sort(newestFirst)
}

const abbreviations = (hash: string): readonly string[] => Array.from({ length: LONGEST_SHORT - SHORTEST + 1 }, (_, index) => hash.slice(0, SHORTEST + index)).filter((each) => each.length < hash.length)

/** The best hits and, where these are not all, those of ever shorter times, the oldest first: as many as the steps reach. */
const hitsOf = async (text: string, { search, period }: Question): Promise<readonly SearchHit[]> => {
  const limit = GRAPH_LIMITS.hits
  const best = await search.search({ text, ...period, limit })
  const times = best.flatMap(({ at }) => at ?? [])
  if (best.length < limit || times.length === 0) return best
  const found = [...best]
  const newest = Math.max(...times) + 1
  const ranges = [{ since: newest, until: period.until ?? Infinity }, { since: period.since ?? FIRST_COMMITS, until: newest }]
  for (let step = 0; step < MOST_STEPS; step++) {
    const range = ranges.pop()
    if (range === undefined) break
    const { since, until } = range
    const hits = await search.search({ text, ...period, since, ...(until === Infinity ? {} : { until }), limit })
    found.push(...hits)
    const middle = Math.floor((since + until) / 2)
    if (hits.length === limit && until !== Infinity && middle > since) ranges.push({ since: middle, until }, { since, until: middle })
  }
  return found
}

/** No agent wrote before it, ms. */
const FIRST_COMMITS = Date.UTC(2020, 0, 1)
const MOST_STEPS = 60
