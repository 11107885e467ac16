/**
 * The values that stored settings accept. Loaded only when a setting is read or set, because loading zod takes longer
 * than most commands.
 */
import { z } from 'zod'
import type { JsonValue } from '../json.ts'
import { STORED_SETTINGS } from './setting-names.ts'
import type { StoredSettingName } from './setting-names.ts'
import type { StateKey } from './state-key.ts'

export interface SettingKey extends StateKey {
  readonly name: StoredSettingName
  /** Completes "must be …". */
  readonly takes: string
  /** Parses a text; the schema rejects a meaningless value. */
  readonly read: (text: string) => JsonValue
}

type Kind = Pick<SettingKey, 'schema' | 'takes' | 'read'>

const LONGEST_TEXT = 1_000
const MOST_FILES = 1_000

/** The number in a text, or else the text. */
const readNumber = (text: string): JsonValue => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text))
/** `true` and `false` as booleans, or else the text. */
const readSwitch = (text: string): JsonValue => (text === 'true' ? true : text === 'false' ? false : text)

/** Parses `a.md=false,b.md` as files and whether they are on. One without `=` is on. */
const readSwitches = (text: string): JsonValue =>
  Object.fromEntries(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => {
        const [, file = part, value] = /^(.+)=(true|false)$/.exec(part) ?? []
        return [file, value !== 'false']
      }),
  )

const text: Kind = {
  schema: z.string().trim().min(1).max(LONGEST_TEXT),
  takes: `a text of at most ${LONGEST_TEXT.toLocaleString('en-US')} characters`,
  read: (given) => given,
}
const onOrOff: Kind = { schema: z.boolean(), takes: 'true or false', read: readSwitch }
const count: Kind = {
  schema: z.int().min(1).max(1_000_000),
  takes: 'a whole number from 1 to 1,000,000',
  read: readNumber,
}
const switches: Kind = {
  schema: z
    .record(z.string().min(1).max(LONGEST_TEXT), z.boolean())
    .refine((files) => Object.keys(files).length <= MOST_FILES),
  takes: 'paths, each on its own or with =false behind it, between commas',
  read: readSwitches,
}
const mode: Kind = { schema: z.enum(['plan', 'act']), takes: 'plan or act', read: (given) => given }
const address: Kind = {
  schema: z.url({ protocol: /^https?$/ }).max(LONGEST_TEXT),
  takes: 'an address that begins with http:// or https://',
  read: (given) => given,
}

const KINDS: Readonly<Record<StoredSettingName, Kind>> = {
  model: text,
  provider: text,
  baseUrl: address,
  language: text,
  'plan.model': text,
  'plan.provider': text,
  mode,
  'approvals.read': onOrOff,
  'approvals.edit': onOrOff,
  'approvals.command': onOrOff,
  'approvals.browser': onOrOff,
  'approvals.mcp': onOrOff,
  'approvals.maximumRequests': count,
  'todo.enabled': onOrOff,
  'todo.remindEvery': count,
  rules: switches,
  workflows: switches,
}

/** The key of a stored setting: its tiers and accepted values. Unset, it is null. */
export const settingKey = (name: StoredSettingName): SettingKey => ({
  name,
  tiers: STORED_SETTINGS[name].tiers,
  fallback: null,
  ...KINDS[name],
})

const NAMES = Object.keys(KINDS) as readonly StoredSettingName[]

/** All stored settings, in display order. */
export const SETTING_KEYS: readonly SettingKey[] = NAMES.map(settingKey)
