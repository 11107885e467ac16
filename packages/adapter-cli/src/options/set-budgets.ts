/** The budgets of this month that settings name. */
import type { Engine } from '@cairn/core'
import type { MonthlyBudget } from '@cairn/core/insights'
import { monthlyLimits } from '@cairn/core/node'
import type { Context } from '../command.ts'

export interface SetBudgets {
  /** Of all projects and of each, or of the projects that a path or name means. */
  readonly budgets: readonly MonthlyBudget[]
  /** What the requests that are asked for may cost in a month, USD; undefined where no setting says so. */
  readonly limitUsd: number | undefined
}

/** The budgets that the settings name: the user's own for all projects together, a project's for that project. */
export const setBudgets = async (
  workspace: string | undefined,
  timeZone: string,
  engine: Engine,
  { surroundings }: Pick<Context, 'surroundings'>,
): Promise<SetBudgets> => {
  const ofProject = workspace === undefined ? {} : { filter: { workspace } }
  const { rows } = await engine.usage.report({ by: 'workspace', ...ofProject })
  // One without any request has its budget, too.
  const known = [...rows.map(({ key }) => key), ...(workspace === undefined ? [] : [workspace])]
  const limits = monthlyLimits(surroundings, known)
  const asked = limits.filter(({ project }) => workspace === undefined || project !== null)
  const budgets = await engine.insights.budgets({ timeZone, limits: asked })
  const own = asked.find(({ project }) => (project === null) === (workspace === undefined))
  // Projects of one name are summed: the budget of one of them is not that of all.
  return { budgets, limitUsd: workspace !== undefined && rows.length > 1 ? undefined : own?.limitUsd }
}
