/** What an engine tells of where the money goes. */
import type { UsageQuery } from '../ports/usage-storage.ts'
import type { ActiveDays } from './active-days.ts'
import type { CommitCosts, CommitQuery } from './commit-costs.ts'
import type { ChangeQuery, CostChange } from './cost-change.ts'
import type { LeakQuery, LeakReport } from './leaks.ts'
import type { LiveQuery, LiveSessions } from './live.ts'
import type { SessionOutline } from './outline.ts'
import type { PaidQuery, PaidReport } from './paid.ts'
import type { BudgetsQuery, MonthlyBudget, SpendingQuery, SpendingReport } from './spending.ts'

export interface Insights {
  /**
   * The leaks of the requests that a query asks for. What was found in a session is kept in the store until the session
   * grows. Rejects with `invalid-input` for a query that can't be used.
   */
  leaks(query?: LeakQuery): Promise<LeakReport>
  /**
   * A session as turns with what each cost; its totals add up to the session's. Empty for a session without entries and
   * requests, or an unknown one.
   */
  outline(sessionId: string): Promise<SessionOutline>
  /**
   * The sessions that were written to in the last `LIVE_MS`, and how each stands. Rejects with `invalid-input` for a limit
   * that can't be used, `usage` for an unknown zone.
   */
  live(query?: LiveQuery): Promise<LiveSessions>
  /** How spending goes on. Rejects with `invalid-input` for a query that can't be used, `usage` for an unknown zone. */
  spending(query?: SpendingQuery): Promise<SpendingReport>
  /**
   * How this month's spending stands to each limit, in their order. Rejects with `invalid-input` for a limit that can't be
   * used, `usage` for an unknown zone.
   */
  budgets(query: BudgetsQuery): Promise<readonly MonthlyBudget[]>
  /**
   * What is paid by the given plans, beside what the same requests cost at API prices. Rejects with `invalid-input` for a
   * query that can't be used, `usage` for an unknown zone.
   */
  paid(query: PaidQuery): Promise<PaidReport>
  /** What a day with requests costs. Rejects with `invalid-input` for a query that can't be used. */
  activeDays(query: Omit<UsageQuery, 'by' | 'limit'>): Promise<ActiveDays>
  /** What the commits of a branch cost. Rejects with `invalid-input` for a query that can't be used. */
  commits(query: CommitQuery): Promise<CommitCosts>
  /** How cost changed from one time to another, and what moved it most. */
  change(query: ChangeQuery): Promise<CostChange>
}
