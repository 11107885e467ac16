/** Asks the store what the overview shows. All sums are the store's own. */
import type { UsageReport, UsageStorage } from '@cairn/core'
import { selectedUsage } from './selection-input.ts'
import type { SelectionInput } from './selection-input.ts'
import type { Span } from './period.ts'

export interface OverviewReports {
  readonly byDay: UsageReport
  readonly byModel: UsageReport
  readonly byProject: UsageReport
  readonly byBranch: UsageReport
  readonly byAgent: UsageReport
  readonly span: Span
}

/** Rows of each table; one more is asked for to know whether there are more. */
export const TOP_ROWS = 8

/** How often to ask again when an import got in between two reports. */
const ATTEMPTS = 3

const isSameTotal = (left: UsageReport, right: UsageReport): boolean =>
  left.total.requests === right.total.requests && left.total.costNano === right.total.costNano && left.total.outputTokens === right.total.outputTokens

/**
 * The reports of the overview over the same requests, so that their totals agree.
 * @param now ms
 * @throws CairnError `usage` for an unknown zone.
 */
export const overviewReports = async (usage: Pick<UsageStorage, 'report'>, selection: SelectionInput, now: number): Promise<OverviewReports> => {
  const { query, span } = selectedUsage(selection, now)
  const top = { ...query, limit: TOP_ROWS + 1 }
  for (let attempt = 1; ; attempt += 1) {
    const [byDay, byModel, byProject, byBranch, byAgent] = await Promise.all([
      usage.report({ ...query, by: 'day' }),
      usage.report({ ...top, by: 'model' }),
      usage.report({ ...top, by: 'workspace' }),
      usage.report({ ...top, by: 'branch' }),
      usage.report({ ...top, by: 'agent' }),
    ])
    if (attempt === ATTEMPTS || [byModel, byProject, byBranch, byAgent].every((report) => isSameTotal(byDay, report))) return { byDay, byModel, byProject, byBranch, byAgent, span }
  }
}
