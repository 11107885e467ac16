/** The order of a report's rows, and which of them a limit keeps. */
import { isUsagePeriod, type UsageGrouping, type UsageRow } from '../ports/usage-storage.ts'
import { UNKNOWN_KEY } from './calendar.ts'

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** Oldest first; what has no time comes last. */
const byTime = (left: UsageRow, right: UsageRow): number =>
  left.key === right.key
    ? 0
    : left.key === UNKNOWN_KEY
      ? 1
      : right.key === UNKNOWN_KEY
        ? -1
        : compareText(left.key, right.key)

/** Most expensive first, then most requests, then by key. */
const byCost = (left: UsageRow, right: UsageRow): number => {
  if (left.costNano !== right.costNano) return left.costNano > right.costNano ? -1 : 1
  return right.requests - left.requests || compareText(left.key, right.key)
}

/**
 * The rows in a report's order, as a new list: periods oldest first (the one of no time last), of which the last
 * `limit` are kept; any others most expensive first, of which the first are. Without `limit` all.
 */
export const orderedRows = (
  rows: readonly UsageRow[],
  { by, limit = rows.length }: { readonly by: UsageGrouping; readonly limit?: number | undefined },
): readonly UsageRow[] => {
  if (!isUsagePeriod(by)) return rows.toSorted(byCost).slice(0, limit)
  return rows.toSorted(byTime).slice(Math.max(0, rows.length - limit))
}
