/** This month's budgets that the settings name: of all projects, and of the window's. */
import type { MonthlyBudget } from '@cairn/core/insights'
import { monthlyLimits } from '@cairn/core/node'
import type { WindowEngine } from '../store/window-engine.ts'
import type { WindowStore } from '../store/window-store.ts'

/** What budgets are read from. */
export interface BudgetDeps {
  readonly store: Pick<WindowStore, 'surroundings'>
  readonly engine: Pick<WindowEngine, 'engine'>
  /** IANA name; where months begin. */
  readonly timeZone: string
}

/**
 * Returns the state of the monthly budgets of these projects, and of all projects; empty if no setting names one, and
 * then no engine is loaded. Rejects as the store does.
 */
export const readBudgets = async (
  { store, engine, timeZone }: BudgetDeps,
  projects: readonly string[],
): Promise<readonly MonthlyBudget[]> => {
  const surroundings = store.surroundings()
  // Without a folder none is trusted, and the settings of none are read.
  const limits = monthlyLimits(surroundings, surroundings.folder === undefined ? [] : projects)
  const loaded = limits.length === 0 ? undefined : await engine.engine()
  return loaded === undefined ? [] : loaded.insights.budgets({ limits, timeZone })
}
