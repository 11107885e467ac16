/**
 * What a Messages request is charged. At each breakpoint the longest kept prefix is looked for, at most 20 blocks back;
 * what was found is read, what stands behind it up to the last breakpoint is written: for an hour up to the last
 * breakpoint of an hour, for five minutes behind it. Prefixes below the model's minimum are not cached, silently.
 */
import { NOTHING_BILLED } from '../ledger.ts'
import { createPrefixCache } from '../prefix-cache.ts'
import { countSegments, segmentPrefixes, type Prefix } from '../tokens.ts'
import type { Call, InputBill } from '../wire.ts'
import { segmentsOf } from './request.ts'

const LOOK_BACK = 20

const { outputTokens: _output, reasoningTokens: _reasoning, ...NO_INPUT } = NOTHING_BILLED

/**
 * A function that bills the input of a call by Anthropic's rules: what lies before breakpoints is written to a cache of
 * its own, and read from it while it lives. `now`: ms.
 */
export const createBilling = (now: () => number) => {
  const cache = createPrefixCache(now)

  return (call: Call): InputBill => {
    const segments = segmentsOf(call.body)
    const total = countSegments(segments)
    const prefixes = segmentPrefixes(JSON.stringify([call.account, call.model.name]), segments)
    const breakpoints = segments.flatMap(({ breakpoint }, index) => {
      const prefix = prefixes[index]
      if (breakpoint === undefined || prefix === undefined || prefix.tokens < call.model.minimumCacheableTokens)
        return []
      return [{ lifetime: breakpoint, index, prefix }]
    })
    let read: Prefix = { tokens: 0, hash: '' }
    for (const { index } of breakpoints) {
      const found = prefixes
        .slice(Math.max(0, index + 1 - LOOK_BACK), index + 1)
        .findLast((prefix) => cache.has(prefix))
      if (found !== undefined && found.tokens > read.tokens) read = found
    }
    cache.renew(read)
    for (const { prefix, lifetime } of breakpoints) cache.keep(prefix, lifetime)
    const last = Math.max(read.tokens, breakpoints.at(-1)?.prefix.tokens ?? 0)
    const hour = breakpoints.findLast(({ lifetime }) => lifetime === '1h')?.prefix.tokens ?? 0
    const lastHour = Math.max(read.tokens, hour)
    return {
      ...NO_INPUT,
      inputTokens: total - last,
      cacheReadTokens: read.tokens,
      cacheWrite1hTokens: lastHour - read.tokens,
      cacheWrite5mTokens: last - lastHour,
    }
  }
}
