/** The settings `subscriptions` and `discounts`: what their texts mean, and which of several files' plans count. */
import { CairnError, isJsonObject } from '@cairn/core'
import type { JsonValue } from '@cairn/core'
import { parseDiscounts, parseSubscriptions } from '@cairn/core/insights'
import type { PlanProblem } from '@cairn/core/insights'

/** Settings that hold lists of plans by provider. */
export const PLAN_SETTINGS = ['subscriptions', 'discounts'] as const
export type PlanSetting = (typeof PLAN_SETTINGS)[number]

/** What such a setting holds; each plan as it is in the file. */
export type PlansByProvider = Readonly<Record<string, readonly JsonValue[]>>

/** What is wrong with the value of a setting; undefined if nothing is. */
export const planProblem = (setting: PlanSetting, value: unknown): PlanProblem | undefined => {
  const parsed = setting === 'subscriptions' ? parseSubscriptions(value) : parseDiscounts(value)
  return parsed.ok ? undefined : parsed.error
}

/** The setting and the provider of a key such as `subscriptions.anthropic`; undefined for any other key. */
export const planKey = (key: string): { readonly setting: PlanSetting; readonly provider: string } | undefined => {
  const setting = PLAN_SETTINGS.find((name) => key.startsWith(`${name}.`) && key.length > name.length + 1)
  return setting === undefined ? undefined : { setting, provider: key.slice(setting.length + 1) }
}

const FORMS: Readonly<Record<PlanSetting, string>> = {
  subscriptions: 'name,USD a month,since[,until], e.g. Max,100,2026-01-31; several are separated by ;',
  discounts: 'percent[,since[,until]], e.g. 15 or 15,2026-01-31; several are separated by ;',
}

/**
 * Reads `Max,100,2026-01-31` or `15,2026-01-31` as a provider's plans, or JSON as it is. @throws CairnError `usage` for
 * what is no plan
 */
export const parsePlans = (setting: PlanSetting, provider: string, text: string): unknown => {
  const plans = /^\s*[[{]/.test(text) ? fromJson(setting, provider, text) : text.split(';').map(READERS[setting])
  const problem = planProblem(setting, { [provider]: plans })
  if (problem !== undefined)
    throw new CairnError('usage', `${problem.name} ${problem.what}; it takes ${FORMS[setting]}, or a list as JSON.`)
  return plans
}

/**
 * Parses a setting's JSON; an object becomes a list of one. Does not check what it holds.
 * @throws CairnError `usage` if it is no JSON
 */
const fromJson = (setting: PlanSetting, provider: string, text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? [value] : value
  } catch (cause) {
    throw new CairnError(
      'usage',
      `${setting}.${provider} takes ${FORMS[setting]}, or a list as JSON, which this is not.`,
      {
        cause,
      },
    )
  }
}

/** The parts of a plan between commas, trimmed. */
const partsOf = (text: string): readonly string[] => text.split(',').map((part) => part.trim())
/** A number where the text can be read as one; else the text as it is. */
const numberOr = (text: string | undefined): unknown =>
  text === undefined || text === '' || Number.isNaN(Number(text)) ? text : Number(text)
const given = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
/** A field that no plan has, named by the first part beyond the last field, so that the check refuses it; else `{}`. */
const surplus = (parts: readonly string[], fields: number): Readonly<Record<string, unknown>> =>
  parts.length > fields ? { [parts[fields] ?? '']: true } : {}

const READERS: Readonly<Record<PlanSetting, (text: string) => Readonly<Record<string, unknown>>>> = {
  /**
   * A subscription from "name, USD a month, from, to"; what is missing is left out, and what is too much makes it
   * invalid.
   */
  subscriptions: (text) => {
    const parts = partsOf(text)
    const [name, usd, since, until] = parts
    return { ...given({ name, monthlyUsd: numberOr(usd), since, until }), ...surplus(parts, 4) }
  },
  /** A discount from "percent, from, to"; what is missing is left out. */
  discounts: (text) => {
    const parts = partsOf(text)
    const [percent, since, until] = parts
    return { ...given({ percent: numberOr(percent), since, until }), ...surplus(parts, 3) }
  },
}

/**
 * The plans in force of one setting: for a provider, those of the first file alone that names it in either setting.
 * Providers that no file names have none.
 * @param configs the one that counts most first
 */
export const plansInForce = (
  configs: readonly Partial<Record<PlanSetting, PlansByProvider | undefined>>[],
  setting: PlanSetting,
): PlansByProvider => {
  const plans: Record<string, readonly JsonValue[]> = {}
  const named = new Set<string>()
  for (const config of configs) {
    const own = PLAN_SETTINGS.flatMap((name) => Object.keys(config[name] ?? {}))
    for (const [provider, list] of Object.entries(config[setting] ?? {}))
      if (!named.has(provider)) plans[provider] = list
    for (const provider of own) named.add(provider)
  }
  return plans
}
