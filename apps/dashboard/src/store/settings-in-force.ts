/** The settings that lie in files: whoever started the server reads them, and bin/serve.mjs asks for them. */
import 'server-only'
import { z } from 'zod'

const KEY = Symbol.for('cairn.dashboard.settings')

const settingSchema = z.object({
  key: z.string(),
  what: z.string(),
  value: z.json(),
  origin: z.object({ from: z.string(), file: z.string().optional(), name: z.string().optional() }),
})

const answerSchema = z.object({
  settings: z.array(settingSchema).nullable(),
  problem: z.string().nullable(),
  project: z.string(),
})

/** A setting, and where it comes from. */
export type FileSetting = z.infer<typeof settingSchema>
/** The settings that apply, or why they are not known. */
export type SettingsInForce = z.infer<typeof answerSchema>

interface Holder {
  readonly [KEY]?: () => Promise<unknown>
}

const holder: typeof globalThis & Holder = globalThis

/**
 * Returns the settings as `cairn config` would list them now; null if the dashboard was not started by `cairn
 * dashboard`, or its answer is not understood.
 */
export const settingsInForce = async (): Promise<SettingsInForce | null> =>
  answerSchema.safeParse(await holder[KEY]?.()).data ?? null
