/** What a sum amounts to in each measure, to sort rows by. */
import { TOKEN_CLASSES, allInputTokens, cacheHitRatio, usdFromNano } from '@cairn/core'
import type { TokenClass, UsageTotals } from '@cairn/core'
import type { SortValue } from '../../components/sorting.ts'
import type { Measure } from './measures.ts'

/** The tokens of each class. */
const tokenMeasures = Object.fromEntries(
  TOKEN_CLASSES.map(({ rate, field }) => [rate, (totals: UsageTotals) => totals[field]]),
  // Each rate is a row of the list.
) as Record<TokenClass['rate'], (totals: UsageTotals) => SortValue>

/** Null where it is unknown. Costs in USD, to sort by and not to show. */
export const MEASURE_OF: Readonly<Record<Measure, (totals: UsageTotals) => SortValue>> = {
  requests: ({ requests }) => requests,
  tokens: (totals) => allInputTokens(totals) + totals.outputTokens,
  ...tokenMeasures,
  cacheHit: (totals) => cacheHitRatio(totals) ?? null,
  firstToken: ({ firstTokenMs, timedRequests }) => (timedRequests === 0 ? null : firstTokenMs / timedRequests),
  latency: ({ totalMs, timedRequests }) => (timedRequests === 0 ? null : totalMs / timedRequests),
  saved: ({ savedNano }) => usdFromNano(savedNano),
  cost: ({ costNano, requests, unpricedRequests }) =>
    requests > 0 && unpricedRequests === requests ? null : usdFromNano(costNano),
}
