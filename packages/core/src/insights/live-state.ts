/** How a session stands by its newest requests: its context, its cache, what an hour costs. */
import { allInput, windowFor, type SessionModel } from '../context/session-model.ts'
import type { ModelFacts } from '../models/model-facts.ts'
import type { NanoUsd } from '../money.ts'
import { cacheWriteTokens } from '../ports/price-book.ts'
import type { StoredRequest } from '../ports/usage-storage.ts'
import { costPerHour } from '../usage/cost-rate.ts'
import type { LiveCache, LiveContext } from './live.ts'
import { writtenLifetime } from './rewrites.ts'

/** Requests that a rate is made of: those of so long before the last one, ms. */
const RATE_SPAN_MS = 1_800_000

/**
 * How full the context is, by the newest request; null if there is none. A larger request than the model's known window
 * shows a larger one: the next usual size.
 */
export const contextOf = (
  { newest, largestInput }: Pick<SessionModel, 'newest' | 'largestInput'>,
  facts: ModelFacts,
): LiveContext | null => {
  if (newest === undefined) return null
  const { window, from } = windowFor(facts, undefined, largestInput)
  return { tokens: allInput(newest), window, windowFrom: from }
}

/**
 * What the provider keeps after the newest request, which renewed all that it read: all input where it caches by
 * itself, else what was read and written; for as long as the newest recorded write says, else as the model's caches
 * live. Null if nothing, fewer tokens than it caches, or that can't be told.
 * @param requests of the main conversation, in order of time
 */
export const cacheOf = (
  newest: StoredRequest | undefined,
  requests: readonly StoredRequest[],
  facts: ModelFacts,
): LiveCache | null => {
  if (newest === undefined || newest.at === null) return null
  const written = requests.map(writtenLifetime).findLast((ms) => ms !== undefined)
  const lifetime = written ?? facts.cacheLifetimeSeconds * 1_000
  // A provider that caches by itself keeps all that it was sent; else what was read and marked to be written.
  const tokens = facts.cache === 'automatic' ? allInput(newest) : newest.cacheReadTokens + cacheWriteTokens(newest)
  const isKept = lifetime > 0 && tokens > 0 && tokens >= facts.minimumCacheableTokens
  return isKept ? { tokens, expiresAt: newest.at + lifetime } : null
}

/**
 * What an hour costs at the pace of the requests in the half hour up to the last one, nano-USD. Null where they tell no
 * rate (too close together, none with a time), or one has no price. `requests` are in order of time.
 */
export const rateOf = (requests: readonly StoredRequest[]): NanoUsd | null => {
  const timed = requests.flatMap(({ at, costNano }) => (at === null ? [] : [{ at, costNano }]))
  const lastAt = timed.at(-1)?.at
  if (lastAt === undefined) return null
  const recent = timed.filter(({ at }) => at >= lastAt - RATE_SPAN_MS)
  let sum = 0n
  for (const { costNano } of recent) {
    if (costNano === null) return null
    sum += costNano
  }
  return costPerHour(sum, lastAt - (recent[0]?.at ?? lastAt))
}
