/** What a settings file may hold. Loaded only where there is a file: loading zod takes longer than most commands. */
import { PRICE_FIELDS } from '@cairn/core'
import type { PriceOverride } from '@cairn/core'
import { z } from 'zod'
import { SEGMENT_NAMES } from '../statusline/segment-names.ts'

const amount = z.number().min(0)

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

/** Whether this is the name of a time zone, such as `Europe/Berlin`. */
const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const configSchema = z.strictObject({
  /** Address: `file:<path>` (relative to the workspace, or to the user's folder) or `postgresql://…`. */
  store: z
    .string()
    .regex(/^(?:file:.|postgres(?:ql)?:\/\/.)/, 'must be file:<path> or postgresql://…')
    .optional(),
  /** Stores outside of a workspace that its settings may name; only the user's own file can list them. */
  trustedStores: z.array(z.string()).optional(),
  timezone: z.string().refine(isTimeZone, 'must be the name of a time zone, such as Europe/Berlin').optional(),
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
      incognito: z.boolean().optional(),
    })
    .optional(),
  statusline: z.strictObject({ segments: z.array(z.enum(SEGMENT_NAMES)).min(1).optional() }).optional(),
  /** USD. */
  budget: z.strictObject({ day: z.number().positive().optional(), month: z.number().positive().optional() }).optional(),
  prices: z.record(z.string().min(1), price).optional(),
})

export type Config = z.infer<typeof configSchema>

/** The first thing that is wrong with settings, and the setting where it is; undefined when nothing is. */
export const problemOf = (value: unknown): string | undefined => {
  const parsed = configSchema.safeParse(value)
  if (parsed.success) return undefined
  const issue = parsed.error.issues[0]
  if (issue === undefined) return 'it is not valid'
  const settingPath = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])].join('.')
  const what = issue.code === 'unrecognized_keys' ? 'is not a known setting' : issue.message
  return settingPath === '' ? what : `'${settingPath}': ${what}`
}
