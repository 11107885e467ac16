/** Settings, prices and how long things are kept, as rows of tables. */
import type { CHECKPOINT_LIMITS, JsonValue, KnownModel, Retention, UsageRow } from '@cairn/core'
import { STORED_SETTINGS } from '@cairn/core/state'
import type { SettingList, SettingValue } from '@cairn/core/state'
import { bytesText } from '../../components/bytes-text.ts'
import type { FileSetting } from '../../store/settings-in-force.ts'
import { costFigure, counted } from '../usage/figure.ts'
import type { Figure } from '../usage/figure.ts'
import { planTexts } from './plan-texts.ts'

/** A setting as a row of the table. */
export interface SettingRow {
  readonly key: string
  readonly what: string
  /** `–` where nothing is set. */
  readonly value: string
  readonly from: string
  readonly isDefault: boolean
}

const NOT_SET = '–'

/** Returns a value on one line: text unchanged, a list with commas, anything else as JSON; `–` if it is empty. */
const valueText = (value: JsonValue): string => {
  if (value === null || value === '') return NOT_SET
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.length === 0 ? NOT_SET : value.map(valueText).join(', ')
  if (typeof value === 'object') return Object.keys(value).length === 0 ? NOT_SET : JSON.stringify(value)
  return String(value)
}

/** Returns where a setting of a file comes from, in words; `default` as it is. An unknown one as it is. */
const fileOrigin = ({ from, file, name }: FileSetting['origin']): string => {
  if (from === 'environment') return `environment variable ${name ?? ''}`.trim()
  if (from === 'flag') return 'an option of the command'
  if (from === 'user') return `your file ${file ?? ''}`.trim()
  return from === 'workspace' ? `the project’s file ${file ?? ''}`.trim() : from
}

/** Settings whose values are plans by provider. */
const PLANS: ReadonlySet<string> = new Set(['subscriptions', 'discounts'])

/** Returns a setting's value as text: plans in words, a budget of 0 as not set. */
const fileValueText = (key: string, value: JsonValue): string => {
  if (PLANS.has(key)) return valueText(planTexts(value) ?? value)
  return key.startsWith('budget.') && value === 0 ? NOT_SET : valueText(value)
}

/** Returns the settings of files, in the order in which `cairn config` lists them. A budget of 0 counts as none. */
export const fileSettingRows = (settings: readonly FileSetting[]): readonly SettingRow[] =>
  settings.map(({ key, what, value, origin }) => ({
    key,
    what,
    value: fileValueText(key, value),
    from: fileOrigin(origin),
    isDefault: origin.from === 'default',
  }))

const TIERS: Readonly<Record<SettingValue['from'], string>> = {
  session: 'the session',
  workspace: 'the project',
  global: 'all projects',
  default: 'not set',
}

/** Returns the settings in the store: those that Cairn uses, and others that are set; in the order given. */
export const storedSettingRows = ({ settings }: Pick<SettingList, 'settings'>): readonly SettingRow[] =>
  settings
    .filter(({ name, from }) => STORED_SETTINGS[name].isUsed || from !== 'default')
    .map(({ name, value, from }) => ({
      key: name,
      what: STORED_SETTINGS[name].what,
      value: valueText(value),
      from: TIERS[from],
      isDefault: from === 'default',
    }))

/** The prices of a model as a row of the table. */
export interface PriceRow {
  readonly model: string
  /** USD per million tokens; `–` where none is known. */
  readonly input: string
  readonly cacheRead: string
  readonly cacheWrite: string
  readonly cacheWrite1h: string
  readonly output: string
  /** `your own`, `the price list`, or that none is known. */
  readonly from: string
  readonly cost: Figure
}

/** Returns a price without trailing zeros; `–` if there is none. */
const priceText = (usd: number | null | undefined): string =>
  usd === null || usd === undefined ? NOT_SET : `$${Number(usd.toFixed(4))}`

/** Returns the prices of a model in USD per million tokens, and what its requests in the store have cost. */
export const priceRow = (
  { id, prices, isOwnPrice }: Pick<KnownModel, 'id' | 'prices' | 'isOwnPrice'>,
  totals: UsageRow,
): PriceRow => ({
  model: id,
  input: priceText(prices?.input),
  cacheRead: priceText(prices?.cacheRead),
  cacheWrite: priceText(prices?.cacheWrite),
  cacheWrite1h: priceText(prices?.cacheWrite1h),
  output: priceText(prices?.output),
  from: prices === null ? 'no price is known' : isOwnPrice ? 'your own' : 'the price list',
  cost: costFigure(totals),
})

/** How long one kind of thing is kept. */
export interface KeptRow {
  readonly what: string
  readonly howLong: string
  /** The command that has a say in it. */
  readonly command: string
}

interface Limits {
  readonly backups: Retention
  readonly checkpoints: typeof CHECKPOINT_LIMITS
  /** Quarters of an hour. */
  readonly healthQuarters: number
}

const QUARTERS_PER_DAY = 96

/** Returns how long each kind of thing is kept, in words, with a command for it. */
export const keptRows = ({ backups, checkpoints, healthQuarters }: Limits): readonly KeptRow[] => [
  {
    what: 'Sessions, usage, memory and notes',
    howLong: 'until you delete them; what changes in memory and notes keeps its former versions',
    command: 'cairn session delete <id>',
  },
  {
    what: 'Backups of the store',
    howLong: `the newest ${backups.newest}, one a day for ${counted(backups.daily, 'day')}, one a week for ${counted(backups.weekly, 'week')}; ${bytesText(backups.maximumBytes)} together`,
    command: 'cairn backup --list',
  },
  {
    what: 'Checkpoints of a folder',
    howLong: `${counted(checkpoints.maximumCount, 'checkpoint')}, ${counted(checkpoints.maximumAgeDays, 'day')}, ${bytesText(checkpoints.maximumBytes)}`,
    command: 'cairn checkpoint prune --dry-run',
  },
  {
    what: 'Measurements of the store’s health',
    howLong: counted(healthQuarters / QUARTERS_PER_DAY, 'day'),
    command: 'cairn doctor',
  },
]
