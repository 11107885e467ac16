/** Merges answers about usage: each shard has summed its own requests, and what they have in common is added up. */
import type {
  FailureSum,
  Movers,
  ProviderSum,
  UsageQuery,
  UsageReport,
  UsageRow,
  UsageTotals,
} from '../ports/usage-storage.ts'
import { mostFrequentFirst } from '../usage/failures.ts'
import { moversOf } from '../usage/movers.ts'
import { orderedRows } from '../usage/report-rows.ts'
import { addTotals, emptyTotals } from '../usage/totals.ts'

/**
 * One report out of several about disjoint requests: rows with the same key are added up, as are the totals; order and limit
 * are the query's. `keyOf` gives a row another key, such as the project of a folder.
 */
export const combineReports = (
  query: Pick<UsageQuery, 'by' | 'limit'>,
  reports: readonly UsageReport[],
  keyOf: (key: string) => string = (key) => key,
): UsageReport => {
  const sums = new Map<string, UsageTotals>()
  for (const { rows } of reports)
    for (const { key, ...totals } of rows) {
      const known = sums.get(keyOf(key))
      sums.set(keyOf(key), known === undefined ? totals : addTotals(known, totals))
    }
  const rows = [...sums].map(([key, totals]): UsageRow => ({ key, ...totals }))
  return {
    rows: orderedRows(rows, query),
    total: reports.reduce<UsageTotals>((sum, { total }) => addTotals(sum, total), emptyTotals),
  }
}

/** The largest `limit` movers of several lists about different sessions; all others, named or not, are counted together. */
export const combineMovers = (parts: readonly Movers[], limit: number): Movers => {
  const all = parts.flatMap(({ movers }) => movers)
  const { movers, others } = moversOf(
    all.map(({ key, beforeNano }) => ({ key, costNano: beforeNano })),
    all.map(({ key, nowNano }) => ({ key, costNano: nowNano })),
    limit,
  )
  return {
    movers,
    others: {
      count: parts.reduce((sum, part) => sum + part.others.count, others.count),
      changeNano: parts.reduce((sum, part) => sum + part.others.changeNano, others.changeNano),
    },
  }
}

/** Adds up what differs in nothing but its figures. In the order of the first occurrence. */
export const combineProviderSums = (parts: readonly (readonly ProviderSum[])[]): readonly ProviderSum[] => {
  const sums = new Map<string, ProviderSum>()
  for (const sum of parts.flat()) {
    const { requests, costNano, unpricedRequests, span, provider, agent, model, workspace, person, machine } = sum
    const key = JSON.stringify([span, provider, agent, model, workspace, person, machine])
    const known = sums.get(key)
    sums.set(
      key,
      known === undefined
        ? sum
        : {
            ...sum,
            requests: known.requests + requests,
            costNano: known.costNano + costNano,
            unpricedRequests: known.unpricedRequests + unpricedRequests,
          },
    )
  }
  return [...sums.values()]
}

/**
 * Adds up failures by code, model and provider, each with the latest time: most frequent first, then newest, then by
 * code and model.
 */
export const combineFailures = (parts: readonly (readonly FailureSum[])[]): readonly FailureSum[] => {
  const sums = new Map<string, FailureSum>()
  for (const sum of parts.flat()) {
    const key = JSON.stringify([sum.code, sum.model, sum.provider])
    const { failures = 0, lastAt = sum.lastAt } = sums.get(key) ?? {}
    sums.set(key, { ...sum, failures: failures + sum.failures, lastAt: Math.max(lastAt, sum.lastAt) })
  }
  return [...sums.values()].sort(mostFrequentFirst)
}
