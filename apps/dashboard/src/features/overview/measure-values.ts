/** What a sum amounts to in each measure, to sort rows by. */
import { allInputTokens, cacheHitRatio, usdFromNano } from '@cairn/core'
import type { UsageTotals } from '@cairn/core'
import type { SortValue } from '../../components/sorting.ts'
import type { Measure } from './measures.ts'

/** Null where nobody can tell. Money in USD, to sort by and not to show. */
export const MEASURE_OF: Readonly<Record<Measure, (totals: UsageTotals) => SortValue>> = {
  requests: ({ requests }) => requests,
  tokens: (totals) => allInputTokens(totals) + totals.outputTokens,
  input: ({ inputTokens }) => inputTokens,
  cacheRead: ({ cacheReadTokens }) => cacheReadTokens,
  cacheWrite5m: ({ cacheWrite5mTokens }) => cacheWrite5mTokens,
  cacheWrite1h: ({ cacheWrite1hTokens }) => cacheWrite1hTokens,
  output: ({ outputTokens }) => outputTokens,
  cacheHit: (totals) => cacheHitRatio(totals) ?? null,
  saved: ({ savedNano }) => usdFromNano(savedNano),
  cost: ({ costNano, requests, unpricedRequests }) =>
    requests > 0 && unpricedRequests === requests ? null : usdFromNano(costNano),
}
