/**
 * What a month may cost by the settings: the user's own `budget.month` is for all projects together, a project's for that
 * project. Read again at each call, without a checker: a file that can't be read, or holds another kind of value, names no
 * budget; `cairn config` says what is wrong with it.
 */
import { readFileSync, statSync } from 'node:fs'
import type { MonthlyLimit } from '../insights/spending.ts'
import { isJsonObject } from '../json.ts'
import { pathsOf, userConfigPath, workspaceConfigPath, type Surroundings } from './settings-paths.ts'

/** No settings are larger, bytes. */
const LARGEST_FILE = 1_048_576

/**
 * The budgets that are set: first that of all projects, then those of projects, in the order in which these are given,
 * each once. Never throws: a settings file that is missing, damaged or larger than 1 MB, or a value that is no number
 * above 0, is no budget.
 * @param projects paths as the store has them; one that is no absolute path of this machine has none
 */
export const monthlyLimits = (surroundings: Surroundings, projects: readonly string[]): readonly MonthlyLimit[] => {
  const { platform } = surroundings
  const userFile = userConfigPath(surroundings)
  const ofAll = budgetIn(userFile)
  const limits: MonthlyLimit[] = ofAll === undefined ? [] : [{ project: null, limitUsd: ofAll }]
  for (const project of new Set(projects)) {
    // A store may hold paths of other machines; one of the network would be waited for.
    if (!pathsOf(platform).isAbsolute(project) || /^[\\/]{2}/.test(project)) continue
    const file = workspaceConfigPath(project, platform)
    const limitUsd = file === userFile ? undefined : budgetIn(file)
    if (limitUsd !== undefined) limits.push({ project, limitUsd })
  }
  return limits
}

/** `budget.month` of a settings file, USD above 0; undefined where there is none. */
const budgetIn = (file: string): number | undefined => {
  try {
    const facts = statSync(file, { throwIfNoEntry: false })
    // A pipe would be waited for.
    if (facts?.isFile() !== true || facts.size > LARGEST_FILE) return undefined
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
    const budget = isJsonObject(settings) ? settings['budget'] : undefined
    const month = isJsonObject(budget) ? budget['month'] : undefined
    return typeof month === 'number' && month > 0 && Number.isFinite(month) ? month : undefined
  } catch {
    return undefined
  }
}
