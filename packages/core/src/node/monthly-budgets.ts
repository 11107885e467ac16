/**
 * What a month may cost by the settings: the user's own `budget.month` is for all projects together, a project's for that
 * project. A file that can't be read, or holds another kind of value, names no budget.
 */
import type { MonthlyLimit } from '../insights/spending.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { settingsByProject } from './settings-by-project.ts'
import type { Surroundings } from './settings-paths.ts'

/**
 * The budgets that are set: first that of all projects, then those of projects, in the order in which these are given,
 * each once. Never throws: a settings file that is missing, damaged or larger than 1 MB, or a value that is no number
 * above 0, is no budget.
 * @param projects paths as the store has them; one that is no absolute path of this machine has none
 */
export const monthlyLimits = (surroundings: Surroundings, projects: readonly string[]): readonly MonthlyLimit[] =>
  settingsByProject(surroundings, projects).flatMap(({ project, settings }) => {
    const limitUsd = budgetIn(settings)
    return limitUsd === undefined ? [] : [{ project, limitUsd }]
  })

/** `budget.month` of a settings file, USD above 0; undefined where there is none. */
const budgetIn = ({ budget }: JsonObject): number | undefined => {
  const month = isJsonObject(budget) ? budget['month'] : undefined
  return typeof month === 'number' && month > 0 && Number.isFinite(month) ? month : undefined
}
