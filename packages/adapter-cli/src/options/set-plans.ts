/** The subscriptions and discounts that settings name. */
import type { Engine, UsageQuery } from '@cairn/core'
import type { PaidReport, ProjectPlans } from '@cairn/core/insights'
import { projectPlans } from '@cairn/core/node'
import type { Context } from '../command.ts'
import { definedValues } from './defined-values.ts'

/** Returns the plans of all projects, and of those that the filter leaves. Rejects as the store does. */
const setPlans = async (
  { workspace, project }: NonNullable<UsageQuery['filter']>,
  engine: Engine,
  { surroundings }: Pick<Context, 'surroundings'>,
): Promise<readonly ProjectPlans[]> => {
  const { rows } = await engine.usage.report({ by: 'workspace', filter: definedValues({ workspace, project }) })
  // One without any request has its plans, too.
  const known = [...rows.map(({ key }) => key), ...(workspace === undefined ? [] : [workspace])]
  return projectPlans(surroundings, known)
}

/** What is paid for the requests of a query; undefined where no subscription or discount is set. */
export const paidFor = async (
  { since, until, timeZone, filter = {} }: Omit<UsageQuery, 'by'>,
  engine: Engine,
  context: Pick<Context, 'surroundings'>,
): Promise<PaidReport | undefined> => {
  const plans = await setPlans(filter, engine, context)
  if (plans.length === 0) return undefined
  return engine.insights.paid({ ...definedValues({ since, until, timeZone }), filter, plans })
}
