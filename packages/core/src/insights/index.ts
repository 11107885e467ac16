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
export type { PaidPart, PaidQuery, PaidReport, PaidRow, ProjectPlans } from './paid.ts'
export { parseDiscounts, parseSubscriptions } from '../usage/plans.ts'
export type { Discount, PlanProblem, Plans, Subscription } from '../usage/plans.ts'
export type { AskedProject, ProjectFilter } from './project-filter.ts'
export type { BreakCause, CauseCertainty } from './break-causes.ts'
export type { Certainty, Leak, LeakCause, LeakExample, LeakKind, LeakQuery, LeakReport } from './leaks.ts'
export type {
  OutlineMark,
  OutlineMarkKind,
  OutlineRequest,
  OutlineSubagent,
  OutlineTurn,
  SessionOutline,
} from './outline.ts'
export { LIVE_MS } from './live.ts'
export type { LiveActivity, LiveCache, LiveCall, LiveContext, LiveQuery, LiveSession, LiveSessions } from './live.ts'
export type { ActiveDays } from './active-days.ts'
export type { CommitCosts, CommitQuery, CommitRow } from './commit-costs.ts'
export { CHANGE_DIMENSIONS } from './cost-change.ts'
export type { ChangeDimension, ChangeQuery, CostChange, Mover, Movers } from './cost-change.ts'
export { spanBefore } from './range-before.ts'
export type { TimeSpan } from './range-before.ts'
