/**
 * The schema of settings files. Loaded only if there is a file, because loading zod takes longer than most commands.
 */
import { PRICE_FIELDS, isJsonObject } from '@cairn/core'
import type { PriceOverride } from '@cairn/core'
import { z } from 'zod'
import { PLAN_SETTINGS, planProblem } from './plan-settings.ts'
import type { PlansByProvider, PlanSetting } from './plan-settings.ts'
import { SEGMENT_NAMES } from '../statusline/segment-names.ts'
import { retentionAgeMs } from './retention-age.ts'

/** In USD per million tokens; no model costs more, and costs of requests stay within what can be stored and summed. */
const HIGHEST_PRICE = 10_000
/** Characters of the name of a person or machine. */
const LONGEST_NAME = 200
const amount = z.number().min(0).max(HIGHEST_PRICE)

type OptionalPrice = Exclude<keyof PriceOverride, 'input' | 'output'>

const optionalPrices = Object.fromEntries(
  PRICE_FIELDS.filter(({ isRequired }) => !isRequired).map(({ name }) => [name, amount.optional()]),
  // The names are exactly those of the optional prices.
) as Record<OptionalPrice, z.ZodOptional<typeof amount>>

/** USD per million tokens. */
const price = z.strictObject({
  input: amount,
  output: amount,
  ...optionalPrices,
})

/** Whether a text is the name of a time zone that this Node knows, such as `Europe/Berlin`. */
const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const retentionAge = z.string().refine((text) => retentionAgeMs(text) !== undefined)

/** Plans by provider, checked as a whole by those who compute with them. */
const plans = (setting: PlanSetting) =>
  z.custom<PlansByProvider>((value) => planProblem(setting, value) === undefined).optional()

/** The format of a settings file; unknown settings are invalid. */
export const configSchema = z.strictObject({
  /** Address: `file:<path>` (relative to the workspace, or to the user's folder) or `postgresql://…`. */
  store: z
    .string()
    .regex(/^(?:file:.|postgres(?:ql)?:\/\/.)/)
    .optional(),
  /** Stores outside of a workspace that its settings may name; only the user's own file can list them. */
  trustedStores: z.array(z.string()).optional(),
  timezone: z.string().refine(isTimeZone).optional(),
  dashboard: z
    .strictObject({
      port: z.int().min(0).max(65_535).optional(),
      open: z.boolean().optional(),
      watch: z.boolean().optional(),
    })
    .optional(),
  watch: z.strictObject({ exclude: z.array(z.string().min(1)).optional() }).optional(),
  hooks: z
    .strictObject({
      enabled: z.boolean().optional(),
      context: z.boolean().optional(),
      recall: z.boolean().optional(),
      import: z.boolean().optional(),
      changes: z.boolean().optional(),
      suggestions: z.boolean().optional(),
      incognito: z.boolean().optional(),
      checkpoints: z.boolean().optional(),
    })
    .optional(),
  checkpoints: z.strictObject({ enabled: z.boolean().optional() }).optional(),
  statusline: z.strictObject({ segments: z.array(z.enum(SEGMENT_NAMES)).min(1).optional() }).optional(),
  backup: z.strictObject({ auto: z.boolean().optional() }).optional(),
  /** What a team's store is told of who syncs; only the user's own file counts. */
  team: z
    .strictObject({
      person: z.string().trim().min(1).max(LONGEST_NAME).optional(),
      machine: z.string().trim().min(1).max(LONGEST_NAME).optional(),
      gitEmail: z.boolean().optional(),
    })
    .optional(),
  /** How long `cairn purge --expired` keeps what; only the user's own file counts. */
  retention: z.strictObject({ sessions: retentionAge.optional(), text: retentionAge.optional() }).optional(),
  /** USD. */
  budget: z.strictObject({ day: z.number().positive().optional(), month: z.number().positive().optional() }).optional(),
  prices: z.record(z.string().min(1), price).optional(),
  /** By provider. */
  subscriptions: plans('subscriptions'),
  discounts: plans('discounts'),
})

/** The settings in one file. */
export type Config = z.infer<typeof configSchema>

const SWITCH = 'true or false'
const AGE = 'an age such as 90d, 12w or 2y'

/** Settings by their path, but those whose names the user chooses. */
type ConfigKey = {
  [Name in keyof Config]-?: NonNullable<Config[Name]> extends string | readonly unknown[]
    ? Name
    : `${Name}.${Extract<keyof NonNullable<Config[Name]>, string>}`
}[Exclude<keyof Config, 'prices' | PlanSetting>]

/** What each setting takes; completes "must be …". */
const ALLOWED: Readonly<Record<'' | ConfigKey, string>> = {
  '': 'a JSON object',
  store: 'file:<path> or postgresql://…',
  trustedStores: 'addresses of stores, each file:<path> or postgresql://…',
  timezone: 'the name of a time zone, such as Europe/Berlin',
  'dashboard.port': 'a whole number from 0 to 65535',
  'dashboard.open': SWITCH,
  'dashboard.watch': SWITCH,
  'watch.exclude': 'names of agents',
  'hooks.enabled': SWITCH,
  'hooks.context': SWITCH,
  'hooks.recall': SWITCH,
  'hooks.import': SWITCH,
  'hooks.changes': SWITCH,
  'hooks.suggestions': SWITCH,
  'hooks.incognito': SWITCH,
  'hooks.checkpoints': SWITCH,
  'checkpoints.enabled': SWITCH,
  'statusline.segments': `one or more of ${SEGMENT_NAMES.join(', ')}`,
  'backup.auto': SWITCH,
  'team.person': `a name of at most ${LONGEST_NAME} characters`,
  'team.machine': `a name of at most ${LONGEST_NAME} characters`,
  'team.gitEmail': SWITCH,
  'retention.sessions': AGE,
  'retention.text': AGE,
  'budget.day': 'an amount in USD above 0',
  'budget.month': 'an amount in USD above 0',
}

/**
 * Returns the values that the setting at a path accepts, as the end of "must be …"; "an object of settings" for a path
 * that is none.
 */
const allowedAt = (path: readonly PropertyKey[]): string => {
  // An element of a list is said with its list.
  const [first, second] = path.filter((part) => typeof part !== 'number').map(String)
  if (first === 'prices') return 'USD per million tokens, 0 to 10,000, by name: input and output at least'
  const key = [first, second].filter((part) => part !== undefined).join('.')
  return new Map(Object.entries(ALLOWED)).get(key) ?? 'an object of settings'
}

/** An invalid setting and what is wrong with it, as the end of "<name> …". */
export interface ConfigProblem {
  /** Empty for the whole. */
  readonly name: string
  readonly what: string
}

/**
 * Returns the first problem in settings, an unknown setting too: its path with dots ('' for the whole), and what is
 * wrong, as the end of a sentence. Undefined if they are valid.
 */
export const problemOf = (value: unknown): ConfigProblem | undefined => {
  const parsed = configSchema.safeParse(value)
  if (parsed.success) return undefined
  const issue = parsed.error.issues[0]
  const path = issue?.path ?? []
  const setting = PLAN_SETTINGS.find((name) => name === path[0])
  if (setting !== undefined && isJsonObject(value)) return planProblem(setting, value[setting])
  if (issue?.code === 'unrecognized_keys')
    return { name: [...path, issue.keys[0] ?? ''].join('.'), what: 'is not a known setting' }
  return { name: path.filter((part) => typeof part !== 'number').join('.'), what: `must be ${allowedAt(path)}` }
}
