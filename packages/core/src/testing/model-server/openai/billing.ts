/**
 * What OpenAI charges for input. Older models keep every 128th prefix from 1,024 tokens on, for nothing. Newer ones bill
 * what they write: up to the request's own end (rounded to 128 tokens), unless that is turned off, and up to its last four
 * explicit breakpoints, to the token; the longest of all that was kept is read.
 */
import { objectOf, textOf, without, type JsonObject } from '../json.ts'
import { NOTHING_BILLED } from '../ledger.ts'
import { billAutomatic, longestKept, STEP } from '../automatic-cache.ts'
import { createPrefixCache } from '../prefix-cache.ts'
import { countSegments, segmentPrefixes, steppedPrefixes, type Lifetime, type Prefix, type Segment } from '../tokens.ts'
import type { Call, InputBill } from '../wire.ts'

const MOST_WRITTEN = 4

const { outputTokens: _output, reasoningTokens: _reasoning, ...NO_INPUT } = NOTHING_BILLED

const lifetimeOf = (options: JsonObject): Lifetime => (options.ttl === '12h' ? '12h' : '30m')

/**
 * A part of the input, labelled, with its breakpoint taken out of the text; its lifetime is its own, else the
 * request's.
 */
export const segmentOf = (label: string, value: unknown, body: JsonObject): Segment => {
  const text = `${label}:${JSON.stringify(without(value, new Set(['prompt_cache_breakpoint'])))}`
  const mark = objectOf(value).prompt_cache_breakpoint
  if (mark === undefined || mark === null) return { text }
  const own = objectOf(mark)
  return { text, breakpoint: lifetimeOf(own.ttl === undefined ? objectOf(body.prompt_cache_options) : own) }
}

interface Written {
  readonly prefix: Prefix
  readonly lifetime: Lifetime
}

/**
 * What a request asks to be kept, shortest first. `explicit` are the request's own; `written` those that are long
 * enough, at most `MOST_WRITTEN`.
 */
const breakpointsOf = (
  call: Call,
  segments: readonly Segment[],
  exact: readonly Prefix[],
  stepped: readonly Prefix[],
) => {
  const options = objectOf(call.body.prompt_cache_options)
  const explicit = segments.flatMap(({ breakpoint }, index): Written[] => {
    const prefix = exact[index]
    return breakpoint === undefined || prefix === undefined ? [] : [{ prefix, lifetime: breakpoint }]
  })
  const end = stepped.at(-1)
  const isImplicit = options.mode !== 'explicit' && end !== undefined
  return {
    explicit,
    written: [...explicit, ...(isImplicit ? [{ prefix: end, lifetime: lifetimeOf(options) }] : [])]
      .filter(({ prefix }) => prefix.tokens >= call.model.minimumCacheableTokens)
      .slice(-MOST_WRITTEN),
  }
}

/**
 * A function that bills the input of a call by OpenAI's rules, under an automatic cache or, for models that bill
 * writes, with breakpoints. `now`: ms.
 */
export const createBilling = (now: () => number, segmentsOf: (body: JsonObject) => readonly Segment[]) => {
  const cache = createPrefixCache(now)

  return (call: Call): InputBill => {
    const segments = segmentsOf(call.body)
    const total = countSegments(segments)
    const scope = JSON.stringify([call.account, call.model.name, textOf(call.body.prompt_cache_key)])
    const stepped = steppedPrefixes(scope, segments, STEP)
    if (call.model.billsCacheWrites !== true) return billAutomatic(cache, call, total, stepped)
    const exact = segmentPrefixes(scope, segments)
    const { explicit, written } = breakpointsOf(call, segments, exact, stepped)
    const read = longestKept(cache, [...stepped, ...explicit.map(({ prefix }) => prefix)])
    cache.renew(read)
    for (const { prefix, lifetime } of written) cache.keep(prefix, lifetime)
    const upTo = (kept: readonly Written[]): number =>
      kept.reduce((most, { prefix }) => Math.max(most, prefix.tokens), read.tokens)
    const lastLong = upTo(written.filter(({ lifetime }) => lifetime === '12h'))
    const last = upTo(written)
    return {
      ...NO_INPUT,
      inputTokens: total - last,
      cacheReadTokens: read.tokens,
      cacheWrite12hTokens: lastLong - read.tokens,
      cacheWrite30mTokens: last - lastLong,
    }
  }
}

/** All input tokens of a bill, of every class. */
export const allInput = (bill: InputBill): number => Object.values(bill).reduce((total, tokens) => total + tokens, 0)

/** The tokens that a bill counts as written to OpenAI's caches. */
export const allWrites = (bill: InputBill): number => bill.cacheWrite30mTokens + bill.cacheWrite12hTokens
