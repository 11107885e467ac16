/** What a policy has to know of a request that an agent made: its model, window, prices and cache. */
import type { IncomingHttpHeaders } from 'node:http'
import { prefixCharacters } from '../../../context/prefix-characters.ts'
import type { ContextPrices, Situation } from '../../../context/policy.ts'
import { DEFAULT_PRICES, situationOf } from '../../../context/request.ts'
import { arrayOf, type JsonObject } from '../../../json.ts'
import type { ModelFacts } from '../../../models/model-facts.ts'
import type { PriceBook } from '../../../ports/price-book.ts'
import { pricesFrom } from '../../../replay/prices.ts'
import { headerOf } from '../headers.ts'
import type { ReadRequest } from '../read-request.ts'
import type { Wire } from '../routes.ts'
import { asksForCache, asksForHour } from './cache-marks.ts'

const HOUR_SECONDS = 3_600
const MILLION = 1_000_000
const LIMIT_FIELDS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const

export interface AskedRequest {
  readonly wire: Wire
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
  readonly read: ReadRequest
}

/**
 * The situation of a request at a time (ms); `lastUsed` (tokens of the request before) is left at 0.
 * @throws CairnError `invalid-input` where system prompt, tools and reply leave no room in the window
 */
export const situationFor = (
  { wire, headers, body, read }: AskedRequest,
  facts: ModelFacts,
  priceBook: PriceBook,
  now: number,
): Situation => {
  const lifetime = cacheLifetime(wire, body, facts)
  const known = pricesFrom(priceBook, read.model, now, lifetime) ?? DEFAULT_PRICES
  const limit = LIMIT_FIELDS.map((field) => body[field]).find((value) => typeof value === 'number')
  // The tools are in the provider's form, and only measured.
  const characters = read.system.length + prefixCharacters({ tools: arrayOf(body.tools) })
  const window = windowOf(headers, facts)
  return situationOf(
    {
      window,
      prefixTokens: Math.ceil(characters / facts.charsPerToken),
      maxOutputTokens: Math.min(
        typeof limit === 'number' && limit > 0 ? Math.floor(limit) : facts.maxOutputTokens,
        window,
      ),
      prices: lifetime > 0 ? known : withoutCache(known),
      cacheLifetimeSeconds: lifetime,
    },
    facts,
    now,
  )
}

/**
 * How long the cache keeps what the request writes, seconds; 0 where nothing is cached. Anthropic caches only what a
 * request marks, for an hour where any mark says so.
 */
const cacheLifetime = (wire: Wire, body: JsonObject, { cacheLifetimeSeconds, known }: ModelFacts): number => {
  if (wire !== 'anthropic') return cacheLifetimeSeconds
  if (!asksForCache(body)) return 0
  return asksForHour(body) ? HOUR_SECONDS : known ? cacheLifetimeSeconds : FIVE_MINUTES_SECONDS
}
const FIVE_MINUTES_SECONDS = 300

const withoutCache = ({ input, output }: ContextPrices): ContextPrices => ({ input, output, write: input, read: input })

/** A model that has a larger window only where a request asks for it. */
const windowOf = (headers: IncomingHttpHeaders, { contextWindow }: ModelFacts): number =>
  /\bcontext-1m\b/.test(headerOf(headers, 'anthropic-beta') ?? '') ? Math.max(contextWindow, MILLION) : contextWindow
