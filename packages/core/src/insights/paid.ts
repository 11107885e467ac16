/**
 * What is paid, beside what requests would cost at API prices. The two are never added up: a request that a
 * subscription covers has no price of its own.
 */
import type { NanoUsd } from '../money.ts'
import type { UsageQuery } from '../ports/usage-storage.ts'
import type { Plans } from '../usage/plans.ts'

/** The plans of one settings file: the user's own for all projects, or a project's for its requests. */
export interface ProjectPlans extends Plans {
  /** A project by its path; null: all projects that have none of their own for a provider. */
  readonly project: string | null
}

export interface PaidQuery extends Pick<UsageQuery, 'since' | 'until' | 'filter'> {
  /** IANA name; where days begin. Default UTC. */
  readonly timeZone?: string
  readonly plans: readonly ProjectPlans[]
}

/** Requests that are paid in the same way. */
interface PaidFigures {
  readonly requests: number
  /** Requests without a known price, which neither figure contains. */
  readonly unpricedRequests: number
  /** What they cost at API prices. */
  readonly equivalentNano: NanoUsd
  /** What is paid for them; null where they are only a part of what a subscription is paid for. */
  readonly paidNano: NanoUsd | null
}

interface PlanFigures extends PaidFigures {
  /** Of the settings that name the plan; null: the user's own. */
  readonly project: string | null
  /** First and last day, `2026-01-31`; null: open. */
  readonly since: string | null
  readonly until: string | null
}

export type PaidPart =
  | (PlanFigures & {
      readonly kind: 'subscription'
      readonly name: string
      readonly monthlyNano: NanoUsd
      /** Days of the period that are paid for; today counts as a whole one. */
      readonly days: number
    })
  | (PlanFigures & { readonly kind: 'discount'; readonly percent: number })
  /** At API prices. */
  | (PaidFigures & { readonly kind: 'pay-as-you-go' })

/** How what is paid differs from API prices. */
interface PaidSum extends PaidFigures {
  /** What API prices are above what is paid: negative where more is paid; null where `paidNano` is. */
  readonly savedNano: NanoUsd | null
}

export interface PaidRow extends PaidSum {
  /** As price lists call it; `unknown` where nothing tells it. */
  readonly provider: string
  readonly parts: readonly PaidPart[]
}

export interface PaidReport {
  /** Those with the highest cost at API prices first. */
  readonly rows: readonly PaidRow[]
  readonly total: PaidSum
}
