/** Asks the store, and the price list, what the page on settings shows. */
import { CHECKPOINT_LIMITS, DEFAULT_RETENTION, KEPT_QUARTERS, knownModels } from '@cairn/core'
import type { PriceOverride, Store } from '@cairn/core'
import type { StoredSettings } from '@cairn/core/state'
import { z } from 'zod'
import type { SettingsInForce } from '../../store/settings-in-force.ts'
import { fileSettingRows, keptRows, priceRow, storedSettingRows } from './settings-view.ts'
import type { KeptRow, PriceRow, SettingRow } from './settings-view.ts'

/** What the page of settings shows. */
export interface SettingsReport {
  /** Null where they are not known; `problem` says why. */
  readonly settings: readonly SettingRow[] | null
  readonly problem: string
  /** The project that the settings are of; null where it is not known. */
  readonly project: string | null
  readonly stored: readonly SettingRow[]
  /** Of the models that requests were made to, the most expensive first. */
  readonly prices: readonly PriceRow[]
  /** Models that have no row. */
  readonly otherModels: number
  /** Secrets that were replaced, and in how many sessions the store holds them. */
  readonly redactions: number
  readonly sessions: number
  readonly kept: readonly KeptRow[]
}

const MOST_MODELS = 100
const NOT_TOLD =
  'This dashboard was not started by “cairn dashboard”, which reads them; the command prints what holds in its folder.'

const ownPricesSchema = z.record(z.string(), z.object({ input: z.number(), output: z.number() }).catchall(z.number()))

/** Returns the user's own prices among the settings; empty if they are not understood. */
const ownPrices = (inForce: SettingsInForce | null): Readonly<Record<string, PriceOverride>> =>
  ownPricesSchema.safeParse(inForce?.settings?.find(({ key }) => key === 'prices')?.value).data ?? {}

/**
 * Returns the current prices of the models in the store, the dearest by their cost first, at most `MOST_MODELS`;
 * `otherModels` counts the rest. Rejects as the store does. @param now ms
 */
const pricesInForce = async (
  usage: Store['usage'],
  prices: Readonly<Record<string, PriceOverride>>,
  now: number,
): Promise<Pick<SettingsReport, 'prices' | 'otherModels'>> => {
  const { rows } = await usage.report({ by: 'model' })
  const known = await knownModels({ at: now, prices })
  return {
    prices: rows.slice(0, MOST_MODELS).map((totals) => priceRow(known.describe(known.named(totals.key)), totals)),
    otherModels: Math.max(0, rows.length - MOST_MODELS),
  }
}

/**
 * Returns what the page of settings shows. Rejects as the store does. `inForce` is null where the settings of files are
 * not told; `problem` says why then. Those in the store are for that project, if it is known.
 * @param now ms
 */
export const settingsReport = async (
  store: Pick<Store, 'statistics' | 'usage'>,
  settings: Pick<StoredSettings, 'list'>,
  inForce: SettingsInForce | null,
  now: number,
): Promise<SettingsReport> => {
  const { redactions, sessions } = await store.statistics()
  const stored = await settings.list(inForce === null ? {} : { workspace: inForce.project })
  return {
    settings: inForce === null || inForce.settings === null ? null : fileSettingRows(inForce.settings),
    problem: inForce === null ? NOT_TOLD : (inForce.problem ?? ''),
    project: inForce?.project ?? null,
    stored: storedSettingRows(stored),
    ...(await pricesInForce(store.usage, ownPrices(inForce), now)),
    redactions,
    sessions,
    kept: keptRows({ backups: DEFAULT_RETENTION, checkpoints: CHECKPOINT_LIMITS, healthQuarters: KEPT_QUARTERS }),
  }
}
