/** Budgets as the pages show them, the one that needs attention most first. */
import { formatUsd, usdFromNano } from '@cairn/core'
import type { BudgetState, MonthlyBudget } from '@cairn/core/insights'

/** How a budget stands, whichever project its folder belongs to. */
export interface BudgetFigures {
  /** Null: all projects together. */
  readonly project: string | null
  readonly state: BudgetState
  /** What the state means, in a few words. */
  readonly word: string
  /** `2026-01`. */
  readonly month: string
  readonly spent: string
  readonly limit: string
  /** Of the limit, `12.3%`; more than `100%` where it is exceeded. */
  readonly percent: string
  /** `~$38.00 by the end of the month`, or that too few days tell it. */
  readonly forecast: string
  /** Of the limit, 0 to 1; what is beyond it counts as 1. */
  readonly spentShare: number
  /** The same of the forecast; null without one. */
  readonly forecastShare: number | null
}

/** A budget's figures, with its project as filters name it. */
export interface BudgetView extends BudgetFigures {
  /** The project that this folder belongs to, as filters have it. */
  readonly key: string | null
}

const WORDS: Readonly<Record<BudgetState, string>> = {
  ok: 'Within budget',
  warning: 'Budget at risk',
  exceeded: 'Over budget',
}

const URGENCY: Readonly<Record<BudgetState, number>> = { exceeded: 0, warning: 1, ok: 2 }

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

const TOO_FEW_DAYS = 'too few days to tell the end of the month'

/** The part of a budget's limit that is spent, above 1 beyond it. */
const usedPart = ({ limitNano, forecast }: MonthlyBudget): number =>
  usdFromNano(forecast.spentNano) / usdFromNano(limitNano)

/**
 * Returns a budget's figures as the pages show them. Shares are 0 to 1, also above the limit; `forecastShare` is null
 * after too few days.
 */
export const budgetFigures = (budget: MonthlyBudget): BudgetFigures => {
  const { project, state, limitNano, forecast } = budget
  const { month, spentNano, totalNano } = forecast
  const shareOf = (nano: bigint): number => Math.min(1, usdFromNano(nano) / usdFromNano(limitNano))
  return {
    project,
    state,
    word: WORDS[state],
    month,
    spent: formatUsd(spentNano),
    limit: formatUsd(limitNano),
    percent: percent.format(usedPart(budget)),
    forecast: totalNano === null ? TOO_FEW_DAYS : `~${formatUsd(totalNano)} by the end of the month`,
    spentShare: shareOf(spentNano),
    forecastShare: totalNano === null ? null : shareOf(totalNano),
  }
}

/**
 * Returns all budgets: exceeded ones first, then those at risk, then the rest, of each the most used first.
 * @param projects the project of each folder
 */
export const budgetsView = (
  budgets: readonly MonthlyBudget[],
  projects: ReadonlyMap<string, string>,
): readonly BudgetView[] =>
  budgets
    .toSorted((left, right) => URGENCY[left.state] - URGENCY[right.state] || usedPart(right) - usedPart(left))
    .map((budget): BudgetView => {
      const { project } = budget
      return { ...budgetFigures(budget), key: project === null ? null : (projects.get(project) ?? project) }
    })

/** Whether a budget is that of a project, which filters name by its key, a folder or its name. */
const isOf = ({ project, key }: BudgetView, wanted: string): boolean =>
  [project, key].some((name) => name !== null && (name === wanted || name.split(/[\\/]/).findLast(Boolean) === wanted))

/** Returns the budgets of the selected project; all if none is selected. */
export const selectedBudgets = (budgets: readonly BudgetView[], project: string | undefined): readonly BudgetView[] =>
  project === undefined ? budgets : budgets.filter((budget) => isOf(budget, project))

/**
 * Returns the budgets that every page's head stands for: those of the selected project, or where it has none, that of all
 * projects together, which it counts to; all if no project is selected.
 */
export const headBudgets = (budgets: readonly BudgetView[], project: string | undefined): readonly BudgetView[] => {
  const selected = selectedBudgets(budgets, project)
  return selected.length > 0 ? selected : budgets.filter((budget) => budget.project === null)
}
