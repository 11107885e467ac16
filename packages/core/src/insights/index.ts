/** `@cairn/core/insights`: what a report of the engine's insights holds. */
export type { Insights } from './insights.ts'
export type {
  Budget,
  BudgetState,
  BudgetsQuery,
  Forecast,
  MonthlyBudget,
  MonthlyLimit,
  SpendingQuery,
  SpendingReport,
  UnusualDay,
  UnusualSession,
  UsageBlock,
} from './spending.ts'
export type { Certainty, Leak, LeakExample, LeakKind, LeakQuery, LeakReport } from './leaks.ts'
export type {
  OutlineMark,
  OutlineMarkKind,
  OutlineRequest,
  OutlineSubagent,
  OutlineTurn,
  SessionOutline,
} from './outline.ts'
