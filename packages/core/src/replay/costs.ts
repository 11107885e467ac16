/** What requests cost under a provider's cache, by what is paid for. */
import type { ViewBlock } from '../context/view-block.ts'
import type { ContextPrices } from '../context/policy.ts'
import type { PreparedBlock } from '../context/create-context.ts'

/** USD. Together they are the cost with restores. */
export interface CostByClass {
  /** Input that the cache had. */
  readonly read: number
  /** Input that was sent for the first time. */
  readonly fresh: number
  /** Input that had been sent before and was written again because something before it had changed. */
  readonly rewritten: number
  /** Input that had been sent before and was written again because the cache had forgotten it. */
  readonly cold: number
  readonly output: number
  /** Failed attempts after misses, reading again, and carrying what was read. */
  readonly restores: number
}

export interface CostOfRequest {
  readonly blocks: readonly PreparedBlock[]
  /** How many of the blocks are as in the request before. */
  readonly shared: number
  /** The cache still has the request before. */
  readonly isWarm: boolean
  /** Of the whole input, the prefix included. */
  readonly inputTokens: number
  readonly outputTokens: number
  /** Tokens that earlier restores brought back, not part of the input. */
  readonly carried: number
}

/** A failed attempt's own words, tokens. */
const RETRY_OUTPUT = 150
const MILLION = 1e6

/**
 * Sums what requests cost, USD, at prices per million tokens; `prefix`: tokens of system prompt and tools in each. Give
 * `request` the requests in order; `sums` may be asked at any time, and is of those so far. `restores` are no part of
 * `costUsd`.
 */
export const createCosts = ({ prices, prefix }: { readonly prices: ContextPrices; readonly prefix: number }) => {
  const tokens = { read: 0, fresh: 0, rewritten: 0, cold: 0, output: 0 }
  const sent = new Set<ViewBlock>()
  let isFirst = true
  let base = 0
  let restores = 0

  return {
    /** Adds a request; returns the tokens that the cache had of it. */
    request: ({ blocks, shared, isWarm, inputTokens, outputTokens, carried }: CostOfRequest): number => {
      let hit = isWarm ? prefix : 0
      let known = isWarm || isFirst ? 0 : prefix
      for (const [index, block] of blocks.entries()) {
        if (index < shared && isWarm) hit += block.tokens
        else if (sent.has(block.block)) known += block.tokens
        else sent.add(block.block)
      }
      isFirst = false
      base += (hit * prices.read + (inputTokens - hit) * prices.write + outputTokens * prices.output) / MILLION
      restores += (carried * (isWarm ? prices.read : prices.write)) / MILLION
      tokens.read += hit
      tokens[isWarm ? 'rewritten' : 'cold'] += known
      tokens.fresh += inputTokens - hit - known
      tokens.output += outputTokens
      return hit
    },
    /** Adds what a miss costs: a try that failed on an input of so many tokens, and its content read again. */
    restore: (inputTokens: number, contentTokens: number): void => {
      restores += (inputTokens * prices.read + contentTokens * prices.write + RETRY_OUTPUT * prices.output) / MILLION
    },
    /**
     * The costs of the requests so far, USD, without and with restores, and by class; `cacheHitRatio` is the share of
     * their input tokens that the cache had, 0 before the first.
     */
    sums: () => {
      const { read, fresh, rewritten, cold, output } = tokens
      const input = read + fresh + rewritten + cold
      const costByClass: CostByClass = {
        read: (read * prices.read) / MILLION,
        fresh: (fresh * prices.write) / MILLION,
        rewritten: (rewritten * prices.write) / MILLION,
        cold: (cold * prices.write) / MILLION,
        output: (output * prices.output) / MILLION,
        restores,
      }
      return {
        costUsd: base,
        costWithRestoresUsd: base + restores,
        costByClass,
        cacheHitRatio: input === 0 ? 0 : read / input,
      }
    },
  }
}
