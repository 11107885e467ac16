/** The cost actually paid for a session, shown beside simulated costs. */
import { WHY_PAID_DIFFERS, formatUsd, nanoFromUsd } from '@cairn/core'
import type { PaidUsage } from '@cairn/core'
import { counted, formatCount, formatShare } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** What was paid for a session. */
export interface Bill extends PaidUsage {
  /** The replay's prices are those of the model that most requests went to. */
  readonly arePricesOwn: boolean
}

/**
 * The paid cost for `--json`; null if nothing was recorded. `costUsd` is null if no request has a price. @param bill
 * what was paid; undefined if nothing was recorded
 */
export const billJson = (bill: Bill | undefined): unknown => {
  if (bill === undefined) return null
  const { requests, costUsd, unpricedRequests, costAtPricesUsd, peakTokens, cacheHitRatio, model } = bill
  return {
    basis: 'recorded',
    model,
    requests,
    costUsd: unpricedRequests === requests ? null : costUsd,
    unpricedRequests,
    costAtPricesUsd,
    peakTokens,
    cacheHitRatio,
  }
}

/** Returns an amount in USD as text. */
const usd = (amount: number): string => formatUsd(nanoFromUsd(amount))

/** What was paid, in sentences, and why a replay differs from it; also if nothing was recorded. */
export const billText = (bill: Bill | undefined): string => {
  if (bill === undefined) return 'Paid: not known, because the transcript records no usage of the main conversation.'
  const { requests, unpricedRequests, costUsd, costAtPricesUsd, peakTokens, cacheHitRatio, model } = bill
  const priced =
    unpricedRequests === requests
      ? 'an unknown price'
      : `${usd(costUsd)}${unpricedRequests > 0 ? `, without ${counted(unpricedRequests, 'request')} of unknown cost,` : ''}`
  const facts = `for ${counted(requests, 'request')}, the largest of ${formatCount(peakTokens)} tokens, ${formatShare(cacheHitRatio)} of the input cached`
  const atPrices =
    bill.arePricesOwn && unpricedRequests === 0
      ? ''
      : ` These tokens at the prices above: ${usd(costAtPricesUsd)} (most requests went to ${neutraliseLine(model)}; --prices takes a model's name).`
  return `Paid, as recorded: ${priced} ${facts}; subagents left out.${atPrices} ${WHY_PAID_DIFFERS}`
}
