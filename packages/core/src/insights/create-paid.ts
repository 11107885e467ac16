/** Reads from the store what is paid for. */
import { assertName, assertObject, assertTimeOrAbsent, invalidInput } from '../input.ts'
import type { Clock } from '../ports/clock.ts'
import { MOST_BOUNDARIES, type UsageStorage } from '../ports/usage-storage.ts'
import { assertTimeZone, localDayOf, offsetAt, startOfLocalDay } from '../usage/calendar.ts'
import type { PaidQuery, PaidReport } from './paid.ts'
import { paidReportOf, type DaySpan, type PaidScope } from './paid-costs.ts'

export interface PaidDeps {
  readonly usage: Pick<UsageStorage, 'providerSums'>
  readonly clock: Clock
}

/**
 * What is paid for the requests of a query, beside their cost at API prices. Days that have not begun are not paid for.
 * @throws CairnError `invalid-input` for a query that can't be used, or if plans begin or end on too many days of the
 * period; `usage` for an unknown zone
 */
export const paidOf = async ({ usage, clock }: PaidDeps, query: PaidQuery): Promise<PaidReport> => {
  assertPaidQuery(query)
  const { since, until, filter = {}, timeZone = 'UTC', plans } = query
  const period = daysOf(query, timeZone, clock.now())
  const changes = changesOf(query)
    .map((day) => ({ day, at: startOfLocalDay(timeZone, day) }))
    .filter(({ at }) => at > (since ?? Number.NEGATIVE_INFINITY) && at < (until ?? Number.POSITIVE_INFINITY))
  if (changes.length > MOST_BOUNDARIES)
    throw invalidInput('The days of a period on which plans begin or end', `at most ${MOST_BOUNDARIES}`, changes.length)
  const sums = await usage.providerSums({
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    filter,
    boundaries: changes.map(({ at }) => at),
  })
  const dayOfSpan = (span: number): number => changes[span - 1]?.day ?? period.first
  return paidReportOf({ sums, dayOfSpan, plans, period, scope: scopeOf(filter) })
}

/**
 * Checks a query: times, and a time zone that is known.
 * @throws CairnError `invalid-input` naming what is wrong; `usage` for an unknown zone
 */
const assertPaidQuery = (query: PaidQuery): void => {
  assertObject(query, 'What is paid is asked by')
  const { since, until, timeZone } = query
  assertTimeOrAbsent(since, 'The time from which on payments count')
  assertTimeOrAbsent(until, 'The time before which payments count')
  if (timeZone !== undefined) {
    assertName(timeZone, 'The time zone')
    assertTimeZone(timeZone)
  }
}

/** The days that a period touches, up to today: day numbers, `end` excluded; `first` is −∞ without a beginning. */
const daysOf = ({ since, until }: PaidQuery, timeZone: string, now: number): DaySpan => {
  const dayAt = (at: number): number => localDayOf(at, offsetAt(timeZone, at))
  const first = since === undefined ? Number.NEGATIVE_INFINITY : dayAt(since)
  const last = until === undefined || until > now ? dayAt(now) : dayAt(until - 1)
  return { first, end: since !== undefined && until !== undefined && until <= since ? first : last + 1 }
}

/**
 * The days on which a plan begins, or has ended: between two of them nothing changes. Day numbers, rising, each once.
 */
const changesOf = ({ plans }: PaidQuery): readonly number[] => {
  const days = plans
    .flatMap(({ subscriptions, discounts }) => [...subscriptions, ...discounts])
    .flatMap(({ firstDay, lastDay }) => [
      ...(firstDay === null ? [] : [firstDay]),
      ...(lastDay === null ? [] : [lastDay + 1]),
    ])
  return [...new Set(days)].toSorted((left, right) => left - right)
}

/**
 * Whose subscriptions are paid for just the requests of a filter: everybody's without one, projects' where it names
 * only projects, else nobody's, as it takes a part of what they cover.
 */
const scopeOf = (filter: NonNullable<PaidQuery['filter']>): PaidScope => {
  const names = Object.keys(filter)
  if (names.length === 0) return 'all'
  return names.every((name) => name === 'workspace' || name === 'project') ? 'projects' : 'none'
}
