/** The policy's settings and presets. */
import type { ContextPrices } from '../../policy.ts'

export interface CacheAwareSettings {
  /**
   * The value of having a block that is needed, USD at the prices of Claude Sonnet; scaled with what a
   * miss costs at the model's (see {@link missPrice}). The one knob between cost and loss.
   */
  readonly missUsd: number
  /** The cost of a missing name, as a share of a missing anchor's. */
  readonly referenceShare: number
  /** Requests over which a block's carrying cost is counted. */
  readonly horizon: number
  /** How many of the newest requests are not touched, except to fit the window, not even after a pause. */
  readonly protectedRequests: number
  /** Older than so many requests, what is left of a request leaves entirely with a rewrite; its names go to the index. */
  readonly skeletonRequests: number
  /**
   * Within how many requests a rewrite must have paid for itself while the cache is warm: this share of those made so
   * far, but no more than the second. A short session may be over soon, and in a long one the next pause makes the
   * rewrite free; what looks evictable may also be used again.
   */
  readonly paybackShare: number
  readonly mostPaybackRequests: number
  /** Fewer evictable tokens than this cause no rewrite: while the cache is warm, and on a cold one. */
  readonly leastWarm: number
  readonly leastCold: number
  /** The share of the available tokens that is kept free. */
  readonly reserveShare: number
  /** Tokens that old replies are cut to. */
  readonly replyTokens: number
  /** Tokens of all indexes of names in a request together, at most. */
  readonly indexTokens: number
  /** A command's output over `outputTokens` keeps its ends. */
  readonly outputTokens: number
  readonly outputEndTokens: number
}

export type CacheAwarePreset = 'safe' | 'quality' | 'lean'

/**
 * Found by replaying the recorded sessions: a value is one that pays on both halves of them
 * (`tools/bench/context-policies.mjs --halves`, docs/decisions/079 and 092).
 */
const BASE: CacheAwareSettings = {
  missUsd: 0.5,
  referenceShare: 0.1,
  horizon: 40,
  protectedRequests: 3,
  skeletonRequests: 90,
  paybackShare: 0.1,
  mostPaybackRequests: 8,
  leastWarm: 4000,
  leastCold: 1000,
  reserveShare: 0.08,
  replyTokens: 20,
  indexTokens: 4000,
  outputTokens: 4000,
  outputEndTokens: 1000,
}

/** For a window of 200,000 tokens or more. */
export const CACHE_AWARE_PRESETS: Readonly<Record<CacheAwarePreset, CacheAwareSettings>> = {
  safe: BASE,
  quality: { ...BASE, missUsd: 0.42, skeletonRequests: 60 },
  lean: { ...BASE, missUsd: 0.25, skeletonRequests: 40, indexTokens: 3000 },
}

/** The window that the presets are for, tokens. */
const FULL_WINDOW = 200_000
/** The index takes no more than this share of a window, so that it does not crowd out what it stands beside. */
const LARGEST_INDEX_SHARE = 0.03

/**
 * Settings for a window: in a smaller one a miss is cheaper (the failed attempt reads less, and what is brought back is
 * carried for less long), and what is left of old requests crowds out the newer ones sooner. A window above
 * `FULL_WINDOW` changes only the index: at most `LARGEST_INDEX_SHARE` of the window.
 */
export const settingsFor = (settings: CacheAwareSettings, window: number): CacheAwareSettings => {
  const scale = Math.min(1, window / FULL_WINDOW) ** 0.5
  return {
    ...settings,
    missUsd: settings.missUsd * scale,
    skeletonRequests: Math.ceil(settings.skeletonRequests * scale),
    indexTokens: Math.min(settings.indexTokens, Math.floor(window * LARGEST_INDEX_SHARE)),
  }
}

/** Tokens that a miss takes: a failed attempt that reads the context, the missing content read again, and the reply in between. */
const MISS = { context: 100_000, content: 2000, output: 150 } as const
const SONNET = { read: 0.3, write: 3.75, output: 15 } as const

/** What a miss costs at these prices, as a multiple of what it costs at Claude Sonnet's: 1 for Sonnet. */
export const missPrice = (prices: Pick<ContextPrices, 'read' | 'write' | 'output'>): number =>
  missCost(prices) / missCost(SONNET)

const missCost = ({ read, write, output }: Pick<ContextPrices, 'read' | 'write' | 'output'>): number =>
  MISS.context * read + MISS.content * write + MISS.output * output
