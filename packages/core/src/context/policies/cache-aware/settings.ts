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
  /** How many of the newest requests are not touched, except to fit the window. */
  readonly protectedRequests: number
  /**
   * Older than so many requests, reasoning leaves and replies are cut by a rewrite; up to there, what was read or edited
   * stays after a pause.
   */
  readonly freshRequests: number
  /** Older than so many requests, what is left of a request leaves entirely with a rewrite; its names go to the index. */
  readonly skeletonRequests: number
  /** By what factor carrying costs must exceed the price of the rewrite. */
  readonly carryingCostFactor: number
  /** Fewer evictable tokens than this cause no rewrite: while the cache is warm, and on a cold one. */
  readonly leastWarm: number
  readonly leastCold: number
  /** The share of the available tokens that is kept free. */
  readonly reserveShare: number
  /** Tokens that old replies are cut to. */
  readonly replyTokens: number
  /** Tokens of the index of names, at most. */
  readonly indexTokens: number
  /** A command's output over `outputTokens` keeps its ends. */
  readonly outputTokens: number
  readonly outputEndTokens: number
}

export type CacheAwarePreset = 'safe' | 'quality' | 'lean'

const BASE: CacheAwareSettings = {
  missUsd: 0.52,
  referenceShare: 0.1,
  horizon: 40,
  protectedRequests: 3,
  freshRequests: 6,
  skeletonRequests: 60,
  carryingCostFactor: 1,
  leastWarm: 4000,
  leastCold: 1000,
  reserveShare: 0.08,
  replyTokens: 40,
  indexTokens: 7000,
  outputTokens: 4000,
  outputEndTokens: 1000,
}

/** For a window of 200,000 tokens or more. */
export const CACHE_AWARE_PRESETS: Readonly<Record<CacheAwarePreset, CacheAwareSettings>> = {
  safe: BASE,
  quality: { ...BASE, missUsd: 0.4, skeletonRequests: 40, indexTokens: 6000 },
  lean: { ...BASE, missUsd: 0.2, skeletonRequests: 25, replyTokens: 25, indexTokens: 4000 },
}

/** The window that the presets are for, tokens. */
const FULL_WINDOW = 200_000
const LEAST_INDEX = 500

/**
 * Settings for a window: in a smaller one a miss is cheaper (the failed attempt reads less, and what is brought
 * back is carried for less long), and index and skeleton must not crowd out what they stand beside.
 */
export const settingsFor = (settings: CacheAwareSettings, window: number): CacheAwareSettings => {
  const share = Math.min(1, window / FULL_WINDOW)
  return {
    ...settings,
    missUsd: settings.missUsd * share ** 0.5,
    skeletonRequests: Math.ceil(settings.skeletonRequests * share),
    indexTokens: Math.max(Math.min(LEAST_INDEX, settings.indexTokens), Math.floor(settings.indexTokens * share ** 0.7)),
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
