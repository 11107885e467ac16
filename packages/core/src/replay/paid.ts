/** What a session was billed, by the usage that its agent recorded; it stands beside a simulation and is no part of what that saves. */
import type { ContextPrices } from '../context/policy.ts'
import { usdFromNano, type NanoUsd } from '../money.ts'
import { cacheWriteTokens, type TokenUsage } from '../ports/price-book.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import type { PriceOverride } from '../usage/price-book.ts'
import { allInputTokens, isInputUnknown } from '../usage/totals.ts'

/** A request of the main conversation as it was recorded; without a price its cost is null. */
export interface PaidRequest extends TokenUsage {
  readonly model: string
  readonly at: number | null
  readonly costNano: NanoUsd | null
}

export interface PaidUsage {
  readonly requests: number
  /** Of the priced requests, by what was recorded or the prices of their own models. */
  readonly costUsd: number
  readonly unpricedRequests: number
  /** The recorded tokens at the replay's prices. */
  readonly costAtPricesUsd: number
  /** The largest recorded input of a request, tokens. */
  readonly peakTokens: number
  /** The share of all recorded input that was read from the cache. */
  readonly cacheHitRatio: number
  /** The model that most requests went to, of equals the one used first. */
  readonly model: string
}

/** Why what was paid and what a replay of the same requests costs are two numbers: a sentence. */
export const WHY_PAID_DIFFERS =
  'What was paid differs from what the same costs here, because a replay estimates tokens from the text, assumes the system prompt and reckons the cache by rules; so what is saved is told between two simulated costs.'

/**
 * What a policy would have saved, in USD, negative where it costs more: against what the session's own agent did, by the
 * same simulation, restores included. What was paid has no part in it.
 */
export const savedUsd = (
  replay: { readonly costWithRestoresUsd: number },
  recorded: { readonly costWithRestoresUsd: number },
): number => recorded.costWithRestoresUsd - replay.costWithRestoresUsd

/**
 * Sums recorded requests, in USD and tokens; undefined where none has any input recorded. Requests without a price are
 * counted, and cost nothing in the sum. `model`: the one of most requests.
 */
export const paidUsage = (requests: readonly PaidRequest[], prices: ContextPrices): PaidUsage | undefined => {
  const counts = new Map<string, number>()
  let costNano = 0n
  let unpricedRequests = 0
  let atPrices = 0
  let peakTokens = 0
  let input = 0
  let read = 0
  for (const request of requests) {
    const { inputTokens, cacheReadTokens, outputTokens } = request
    const all = allInputTokens(request)
    counts.set(request.model, (counts.get(request.model) ?? 0) + 1)
    if (request.costNano === null) unpricedRequests += 1
    else costNano += request.costNano
    atPrices +=
      inputTokens * prices.input +
      cacheReadTokens * prices.read +
      cacheWriteTokens(request) * prices.write +
      outputTokens * prices.output
    peakTokens = Math.max(peakTokens, all)
    input += all
    read += cacheReadTokens
  }
  if (input === 0) return undefined
  const [model = 'unknown'] = [...counts].sort(([, left], [, right]) => right - left)[0] ?? []
  return {
    requests: requests.length,
    costUsd: usdFromNano(costNano),
    unpricedRequests,
    costAtPricesUsd: atPrices / 1e6,
    peakTokens,
    cacheHitRatio: read / input,
    model,
  }
}

/**
 * The requests of the main conversation that a transcript tells, each once (of several reports that with the larger
 * output, then with the larger input) and priced where the transcript does not. Without a price where the input is not
 * known.
 * @param now when requests without a time were made, ms
 */
export const paidRequests = async (
  facts: readonly (RequestFact | undefined)[],
  { now, overrides = {} }: { readonly now: number; readonly overrides?: Readonly<Record<string, PriceOverride>> },
): Promise<readonly PaidRequest[]> => {
  const calls = new Map<string, RequestFact>()
  for (const fact of facts) {
    if (fact === undefined || fact.subagent !== undefined) continue
    const known = calls.get(fact.callId)
    if (known === undefined || isMoreComplete(fact, known)) calls.set(fact.callId, fact)
  }
  if (calls.size === 0) return []
  // The price list is large, and only needed when there are requests.
  const { createPriceBook } = await import('../usage/price-book.ts')
  const priceBook = createPriceBook({ overrides })
  return [...calls.values()].map((fact) => {
    const { model, provider, at } = fact
    if (fact.costNano === null && isInputUnknown(fact)) return { ...fact, costNano: null }
    const costNano = fact.costNano ?? priceBook.cost({ model, provider, at: at ?? now }, fact) ?? null
    return { ...fact, costNano }
  })
}

/** Whether a report of a request tells more than the one that is known. */
const isMoreComplete = (fact: RequestFact, known: RequestFact): boolean =>
  fact.outputTokens === known.outputTokens
    ? allInputTokens(fact) > allInputTokens(known)
    : fact.outputTokens > known.outputTokens
