/** The requests of a session that goes on: of a long one, only the newest are read again. */
import type { SessionSummary } from '../ports/session-storage.ts'
import type { StoredRequest, UsageStorage } from '../ports/usage-storage.ts'

/** Fewer are read again as a whole. */
const FEW = 300
/** Requests at the end that may have changed: the reply of the last ones may still have been under way. */
const OPEN_END = 50

/** Whether requests are all that a session has: their number, costs and unpriced ones are the session's own. */
const areAllOf = (
  requests: readonly StoredRequest[],
  session: Pick<SessionSummary, 'requests' | 'costNano' | 'unpricedRequests' | 'missingOutputCostNano'>,
): boolean => {
  if (requests.length !== session.requests) return false
  let [costNano, missingNano, unpriced] = [0n, 0n, 0]
  for (const request of requests) {
    costNano += request.costNano ?? 0n
    missingNano += request.missingOutputCostNano
    if (request.costNano === null) unpriced += 1
  }
  return (
    costNano === session.costNano &&
    missingNano === session.missingOutputCostNano &&
    unpriced === session.unpricedRequests
  )
}

/** Whether two requests are the same as far as the compared fields tell; false if either is undefined. */
const isSame = (left: StoredRequest | undefined, right: StoredRequest | undefined): boolean =>
  left !== undefined &&
  right !== undefined &&
  left.at === right.at &&
  left.model === right.model &&
  left.subagent === right.subagent &&
  left.outputTokens === right.outputTokens &&
  left.cacheReadTokens === right.cacheReadTokens &&
  left.costNano === right.costNano

/**
 * All requests of a session in order of time; of a long one only the newest are read again. Rejects as the store does.
 * @param session as the store has it now
 * @param before what this gave before; where the session's sums say that more than the end of it changed, all are read
 */
export const sessionRequests = async (
  usage: Pick<UsageStorage, 'requests'>,
  session: SessionSummary,
  before: readonly StoredRequest[] = [],
): Promise<readonly StoredRequest[]> => {
  const added = session.requests - before.length
  if (before.length < FEW || added < 0) return usage.requests(session.id)
  const last = await usage.requests(session.id, { last: added + OPEN_END })
  const kept = before.slice(0, Math.max(0, session.requests - last.length))
  const joins = isSame(before[kept.length], last[0])
  const all = [...kept, ...last]
  // One that was made earlier than the newest, or changed before them, is not among those.
  return joins && areAllOf(all, session) ? all : usage.requests(session.id)
}
