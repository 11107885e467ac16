/**
 * Input that the cache had forgotten, and that a request wrote again: how much, what was paid on top of reading it, and
 * why. Also the segments of a chain: spans in which the context only grows.
 */
import type { TokenUsage } from '../ports/price-book.ts'
import type { Chain } from './chains.ts'
import type { PricedRequest } from './request-prices.ts'

/** `none`: too little to be called a break. */
export type RewriteCause = 'none' | 'compaction' | 'pause' | 'other'

export interface Rewrite {
  /** Tokens that the request before had sent, too, and that were not read from the cache. */
  readonly tokens: number
  /** What they cost beyond reading them, nano-USD. */
  readonly premium: number
  readonly cause: RewriteCause
}

const NOTHING: Rewrite = { tokens: 0, premium: 0, cause: 'none' }

/** A break: at least so many tokens, and so much of what could have been read. */
const BREAK_TOKENS = 2_000
const BREAK_SHARE = 0.1

const MINUTE_MS = 60_000
/** How long caches live that say nothing of it. */
const DEFAULT_LIFETIME_MS = 5 * MINUTE_MS
/** By the class that was written, ms; the longest first. */
const LIFETIMES: readonly (readonly [field: keyof TokenUsage, ms: number])[] = [
  ['cacheWrite12hTokens', 12 * 60 * MINUTE_MS],
  ['cacheWrite1hTokens', 60 * MINUTE_MS],
  ['cacheWrite30mTokens', 30 * MINUTE_MS],
  ['cacheWrite5mTokens', 5 * MINUTE_MS],
]

/**
 * How long the cache keeps what a request wrote to it, ms: the longest of the classes written; undefined where it wrote
 * nothing.
 */
export const writtenLifetime = (usage: TokenUsage): number | undefined =>
  LIFETIMES.find(([field]) => (usage[field] ?? 0) > 0)?.[1]

/** The requests of a chain, and which of them came next after the context was compacted. */
interface PricedChain extends Pick<Chain, 'compactedBefore'> {
  readonly requests: readonly PricedRequest[]
}

/**
 * What each request of a chain wrote again, by its index; the first one nothing. `premium`: nano-USD beyond what
 * reading it from the cache would have cost. `cause`: `none` for too little to be a break; `compaction` right after
 * one; `pause` for the same model after longer than the cache lives, by the newest write before (default 5 minutes);
 * else `other`.
 */
export const rewritesOf = ({ requests, compactedBefore }: PricedChain): readonly Rewrite[] => {
  let lifetime = DEFAULT_LIFETIME_MS
  return requests.map((request, index) => {
    const before = requests[index - 1]
    if (before === undefined) return NOTHING
    lifetime = writtenLifetime(before.stored) ?? lifetime
    const shared = Math.min(before.input, request.input)
    const tokens = Math.max(0, shared - request.stored.cacheReadTokens)
    const isBreak = tokens >= BREAK_TOKENS && tokens >= BREAK_SHARE * shared
    const premium = tokens * (request.unreadPrice - request.readPrice)
    if (!isBreak) return { tokens, premium, cause: 'none' }
    if (compactedBefore.has(index)) return { tokens, premium, cause: 'compaction' }
    const isSame = before.stored.model === request.stored.model
    return { tokens, premium, cause: isSame && pauseBetween(before, request) > lifetime ? 'pause' : 'other' }
  })
}

/** From one request to the next, ms; 0 where their times are not known. */
const pauseBetween = ({ stored: before }: PricedRequest, { stored: after }: PricedRequest): number =>
  before.at === null || after.at === null ? 0 : after.at - before.at

/** A request with less input than this part of the one before has begun again. */
const SHRUNK = 0.9

/** Whether a request has so much less input than the one before that something was taken out of the context. */
export const hasShrunk = (before: Pick<PricedRequest, 'input'>, { input }: Pick<PricedRequest, 'input'>): boolean =>
  input < SHRUNK * before.input

/** The segment of each request of a chain, from 0: it ends at a compaction, and where the input shrinks. */
export const segmentsOf = ({ requests, compactedBefore }: Chain): readonly number[] => {
  let segment = 0
  return requests.map(({ input }, index) => {
    const before = requests[index - 1]
    if (before !== undefined && (compactedBefore.has(index) || hasShrunk(before, { input }))) segment += 1
    return segment
  })
}
