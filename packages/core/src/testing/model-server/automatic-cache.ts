/** Caches that need no breakpoint, and whose writes cost what input does: each prefix of whole steps is kept. */
import { NOTHING_BILLED } from './ledger.ts'
import type { PrefixCache } from './prefix-cache.ts'
import type { Prefix } from './tokens.ts'
import type { Call, InputBill } from './wire.ts'

/** Tokens; a prefix is kept that is a multiple of it. */
export const STEP = 128

const { outputTokens: _output, reasoningTokens: _reasoning, ...NO_INPUT } = NOTHING_BILLED

/** The longest of the prefixes that the cache has, the first of equal ones; one of 0 tokens where it has none. */
export const longestKept = (cache: PrefixCache, prefixes: readonly Prefix[]): Prefix =>
  prefixes.reduce((best, prefix) => (prefix.tokens > best.tokens && cache.has(prefix) ? prefix : best), {
    tokens: 0,
    hash: '',
  })

/**
 * Bills the input of a call under a cache that works without breakpoints, and keeps its prefixes for five minutes.
 * `stepped`: the prefixes of the request, a step each, shortest first.
 */
export const billAutomatic = (
  cache: PrefixCache,
  call: Call,
  totalTokens: number,
  stepped: readonly Prefix[],
): InputBill => {
  const cacheable = stepped.filter(({ tokens }) => tokens >= call.model.minimumCacheableTokens)
  const { tokens: cacheReadTokens } = longestKept(cache, cacheable)
  for (const prefix of cacheable) cache.keep(prefix, '5m')
  return { ...NO_INPUT, inputTokens: totalTokens - cacheReadTokens, cacheReadTokens }
}
