/** What subscriptions and discounts make of the costs of requests. All pure. */
import type { NanoUsd } from '../money.ts'
import type { ProviderSum } from '../ports/usage-storage.ts'
import { DAY_MS, dayKey } from '../usage/calendar.ts'
import { isOn, type Discount, type Subscription } from '../usage/plans.ts'
import { providerOfRequest } from '../usage/request-provider.ts'
import type { PaidPart, PaidReport, PaidRow, ProjectPlans } from './paid.ts'

/** Days by their number: from `first` on, before `end`. */
export interface DaySpan {
  readonly first: number
  readonly end: number
}

/** Whose subscriptions are paid for exactly the requests that are summed: everybody's, those of projects, or nobody's. */
export type PaidScope = 'all' | 'projects' | 'none'

export interface PaidInput {
  readonly sums: readonly ProviderSum[]
  /** The day that each span begins with, by its number; −∞ where it has no beginning. */
  readonly dayOfSpan: (span: number) => number
  readonly plans: readonly ProjectPlans[]
  /** The days of the period; what a subscription began before is not paid again. `first` −∞: since each began. */
  readonly period: DaySpan
  readonly scope: PaidScope
}

/** The first day of the month that a day is in, and of the next. Day numbers; `end` is the next month's first. */
const monthOf = (day: number): DaySpan => {
  const date = new Date(day * DAY_MS)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { first: Date.UTC(year, month, 1) / DAY_MS, end: Date.UTC(year, month + 1, 1) / DAY_MS }
}

const rounded = (amount: bigint, divisor: bigint): bigint => (2n * amount + divisor) / (2n * divisor)

/**
 * What days of a monthly price cost: each day the same part of its month. Rounded so that the days of a whole month are
 * exactly its price, however they are cut.
 */
export const proRated = (monthlyNano: NanoUsd, { first, end }: DaySpan): NanoUsd => {
  let sum = 0n
  for (let day = first; day < end;) {
    const month = monthOf(day)
    const upTo = (until: number): bigint =>
      rounded(monthlyNano * BigInt(until - month.first), BigInt(month.end - month.first))
    const stop = Math.min(end, month.end)
    sum += upTo(stop) - upTo(day)
    day = stop
  }
  return sum
}

/** A millionth of a percent is the smallest part of a discount that counts. */
const PERCENT_PARTS = 1_000_000

/** A cost with a discount in percent, rounded to whole nano-USD. */
export const discounted = (costNano: NanoUsd, percent: number): NanoUsd => {
  const whole = BigInt(100 * PERCENT_PARTS)
  return rounded(costNano * (whole - BigInt(Math.round(percent * PERCENT_PARTS))), whole)
}

/**
 * The days of a period on which a subscription is paid for: day numbers, `end` excluded. Empty if it is paid for on
 * none.
 */
const daysOf = ({ firstDay, lastDay }: Subscription, period: DaySpan): DaySpan => {
  const first = Math.max(firstDay, period.first)
  return { first, end: Math.max(first, Math.min(lastDay === null ? period.end : lastDay + 1, period.end)) }
}

const includes = (names: readonly string[] | null, name: string | null): boolean =>
  names === null || (name !== null && names.includes(name))

type Plan =
  | { readonly kind: 'subscription'; readonly of: Subscription; readonly project: string | null }
  | { readonly kind: 'discount'; readonly of: Discount; readonly project: string | null }

interface Sums {
  requests: number
  unpricedRequests: number
  equivalentNano: NanoUsd
}

/**
 * All plans, and `of`: those that count for a project and provider. A project's own replace the user's for a provider
 * that they name; none where neither has any.
 */
const plansOf = (plans: readonly ProjectPlans[]) => {
  const byKey = new Map<string, Plan[]>()
  const key = (project: string | null, provider: string): string => JSON.stringify([project, provider])
  const add = (plan: Plan): void => {
    const at = key(plan.project, plan.of.provider)
    byKey.set(at, [...(byKey.get(at) ?? []), plan])
  }
  for (const { project, subscriptions, discounts } of plans) {
    for (const of of subscriptions) add({ kind: 'subscription', of, project })
    for (const of of discounts) add({ kind: 'discount', of, project })
  }
  return {
    all: [...byKey.values()].flat(),
    of: (workspace: string | null, provider: string): readonly Plan[] =>
      (workspace === null ? undefined : byKey.get(key(workspace, provider))) ?? byKey.get(key(null, provider)) ?? [],
  }
}

/**
 * The plan that a sum's requests of a day are paid by: the first that fits, a subscription before a discount;
 * undefined: pay-as-you-go.
 */
const planOf = (sum: ProviderSum, plans: readonly Plan[], day: number | undefined): Plan | undefined =>
  plans.find(
    ({ kind, of }) =>
      isOn(of, day) &&
      includes(of.agents, sum.agent) &&
      (kind === 'discount' || (includes(of.people, sum.person) && includes(of.machines, sum.machine))),
  )

