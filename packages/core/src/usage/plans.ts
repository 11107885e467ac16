/**
 * What is agreed with providers: subscriptions, which cost the same however much they are used, and discounts on API
 * prices. Read from settings, checked as a whole.
 */
import { isJsonObject, stringOf, type JsonObject } from '../json.ts'
import { nanoFromUsd, type NanoUsd } from '../money.ts'
import { err, ok, type Result } from '../result.ts'
import { DAY_MS, UNKNOWN_KEY, dayKey } from './calendar.ts'
import { providerName } from './request-provider.ts'

/** Days by their number (days since 1970-01-01), both included; null: open. */
interface PlanDays {
  readonly firstDay: number | null
  readonly lastDay: number | null
}

export interface Subscription extends PlanDays {
  readonly provider: string
  readonly name: string
  readonly monthlyNano: NanoUsd
  readonly firstDay: number
  /** Only requests of these agents, people or machines are covered; null: whoever made them. */
  readonly agents: readonly string[] | null
  readonly people: readonly string[] | null
  readonly machines: readonly string[] | null
}

export interface Discount extends PlanDays {
  readonly provider: string
  /** Above 0, at most 100. */
  readonly percent: number
  /** As in a subscription. */
  readonly agents: readonly string[] | null
}

/** The plans of one settings file. */
export interface Plans {
  readonly subscriptions: readonly Subscription[]
  readonly discounts: readonly Discount[]
}

/** A setting's name such as `subscriptions.anthropic`, and what is wrong with it: completes "<name> …". */
export interface PlanProblem {
  readonly name: string
  readonly what: string
}

const MOST_PROVIDERS = 100
/** Plans of one provider, and names in a list. */
const MOST_PLANS = 50
const LONGEST_NAME = 200
const HIGHEST_PRICE = 1_000_000
const DATE = /^20\d\d-\d\d-\d\d$/

/** The number of a day such as `2026-01-31`, from 2000 to 2099; undefined for anything else. */
const dayOf = (value: unknown): number | undefined => {
  if (typeof value !== 'string' || !DATE.test(value)) return undefined
  const day = Date.parse(`${value}T00:00:00Z`) / DAY_MS
  // The 30th of February is read as a day of March.
  return Number.isInteger(day) && dayKey(day) === value ? day : undefined
}

const isName = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME

interface FieldRule {
  readonly isValid: (value: unknown) => boolean
  /** Completes "that is …". */
  readonly must: string
  readonly isRequired?: boolean
}

const DATE_RULE: FieldRule = {
  isValid: (value) => dayOf(value) !== undefined,
  must: 'a date from 2000 to 2099 such as 2026-03-15',
}

const NAMES_RULE: FieldRule = {
  isValid: (value) => Array.isArray(value) && value.length > 0 && value.length <= MOST_PLANS && value.every(isName),
  must: `a list of 1 to ${MOST_PLANS} names`,
}

const isNumberWithin = (value: unknown, isWithin: (number: number) => boolean): boolean =>
  typeof value === 'number' && Number.isFinite(value) && isWithin(value)

type Fields = Readonly<Record<string, FieldRule>>

const SUBSCRIPTION: Fields = {
  name: { isValid: isName, must: `a name of at most ${LONGEST_NAME} characters`, isRequired: true },
  monthlyUsd: {
    isValid: (value) => isNumberWithin(value, (usd) => usd >= 0 && usd <= HIGHEST_PRICE),
    must: 'an amount in USD from 0 to 1,000,000',
    isRequired: true,
  },
  since: { ...DATE_RULE, isRequired: true },
  until: DATE_RULE,
  agents: NAMES_RULE,
  people: NAMES_RULE,
  machines: NAMES_RULE,
}

const DISCOUNT: Fields = {
  percent: {
    isValid: (value) => isNumberWithin(value, (percent) => percent > 0 && percent <= 100),
    must: 'a number above 0 and at most 100',
    isRequired: true,
  },
  since: DATE_RULE,
  until: DATE_RULE,
  agents: NAMES_RULE,
}

type PlanKind = keyof Plans

const FIELDS: Readonly<Record<PlanKind, Fields>> = { subscriptions: SUBSCRIPTION, discounts: DISCOUNT }

/**
 * What is wrong with a single plan, as the end of a sentence (`must …`) with its number in the list from 1: no object,
 * an unknown field, a wrong or missing one, an end before its beginning; undefined if nothing is.
 */
