/** Subscriptions and discounts of settings, as a line of text. */
import { formatUsd, nanoFromUsd } from '@cairn/core'
import type { JsonValue } from '@cairn/core'
import { z } from 'zod'

const planSchema = z.object({
  name: z.string().optional(),
  monthlyUsd: z.number().optional(),
  percent: z.number().optional(),
  since: z.string().optional(),
  until: z.string().optional(),
  agents: z.array(z.string()).optional(),
  people: z.array(z.string()).optional(),
  machines: z.array(z.string()).optional(),
})

const plansSchema = z.record(z.string(), z.array(planSchema))

/** Returns a plan in words: its name, fee or discount, dates and whose it is; what is not set is left out. */
const planText = (plan: z.infer<typeof planSchema>): string => {
  const { name, monthlyUsd, percent, since, until, agents = [], people = [], machines = [] } = plan
  const whose = [...agents, ...people, ...machines]
  return [
    ...(name === undefined ? [] : [name]),
    ...(monthlyUsd === undefined ? [] : [`${formatUsd(nanoFromUsd(monthlyUsd))} a month`]),
    ...(percent === undefined ? [] : [`${percent}% off`]),
    ...(since === undefined ? [] : [`from ${since}`]),
    ...(until === undefined ? [] : [`to ${until}`]),
    ...(whose.length === 0 ? [] : [`only ${whose.join(', ')}`]),
  ].join(', ')
}

/** The plans of a setting by provider; undefined for what is not understood, and '' where there are none. */
export const planTexts = (value: JsonValue): string | undefined => {
  const plans = plansSchema.safeParse(value).data
  if (plans === undefined) return undefined
  return Object.entries(plans)
    .map(([provider, list]) => `${provider}: ${list.map(planText).join('; ')}`)
    .join(' · ')
}
