/** What `--json` tells of a session's costs besides their sum: cost per request, and what its subagents used. */
import { usdFromNano } from '@cairn/core'
import type { Engine, SubagentSum, SubagentSumsQuery } from '@cairn/core'

/** Up to so many sessions are asked for one by one; of more, the requests of all are summed at once. */
const FEW = 100

/**
 * Returns what subagents used within the query, by session; sessions without any are missing. For more than 100 ids it
 * also has sessions that were not asked for. Rejects as the store does.
 */
export const subagentsOf = async (
  sessionIds: readonly string[],
  query: SubagentSumsQuery,
  { store }: Pick<Engine, 'store'>,
): Promise<ReadonlyMap<string, SubagentSum>> => {
  const queries =
    sessionIds.length > FEW
      ? [query]
      : sessionIds.map((session) => ({ ...query, filter: { ...query.filter, session } }))
  const sums: SubagentSum[] = []
  for (const one of queries) sums.push(...(await store.usage.subagentSums(one)))
  return new Map(sums.map((sum) => [sum.sessionId, sum]))
}

/**
 * Returns `{costPerRequestUsd, subagents: {count, requests, unpricedRequests, costUsd}}` of the sums of a session. The
 * first is the mean of requests with a price, null without any; without `subagents` all of theirs is 0.
 */
export const sessionCostsJson = (
  {
    costNano,
    requests,
    unpricedRequests,
  }: { readonly costNano: bigint; readonly requests: number; readonly unpricedRequests: number },
  subagents: SubagentSum | undefined,
): Record<string, unknown> => ({
  costPerRequestUsd: requests > unpricedRequests ? usdFromNano(costNano) / (requests - unpricedRequests) : null,
  subagents: {
    count: subagents?.subagents ?? 0,
    requests: subagents?.requests ?? 0,
    unpricedRequests: subagents?.unpricedRequests ?? 0,
    costUsd: usdFromNano(subagents?.costNano ?? 0n),
  },
})
