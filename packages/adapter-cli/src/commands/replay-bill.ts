/** What was paid for a session, and which part of it can be compared with the costs that a replay simulates. */
import { formatUsd, nanoFromUsd } from '@cairn/core'
import type { PaidUsage, PolicyReplay } from '@cairn/core'
import { counted, formatCount, formatShare } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

export interface Bill extends PaidUsage {
  /**
   * What simulated costs are compared with: the cost as paid where the replay's prices are those of the session's own
   * model and all of it is priced, or else the recorded tokens at the replay's prices.
   */
  readonly comparedUsd: number
  readonly isComparedAsPaid: boolean
}

/**
 * What was paid, with the sum that a replay's costs compare with: what was really paid where the replay has the same
 * prices, else what it would have cost at the replay's.
 * @param arePricesOwn the replay's prices are those of the model that most requests went to
 */
export const billOf = (usage: PaidUsage, arePricesOwn: boolean): Bill => {
  const isComparedAsPaid = arePricesOwn && usage.unpricedRequests === 0
  return { ...usage, isComparedAsPaid, comparedUsd: isComparedAsPaid ? usage.costUsd : usage.costAtPricesUsd }
}

/** The bill for `--json`; null where nothing was recorded. `costUsd` is null where no request has a price. */
export const billJson = (bill: Bill | undefined): unknown => {
  if (bill === undefined) return null
  const { requests, costUsd, unpricedRequests, costAtPricesUsd, comparedUsd, peakTokens, cacheHitRatio, model } = bill
  return {
    basis: 'recorded',
    model,
    requests,
    costUsd: unpricedRequests === requests ? null : costUsd,
    unpricedRequests,
    costAtPricesUsd,
    comparedUsd,
    peakTokens,
    cacheHitRatio,
  }
}

/** An amount in USD as it is shown. */
const usd = (amount: number): string => formatUsd(nanoFromUsd(amount))

/** What was paid, in sentences, also where nothing was recorded. */
export const billText = (bill: Bill | undefined): string => {
  if (bill === undefined) return 'Paid: not known, because the transcript records no usage of the main conversation.'
  const { requests, unpricedRequests, costUsd, costAtPricesUsd, peakTokens, cacheHitRatio, model } = bill
  const priced =
    unpricedRequests === requests
      ? 'an unknown price'
      : `${usd(costUsd)}${unpricedRequests > 0 ? `, without ${counted(unpricedRequests, 'request')} of unknown cost,` : ''}`
  const facts = `for ${counted(requests, 'request')}, the largest of ${formatCount(peakTokens)} tokens, ${formatShare(cacheHitRatio)} of the input cached`
  const atPrices = bill.isComparedAsPaid
    ? ''
    : ` These tokens at the prices above: ${usd(costAtPricesUsd)}, which simulated costs are compared with (most requests went to ${neutraliseLine(model)}; --prices takes a model's name).`
  return `Paid, as recorded: ${priced} ${facts}; subagents left out.${atPrices}`
}

/**
 * What a policy would have saved, in USD, negative where it costs more: of what was paid (null where that is not
 * known), and of what the agent's own context costs in the simulation.
 */
export const savingsOf = (
  replay: PolicyReplay,
  recorded: PolicyReplay,
  bill: Bill | undefined,
): { readonly againstPaid: number | null; readonly againstRecorded: number } => ({
  againstPaid: bill === undefined ? null : bill.comparedUsd - replay.costWithRestoresUsd,
  againstRecorded: recorded.costWithRestoresUsd - replay.costWithRestoresUsd,
})
