/** Asks the store what the overview shows. All sums are the store's own. */
import type { UsageQuery, UsageReport, UsageStorage } from '@cairn/core'
import { localDay, periodStart } from './period.ts'
import type { Period } from './selection.ts'

export interface OverviewQuery {
  readonly period: Period
  /** IANA name. */
  readonly timeZone: string
  /** ms */
  readonly now: number
}

export interface OverviewReports {
  readonly byDay: UsageReport
  readonly byModel: UsageReport
  readonly byProject: UsageReport
  /** First day of the period, undefined for all of time; days since 1970-01-01. */
  readonly firstDay: number | undefined
  readonly today: number
}

/** How often to ask again when an import got in between two reports. */
const ATTEMPTS = 3

const isSameTotal = (left: UsageReport, right: UsageReport): boolean => left.total.requests === right.total.requests && left.total.costNano === right.total.costNano && left.total.outputTokens === right.total.outputTokens

/**
 * The three reports of the overview over the same requests, so that their totals agree.
 * @throws CairnError `usage` for an unknown zone.
 */
export const overviewReports = async (usage: Pick<UsageStorage, 'report'>, { period, timeZone, now }: OverviewQuery): Promise<OverviewReports> => {
  const start = periodStart(period, timeZone, now)
  const range: Omit<UsageQuery, 'by'> = { timeZone, ...(start === undefined ? {} : { since: start.at }) }
  for (let attempt = 1; ; attempt += 1) {
    const [byDay, byModel, byProject] = await Promise.all([usage.report({ ...range, by: 'day' }), usage.report({ ...range, by: 'model' }), usage.report({ ...range, by: 'workspace' })])
    if (attempt === ATTEMPTS || (isSameTotal(byDay, byModel) && isSameTotal(byDay, byProject))) {
      return { byDay, byModel, byProject, firstDay: start?.day, today: localDay(timeZone, now) }
    }
  }
}
