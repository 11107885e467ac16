/** This month's budgets: what the settings of the user and of projects name, and how spending stands to it. */
import 'server-only'
import type { Store } from '@cairn/core'
import type { Insights, MonthlyBudget } from '@cairn/core/insights'
import { monthlyLimits } from '@cairn/core/node'
import { serverSurroundings } from '../../store/surroundings.ts'

/**
 * Returns the budget of all projects together, then those of projects, from the settings files of the user and of the
 * projects, which are read again each time; empty if none is set. Rejects as the store does.
 */
export const monthlyBudgets = async (
  { usage }: Pick<Store, 'usage'>,
  insights: Pick<Insights, 'budgets'>,
  timeZone: string,
): Promise<readonly MonthlyBudget[]> => {
  const { rows } = await usage.report({ by: 'workspace' })
  const projects = rows.map(({ key }) => key)
  return insights.budgets({ timeZone, limits: monthlyLimits(serverSurroundings(), projects) })
}