/** Whether a subscription is paid for exactly the requests that are summed. */
const isPaidFor = ({ project }: Plan, scope: PaidScope): boolean =>
  scope === 'all' || (scope === 'projects' && project !== null)

/** By plan; undefined: pay-as-you-go. */
type SumsByPlan = Map<Plan | undefined, Sums>

/**
 * What is paid for requests, and what they would cost at API prices, by provider, the dearest first, each in parts by
 * plan. Subscriptions that are paid for in this scope are in it without requests, too. `paidNano` is null where a fee
 * can't be divided by this scope.
 */
export const paidReportOf = ({ sums, dayOfSpan, plans, period, scope }: PaidInput): PaidReport => {
  const known = plansOf(plans)
  const found = new Map<string, SumsByPlan>()
  const sumsAt = (provider: string, plan: Plan | undefined): Sums => {
    const ofProvider: SumsByPlan = found.get(provider) ?? new Map<Plan | undefined, Sums>()
    found.set(provider, ofProvider)
    const of = ofProvider.get(plan) ?? { requests: 0, unpricedRequests: 0, equivalentNano: 0n }
    ofProvider.set(plan, of)
    return of
  }
  // A subscription is paid for without requests, too.
  for (const plan of known.all)
    if (plan.kind === 'subscription' && isPaidFor(plan, scope) && dayCount(daysOf(plan.of, period)) > 0)
      sumsAt(plan.of.provider, plan)
  for (const sum of sums) {
    const provider = providerOfRequest(sum)
    const day = sum.span === null ? undefined : dayOfSpan(sum.span)
    const of = sumsAt(provider, planOf(sum, known.of(sum.workspace, provider), day))
    of.requests += sum.requests
    of.unpricedRequests += sum.unpricedRequests
    of.equivalentNano += sum.costNano
  }
  const rows = [...found].map(([provider, byPlan]): PaidRow => {
    const parts = [...byPlan].map(([plan, of]) => partOf(plan, of, period, scope))
    return { provider, ...sumOf(parts), parts: parts.toSorted(byKind) }
  })
  return { rows: rows.toSorted(dearestFirst), total: sumOf(rows) }
}

const dayCount = ({ first, end }: DaySpan): number => end - first

/**
 * The figures of the requests under one plan, with what was paid in the period, in nano-USD: a subscription's fee of
 * its days, null where `scope` takes only a part of what it covers; a discounted price; without a plan the price
 * itself.
 */
const partOf = (plan: Plan | undefined, sums: Sums, period: DaySpan, scope: PaidScope): PaidPart => {
  if (plan === undefined) return { kind: 'pay-as-you-go', ...sums, paidNano: sums.equivalentNano }
  const { project, of } = plan
  const between = {
    project,
    since: of.firstDay === null ? null : dayKey(of.firstDay),
    until: of.lastDay === null ? null : dayKey(of.lastDay),
  }
  if (plan.kind === 'discount') {
    const { percent } = plan.of
    return { kind: plan.kind, percent, ...between, ...sums, paidNano: discounted(sums.equivalentNano, percent) }
  }
  const { name, monthlyNano } = plan.of
  const days = daysOf(plan.of, period)
  const paidNano = isPaidFor(plan, scope) ? proRated(monthlyNano, days) : null
  return { kind: plan.kind, name, monthlyNano, days: dayCount(days), ...between, ...sums, paidNano }
}

/** The sums of all figures; `paidNano` and `savedNano` are null if any part is. */
const sumOf = (figures: readonly (Sums & { readonly paidNano: NanoUsd | null })[]): PaidReport['total'] => {
  const sum = { requests: 0, unpricedRequests: 0, equivalentNano: 0n }
  let paidNano: NanoUsd | null = 0n
  for (const { requests, unpricedRequests, equivalentNano, paidNano: paid } of figures) {
    sum.requests += requests
    sum.unpricedRequests += unpricedRequests
    sum.equivalentNano += equivalentNano
    paidNano = paidNano === null || paid === null ? null : paidNano + paid
  }
  return { ...sum, paidNano, savedNano: paidNano === null ? null : sum.equivalentNano - paidNano }
}

const KINDS: readonly PaidPart['kind'][] = ['subscription', 'discount', 'pay-as-you-go']

/** Orders parts by kind, then by their first day; those without one first. */
const byKind = (left: PaidPart, right: PaidPart): number => {
  const order = KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind)
  if (order !== 0 || !('since' in left && 'since' in right)) return order
  return compared(left.since ?? '', right.since ?? '')
}

/** Compares rows for sorting: by the cost at API prices, the dearest first, then by provider. */
const dearestFirst = (left: PaidRow, right: PaidRow): number =>
  left.equivalentNano === right.equivalentNano
    ? compared(left.provider, right.provider)
    : left.equivalentNano < right.equivalentNano
      ? 1
      : -1

const compared = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1)
