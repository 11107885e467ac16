/** Asks the store what the overview shows. All sums are the store's own. */
import { unpricedModels } from '@cairn/core'
import type { UnpricedModels, UsageReport, UsageStorage, UsageTotals } from '@cairn/core'
import { hourSums } from './hours.ts'
import type { HourSum } from './hours.ts'
import { dayStart, previousSpan } from '../selection/period.ts'
import type { PreviousSpan, Span } from '../selection/period.ts'
import { selectedUsage } from '../selection/selection-input.ts'
import type { SelectedUsage, SelectionInput } from '../selection/selection-input.ts'

/** What the overview asks of the store. */
export interface OverviewReports {
  readonly byDay: UsageReport
  readonly byModel: UsageReport
  readonly byProject: UsageReport
  readonly byBranch: UsageReport
  readonly byAgent: UsageReport
  readonly span: Span
  readonly timeZone: string
  /** Of a single day. */
  readonly byHour?: readonly HourSum[] | undefined
  /** What the period is compared with. */
  readonly previous?: { readonly span: PreviousSpan; readonly total: UsageTotals } | undefined
  /** The models of requests without a cost. */
  readonly unpriced: UnpricedModels
  /** What carries a time after today; undefined for a period that ended before. */
  readonly future?: UsageTotals | undefined
}

/** Rows of each table; one more is asked for to know whether there are more. */
export const TOP_ROWS = 8

/** How often to ask when an import got in between two reports. */
const ATTEMPTS = 3
/** After so long nobody waits for another attempt, ms: a large store that is always written to is never still. */
const PATIENCE_MS = 200

/** Whether two reports have the same sums, as far as these are compared. */
const isSameTotal = (left: UsageReport, right: UsageReport): boolean =>
  left.total.requests === right.total.requests &&
  left.total.costNano === right.total.costNano &&
  left.total.outputTokens === right.total.outputTokens

/** What of the store is used here. */
type Usage = Pick<UsageStorage, 'report'>

/** Returns the sum alone: of all groupings, that by agent has the fewest rows. */
const totalOf = async (usage: Usage, query: SelectedUsage): Promise<UsageTotals> =>
  (await usage.report({ ...query, by: 'agent', limit: 1 })).total

/** What a period is compared with; undefined where there is none before it. */
const previousTotal = async (
  usage: Usage,
  query: SelectedUsage,
  span: PreviousSpan | undefined,
): Promise<OverviewReports['previous']> =>
  span === undefined
    ? undefined
    : { span, total: await totalOf(usage, { ...query, since: span.since, until: span.until }) }

/**
 * The reports of the overview over the same requests, so that their totals agree; made again while the store changes,
 * up to `ATTEMPTS` times in `PATIENCE_MS`. After that they differ by what was written while they were made. By hour for
 * a single whole day; `previous` is undefined where there is no period to compare with.
 * @param now ms
 * @throws CairnError `usage` for an unknown zone.
 */
export const overviewReports = async (
  usage: Usage,
  selection: SelectionInput,
  now: number,
): Promise<OverviewReports> => {
  const startedAt = performance.now()
  const { query, span } = selectedUsage(selection, now)
  const { timeZone } = selection
  const top = { ...query, limit: TOP_ROWS + 1 }
  const { since: _since, until: _until, ...anyTime } = query
  const before = previousSpan(span, timeZone, now)
  const tomorrow = dayStart(timeZone, span.today + 1)
  const isUntilNow = span.until === tomorrow || (span.until === undefined && (span.firstDay ?? 0) <= span.today)
  const others = Promise.all([
    previousTotal(usage, anyTime, before),
    isUntilNow ? totalOf(usage, { ...anyTime, since: tomorrow }) : undefined,
    unpricedModels(usage, query, now),
  ])
  // Whoever awaits them hears of it; nobody does where a report fails before.
  others.catch(() => undefined)
  for (let attempt = 1; ; attempt += 1) {
    const [byDay, byModel, byProject, byBranch, byAgent, byHour] = await Promise.all([
      usage.report({ ...query, by: 'day' }),
      usage.report({ ...top, by: 'model' }),
      usage.report({ ...top, by: 'project' }),
      usage.report({ ...top, by: 'branch' }),
      usage.report({ ...top, by: 'agent' }),
      span.since !== undefined &&
      span.until !== undefined &&
      span.firstDay === span.lastDay &&
      span.until === dayStart(timeZone, span.lastDay + 1)
        ? hourSums(usage, query, span.since, span.until)
        : undefined,
    ])
    const isWhole =
      byHour === undefined ||
      byHour.reduce((requests, { totals }) => requests + totals.requests, 0) === byDay.total.requests
    if (
      attempt === ATTEMPTS ||
      performance.now() - startedAt > PATIENCE_MS ||
      (isWhole && [byModel, byProject, byBranch, byAgent].every((report) => isSameTotal(byDay, report)))
    ) {
      const [previous, future, unpriced] = await others
      return { byDay, byModel, byProject, byBranch, byAgent, span, timeZone, byHour, previous, future, unpriced }
    }
  }
}
