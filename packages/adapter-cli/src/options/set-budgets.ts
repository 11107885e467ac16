/** The budgets of this month that settings name. */
import type { Engine } from '@cairn/core'
import type { MonthlyBudget, ProjectFilter } from '@cairn/core/insights'
import { monthlyLimits } from '@cairn/core/node'
import type { Context } from '../command.ts'
import { definedValues } from './defined-values.ts'

/** The monthly budgets that apply. */
export interface SetBudgets {
  /** Of all projects and of each, or of the projects that a path or name means. */
  readonly budgets: readonly MonthlyBudget[]
  /** What the requests that are asked for may cost in a month, USD; undefined where no setting says so. */
  readonly limitUsd: number | undefined
}

/** Whether all projects are asked for. */
export const isAll = ({ workspace, project }: ProjectFilter): boolean =>
  workspace === undefined && project === undefined

/**
 * Returns the monthly budgets in the settings: the user's own for all projects together, a project's for that project.
 * `limitUsd` is that of all that is asked for together; undefined if none is set, or if several folders are summed.
 */
export const setBudgets = async (
  asked: ProjectFilter,
  timeZone: string,
  engine: Engine,
  { surroundings }: Pick<Context, 'surroundings'>,
): Promise<SetBudgets> => {
  const { workspace, project } = asked
  const filter = definedValues({ workspace, project: project?.key })
  const { rows } = await engine.usage.report({ by: 'workspace', filter })
  // One without any request has its budget, too.
  const known = [...rows.map(({ key }) => key), ...(workspace === undefined ? [] : [workspace])]
  const limits = monthlyLimits(surroundings, known)
  const meant = limits.filter((limit) => isAll(asked) || limit.project !== null)
  const budgets = await engine.insights.budgets({ timeZone, limits: meant })
  const own = meant.find((limit) => (limit.project === null) === isAll(asked))
  // Several folders are summed: the budget of one of them is not that of all.
  return { budgets, limitUsd: !isAll(asked) && rows.length > 1 ? undefined : own?.limitUsd }
}
