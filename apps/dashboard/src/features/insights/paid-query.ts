/** What is paid for the selected requests, by the subscriptions and discounts that settings name. */
import 'server-only'
import type { Store } from '@cairn/core'
import type { Insights, PaidReport } from '@cairn/core/insights'
import { projectPlans } from '@cairn/core/node'
import { serverSurroundings } from '../../store/surroundings.ts'
import type { SelectedUsage } from '../selection/selection-input.ts'

/** Null where nothing is set. Files are read again each time. Rejects as the store does. */
export const paidOfSelection = async (
  { usage }: Pick<Store, 'usage'>,
  insights: Pick<Insights, 'paid'>,
  query: SelectedUsage,
): Promise<PaidReport | null> => {
  const project = query.filter?.project
  const { rows } = await usage.report({ by: 'workspace', ...(project === undefined ? {} : { filter: { project } }) })
  const folders = rows.map(({ key }) => key)
  const plans = projectPlans(serverSurroundings(), folders)
  return plans.length === 0 ? null : insights.paid({ ...query, plans })
}
