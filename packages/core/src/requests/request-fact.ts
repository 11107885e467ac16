/** The bill of an attempt: every token class as the provider told it, and its price. */
import { isSameModel } from '../context/thinking.ts'
import type { ModelDone, ModelError } from '../ports/language-model.ts'
import { NO_TOKENS, pickTokens, type PriceBook, type TokenUsage } from '../ports/price-book.ts'
import type { RequestFact, RequestFailure } from '../ports/usage-storage.ts'
import { pricedRequest } from '../usage/priced-request.ts'
import type { Attempt } from './attempt.ts'

/** What the bills of a request's attempts have in common. */
export interface Billing {
  /** The model's name as it was asked for. */
  readonly model: string
  readonly provider: string
  readonly mode?: string | undefined
  readonly priceBook: PriceBook
}

/** The end of an attempt. */
export interface AttemptEnd {
  readonly attempt: Attempt
  /** Unique in the store. */
  readonly id: string
  /** ms */
  readonly at: number
}

/**
 * The bill of a reply, under the name of the model that answered. Where that is only a release of the model that was
 * asked for, the price is that model's: a price of the user's own is under the name that the user knows. Unpriced where
 * neither has a price; an empty name counts as the one that was asked for.
 */
export const billOfReply = (end: AttemptEnd, { usage, model = '' }: ModelDone, billing: Billing): RequestFact => {
  if (model === '') return bill(end, usage, billing)
  const asked = isSameModel(billing.model, model) ? bill(end, usage, billing) : undefined
  return asked?.costState === 'computed' ? { ...asked, model } : bill(end, usage, { ...billing, model })
}

/**
 * The bill of an attempt that failed; undefined when there is none. An attempt whose reply had begun is billed even where
 * the provider could not say it any more: then its tokens are unknown, and only what is visible of it is counted.
 */
export const billOfFailure = (end: AttemptEnd, error: ModelError, billing: Billing): RequestFact | undefined => {
  const usage = usageOf(end.attempt, error)
  if (usage === undefined && !end.attempt.hasBegun) return undefined
  return bill(end, usage ?? NO_TOKENS, billing)
}

/** The record of a failed attempt that was not billed; `totalMs` (ms) is never below 0. */
export const failureOf = (
  { attempt, id, at }: AttemptEnd,
  { code }: ModelError,
  { model, provider, mode }: Billing,
): RequestFailure => ({
  id,
  at,
  model,
  provider,
  ...(mode === undefined ? {} : { mode }),
  code,
  attempt: attempt.number,
  totalMs: Math.max(0, at - attempt.startedAt),
})

/**
 * What a failed attempt used, as far as the provider said; undefined where it said nothing, or that nothing was used,
 * as one that refuses a request does.
 */
const usageOf = (attempt: Attempt, { details }: ModelError): TokenUsage | undefined => {
  const usage = details.usage ?? attempt.usage
  return usage !== undefined && Object.values(pickTokens(usage)).some((tokens) => tokens > 0) ? usage : undefined
}

/** What an attempt cost, by its usage and the price book. Unpriced where the book has no price. */
const bill = ({ attempt, id, at }: AttemptEnd, usage: TokenUsage, billing: Billing): RequestFact => {
  const { model, provider, mode, priceBook } = billing
  const latency = attempt.latencyAt(at)
  const fact: RequestFact = {
    callId: id,
    at,
    model,
    provider,
    ...(mode === undefined ? {} : { mode }),
    ...pickTokens(usage),
    costNano: null,
    costState: 'unpriced',
    attempt: attempt.number,
    ...(latency === undefined ? {} : { latency }),
  }
  return pricedRequest(fact, priceBook, at)
}
