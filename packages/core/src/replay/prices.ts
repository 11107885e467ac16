/** The prices that a replay reckons with. */
import type { ContextPrices } from '../context/policy.ts'
import { usdFromNano } from '../money.ts'
import { NO_TOKENS, type PriceBook, type TokenUsage } from '../ports/price-book.ts'
import type { PriceOverride } from '../usage/price-book.ts'

/** Claude Sonnet's, with a cache of five minutes; USD per million tokens. */
export const DEFAULT_REPLAY_PRICES: ContextPrices = { input: 3, output: 15, write: 3.75, read: 0.3 }

/** The longest lifetime that the price of a five-minute cache buys, seconds. */
const SHORT_LIFETIME = 300
/** Few enough for no price that rises with a request's size, enough for its last digit. */
const SAMPLE = 10_000
const MILLION = 1_000_000

/**
 * A model's prices by the price list that comes with Cairn, or by the user's own; undefined where neither has it. See
 * {@link pricesFrom}.
 */
export const pricesOfModel = async (
  model: string,
  {
    at,
    cacheLifetime,
    overrides = {},
  }: {
    readonly at: number
    readonly cacheLifetime: number
    readonly overrides?: Readonly<Record<string, PriceOverride>>
  },
): Promise<ContextPrices | undefined> => {
  // The list is large, and only who names a model needs it.
  const { createPriceBook } = await import('../usage/price-book.ts')
  return pricesFrom(createPriceBook({ overrides }), model, at, cacheLifetime)
}

/**
 * A model's prices at a time (ms), USD per million tokens, for a cache that lives so many seconds: above five minutes,
 * writes cost what those for an hour do. Undefined where its price is not known. Without a price for cached tokens all
 * of its input costs the same. A fixed price of each request is left out.
 */
export const pricesFrom = (
  priceBook: PriceBook,
  model: string,
  at: number,
  cacheLifetime: number,
): ContextPrices | undefined => {
  const costOf = (usage: Partial<TokenUsage>): number | undefined => {
    const nano = priceBook.cost({ model, at }, { ...NO_TOKENS, ...usage })
    return nano === undefined ? undefined : usdFromNano(nano)
  }
  // Some models cost something for each request besides.
  const perRequest = costOf({})
  const priceOf = (usage: Partial<TokenUsage>): number | undefined => {
    const cost = costOf(usage)
    return cost === undefined || perRequest === undefined
      ? undefined
      : Number((((cost - perRequest) / SAMPLE) * MILLION).toFixed(6))
  }
  const input = priceOf({ inputTokens: SAMPLE })
  const output = priceOf({ outputTokens: SAMPLE })
  const write = priceOf(
    cacheLifetime > SHORT_LIFETIME ? { cacheWrite1hTokens: SAMPLE } : { cacheWrite5mTokens: SAMPLE },
  )
  const read = priceOf({ cacheReadTokens: SAMPLE })
  if (input === undefined || output === undefined || write === undefined || read === undefined) return undefined
  return { input, output, write, read }
}
