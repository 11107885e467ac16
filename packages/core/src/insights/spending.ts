/** How spending goes on: the month's forecast against a budget, days and sessions that stand out, spans of five hours. */
import type { ProjectFilter } from './project-filter.ts'

/** `ok`; `warning`: the forecast is above it, never without one; `exceeded`: more than it was spent. */
export type BudgetState = 'ok' | 'warning' | 'exceeded'

export interface Budget {
  readonly limitNano: bigint
  readonly state: BudgetState
}

/** What a month may cost. */
export interface MonthlyLimit {
  /** A project by its path; null: all projects together. */
  readonly project: string | null
  /** Above 0. */
  readonly limitUsd: number
}

/** A budget of this month, with how the spending that it is about goes on. */
export interface MonthlyBudget extends Budget {
  /** As in its limit. */
  readonly project: string | null
  readonly forecast: Forecast
}

/** A month so far, and what it will have cost when it ends if the days left are like those so far. */
export type Forecast = MonthSoFar & (Outlook | NoOutlook)

interface MonthSoFar {
  /** `2026-01`. */
  readonly month: string
  /** Up to now. */
  readonly spentNano: bigint
  /** Days that have not begun yet. */
  readonly daysLeft: number
  /** Days with requests that a forecast stands on: those before today, or today alone where there were none. */
  readonly activeDays: number
}

/** An estimate. */
interface Outlook {
  readonly isUncertain: false
  /** The mean of all days since the first one, of at most `FORECAST_DAYS`. */
  readonly perDayNano: bigint
  readonly totalNano: bigint
  /** Four of five months like this one end between these. */
  readonly lowNano: bigint
  readonly highNano: bigint
}

/** Fewer active days than `LEAST_FORECAST_DAYS` tell nothing of those to come. */
interface NoOutlook {
  readonly isUncertain: true
  readonly perDayNano: null
  readonly totalNano: null
  readonly lowNano: null
  readonly highNano: null
}

/** A day that cost more than three times the median of the 14 active days before, and more than any of them. */
export interface UnusualDay {
  /** `2026-01-31`. */
  readonly day: string
  readonly costNano: bigint
  readonly medianNano: bigint
}

/** A session that cost more than five times the median of the 50 before. */
export interface UnusualSession {
  readonly sessionId: string
  readonly title: string | null
  /** When it was last active, ms; null where not known. */
  readonly at: number | null
  readonly costNano: bigint
  readonly medianNano: bigint
}

/** Requests within five hours, as subscriptions count them: from the full UTC hour of the first. */
export interface UsageBlock {
  /** ms; it ends five hours later. */
  readonly start: number
  readonly firstAt: number
  readonly lastAt: number
  readonly requests: number
  readonly tokens: number
  readonly costNano: bigint
  /** It has not ended, and its last request is less than five hours old. */
  readonly isActive: boolean
  /** Between its first and its last request; null where these are less than ten minutes apart. */
  readonly burn: { readonly costNanoPerHour: bigint; readonly tokensPerMinute: number } | null
}

export interface SpendingQuery extends ProjectFilter {
  /** IANA name; where days and months begin. Default UTC. */
  readonly timeZone?: string
  /** What a month may cost, USD. */
  readonly monthlyBudgetUsd?: number
}

export interface SpendingReport {
  readonly forecast: Forecast
  /** Absent where none was given. */
  readonly budget?: Budget
  /** Of the last 31 days, the newest first. */
  readonly unusualDays: readonly UnusualDay[]
  /** Of the last 50 sessions, as far as they were active in the last 31 days, the newest first. */
  readonly unusualSessions: readonly UnusualSession[]
  /** Those of the last day, the newest first. */
  readonly blocks: readonly UsageBlock[]
}

export interface BudgetsQuery {
  readonly limits: readonly MonthlyLimit[]
  /** IANA name; where months begin. Default UTC. */
  readonly timeZone?: string
}