const problemOfPlan = (fields: Fields, plan: unknown, number: number): string | undefined => {
  if (!isJsonObject(plan)) return `must have an object as plan ${number}`
  const unknownField = Object.keys(plan).find((field) => !Object.hasOwn(fields, field))
  if (unknownField !== undefined)
    return `must not have '${unknownField}' in plan ${number}; a plan has ${Object.keys(fields).join(', ')}`
  const wrong = Object.entries(fields).find(([field, { isValid, isRequired = false }]) => {
    const value = plan[field]
    return value === undefined ? isRequired : !isValid(value)
  })
  if (wrong !== undefined) return `must give plan ${number} a '${wrong[0]}' that is ${wrong[1].must}`
  const [first, last] = [dayOf(plan['since']), dayOf(plan['until'])]
  return first !== undefined && last !== undefined && last < first
    ? `must not let plan ${number} end before it begins`
    : undefined
}

/**
 * The plans of a setting, each with its provider, in order; or, as the error, what is wrong with the first that is not
 * valid. Empty where the setting is undefined.
 */
const checkedPlans = (
  kind: PlanKind,
  value: unknown,
): Result<readonly (readonly [provider: string, plan: JsonObject])[], PlanProblem> => {
  if (value === undefined) return ok([])
  if (!isJsonObject(value) || Object.keys(value).length > MOST_PROVIDERS)
    return err({ name: kind, what: `must be lists of plans by provider, of at most ${MOST_PROVIDERS} providers` })
  const found: (readonly [string, JsonObject])[] = []
  for (const [key, list] of Object.entries(value)) {
    const name = `${kind}.${key}`
    const provider = providerName(key)
    if (provider === '' || provider === UNKNOWN_KEY)
      return err({ name, what: 'must be named after a provider, such as anthropic or openai' })
    if (!Array.isArray(list) || list.length === 0 || list.length > MOST_PLANS)
      return err({ name, what: `must be a list of 1 to ${MOST_PLANS} plans` })
    for (const [index, plan] of list.entries()) {
      const what = problemOfPlan(FIELDS[kind], plan, index + 1)
      if (what !== undefined) return err({ name, what })
      // Checked above.
      found.push([provider, plan as JsonObject])
    }
  }
  return ok(found)
}

const namesOf = (value: unknown): readonly string[] | null => (Array.isArray(value) ? value.map(String) : null)

/** The first and last day of a plan; null where it has no bound. */
const daysOf = (plan: JsonObject): PlanDays => ({
  firstDay: dayOf(plan['since']) ?? null,
  lastDay: dayOf(plan['until']) ?? null,
})

/** The subscriptions that a value of the setting `subscriptions` means, or what is wrong with it. */
export const parseSubscriptions = (value: unknown): Result<readonly Subscription[], PlanProblem> => {
  const checked = checkedPlans('subscriptions', value)
  if (!checked.ok) return checked
  return ok(
    checked.value.map(([provider, plan]) => ({
      provider,
      name: (stringOf(plan['name']) ?? '').trim(),
      monthlyNano: nanoFromUsd(Number(plan['monthlyUsd'])),
      firstDay: dayOf(plan['since']) ?? 0,
      lastDay: dayOf(plan['until']) ?? null,
      agents: namesOf(plan['agents']),
      people: namesOf(plan['people']),
      machines: namesOf(plan['machines']),
    })),
  )
}

/**
 * The discounts that a value of the setting `discounts` means, or what is wrong with it. It is also wrong that two of
 * one provider hold for the same agent on the same day.
 */
export const parseDiscounts = (value: unknown): Result<readonly Discount[], PlanProblem> => {
  const checked = checkedPlans('discounts', value)
  if (!checked.ok) return checked
  const discounts = checked.value.map(([provider, plan]): Discount => {
    return { provider, percent: Number(plan['percent']), ...daysOf(plan), agents: namesOf(plan['agents']) }
  })
  for (const [index, discount] of discounts.entries()) {
    const other = discounts.slice(0, index).find((earlier) => overlaps(earlier, discount))
    if (other !== undefined)
      return err({
        name: `discounts.${discount.provider}`,
        what: `must not have two discounts for the same day: ${other.percent} % and ${discount.percent} % overlap`,
      })
  }
  return ok(discounts)
}

/** Whether two discounts of a provider hold for the same agent on the same day; `agents` null is all. */
const overlaps = (left: Discount, right: Discount): boolean =>
  left.provider === right.provider &&
  startsBeforeEnd(left, right) &&
  startsBeforeEnd(right, left) &&
  (left.agents === null || right.agents === null || left.agents.some((agent) => right.agents?.includes(agent)))

const startsBeforeEnd = ({ firstDay }: PlanDays, { lastDay }: PlanDays): boolean =>
  firstDay === null || lastDay === null || firstDay <= lastDay

/** Whether a plan applies on a day; `day` undefined: not known, where only what applies always does. */
export const isOn = ({ firstDay, lastDay }: PlanDays, day: number | undefined): boolean =>
  day === undefined
    ? firstDay === null && lastDay === null
    : (firstDay === null || firstDay <= day) && (lastDay === null || day <= lastDay)
