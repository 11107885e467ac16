/** The settings in effect. Precedence: flag, environment, workspace file, user file, default. */
import { CairnError, PRICE_FIELDS, isJsonObject, storeAddresses, withoutPassword } from '@cairn/core'
import type { PriceOverride } from '@cairn/core'
import { STORED_SETTINGS } from '@cairn/core/state'
import { chooseStore, mayUseStore, settingsPaths } from '@cairn/core/node'
import type { SettingOrigin, SettingsPath, StoreChoice } from '@cairn/core/node'
import { didYouMean } from '../options/close-matches.ts'
import { SEGMENT_NAMES } from '../statusline/segment-names.ts'
import { readConfig } from './config-file.ts'
import type { Config } from './config-schema.ts'
import type { Surroundings } from './locations.ts'
import { parsePlans, planKey, plansInForce } from './plan-settings.ts'
import type { PlanSetting, PlansByProvider } from './plan-settings.ts'

export type Origin = SettingOrigin

/** A value and where it comes from. */
interface Setting<T> {
  readonly value: T
  readonly origin: Origin
}

/** All settings in force, by key. */
export interface Settings {
  /** Address with an absolute path. */
  readonly store: Setting<string> & Pick<StoreChoice, 'workspace'>
  /** Stores outside of a workspace that its settings may name. */
  readonly trustedStores: Setting<readonly string[]>
  readonly timezone: Setting<string>
  readonly 'dashboard.port': Setting<number>
  readonly 'dashboard.open': Setting<boolean>
  readonly 'dashboard.watch': Setting<boolean>
  readonly 'watch.exclude': Setting<readonly string[]>
  readonly 'hooks.enabled': Setting<boolean>
  readonly 'hooks.context': Setting<boolean>
  readonly 'hooks.recall': Setting<boolean>
  readonly 'hooks.import': Setting<boolean>
  readonly 'hooks.changes': Setting<boolean>
  readonly 'hooks.suggestions': Setting<boolean>
  readonly 'hooks.incognito': Setting<boolean>
  readonly 'hooks.checkpoints': Setting<boolean>
  readonly 'checkpoints.enabled': Setting<boolean>
  readonly 'statusline.segments': Setting<readonly string[]>
  readonly 'backup.auto': Setting<boolean>
  /** What a team's store is told of who syncs; '' for nothing. Of the user's own file only. */
  readonly 'team.person': Setting<string>
  readonly 'team.machine': Setting<string>
  readonly 'team.gitEmail': Setting<boolean>
  /**
   * Ages such as 90d, from which `cairn purge --expired` removes sessions, or only their text; '' for never. Of the
   * user's own file only.
   */
  readonly 'retention.sessions': Setting<string>
  readonly 'retention.text': Setting<string>
  /** USD; 0 for none. */
  readonly 'budget.day': Setting<number>
  readonly 'budget.month': Setting<number>
  readonly prices: Setting<Readonly<Record<string, PriceOverride>>>
  /** By provider, checked. */
  readonly subscriptions: Setting<PlansByProvider>
  readonly discounts: Setting<PlansByProvider>
}

/** The key of a setting, as `cairn config` takes it. */
export type SettingKey = keyof Settings

/** A description of each setting, in display order. */
export const SETTING_KEYS: Readonly<Record<SettingKey, string>> = {
  store: 'where everything is kept: file:<path> or postgresql://…',
  trustedStores: 'stores that a repository may name, though they lie outside of it',
  timezone: 'where days begin, e.g. Europe/Berlin',
  'dashboard.port': "the dashboard's port; 0 takes a free one",
  'dashboard.open': 'open the browser when the dashboard starts',
  'dashboard.watch': 'the dashboard takes in what agents write while it runs',
  'watch.exclude': 'agents whose transcripts are not followed, e.g. codex,pi',
  'hooks.enabled': 'false: the hooks of agents do nothing',
  'hooks.context': 'a session that starts is given profile and memory',
  'hooks.recall': 'a prompt is given earlier messages that very likely bear on it',
  'hooks.import': "an agent's transcript is taken in after each turn",
  'hooks.changes': 'a prompt tells the agent which files were changed since it read them',
  'hooks.suggestions': 'a start tells you when there are new suggestions for the memory',
  'hooks.incognito': 'true: sessions are incognito, and never imported',
  'hooks.checkpoints': 'true: a checkpoint of the project at each prompt, and after each turn',
  'checkpoints.enabled': 'false: no checkpoint is made; those that there are can be restored',
  'statusline.segments': 'what the status line shows, in this order',
  'backup.auto': 'the store is backed up by itself, once a day',
  'team.person': "your name in your team's store; only your own settings can say",
  'team.machine': "this machine's name there",
  'team.gitEmail': "true: where no name is set, git's user.email is told as yours",
  'retention.sessions': 'how long sessions are kept, e.g. 2y; older ones go with cairn purge --expired',
  'retention.text': 'how long what was said is kept, e.g. 90d; figures stay',
  'budget.day': 'USD a day; the status line shows how much is used',
  'budget.month': 'USD a month',
  prices: 'own prices by model, USD per million tokens',
  subscriptions: 'what is paid a month, by provider: name,USD,since[,until]',
  discounts: 'percent off API prices, by provider: percent[,since[,until]]',
}

/** Settings whose keys end with a name that the user chooses, and what it names. */
const NAMED_SETTINGS: Readonly<Record<'prices' | PlanSetting, string>> = {
  prices: '<model>',
  subscriptions: '<provider>',
  discounts: '<provider>',
}

/** Returns a setting's key as help names it: `prices.<model>`; others as they are. */
export const shownKey = (key: string): string => {
  const ofWhat = new Map(Object.entries(NAMED_SETTINGS)).get(key)
  return ofWhat === undefined ? key : `${key}.${ofWhat}`
}

/**
 * Settings that only the user's own file may contain: a repository must not trust a store, say who you are, or have
 * data removed.
 */
const OWN_SETTINGS: readonly SettingKey[] = [
  'trustedStores',
  'team.person',
  'team.machine',
  'team.gitEmail',
  'retention.sessions',
  'retention.text',
]

/**
 * Does nothing if a workspace's file may contain the setting.
 * @throws CairnError `usage` otherwise
 */
export const assertOfWorkspace = (key: string): void => {
  if (OWN_SETTINGS.some((own) => own === key))
    throw new CairnError(
      'usage',
      `${key} counts only in your own settings, as no repository may say it; leave --workspace out.`,
    )
}

/** A settings file that exists. */
interface Source {
  readonly config: Config
  readonly settingsPath: SettingsPath
}

/**
 * Returns the settings files that exist for the folder in `surroundings`, the strongest first. Rejects with
 * `invalid-input` for one that is damaged.
 */
const readSources = async (surroundings: Surroundings): Promise<readonly Source[]> => {
  const sources: Source[] = []
  for (const settingsPath of settingsPaths(surroundings)) {
    const config = await readConfig(settingsPath.file)
    if (config !== undefined) sources.push({ config, settingsPath })
  }
  return sources
}

/** Whether a file has a setting, by its path. */
const hasSetting = (config: Config, key: SettingKey): boolean =>
  key.split('.').reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), config) !== undefined

/** Says which settings of a project's file have no effect there; nothing if all have. */
const tellIgnored = ({ config, settingsPath: { file } }: Source, tell: (sentence: string) => void): void => {
  const keys = OWN_SETTINGS.filter((key) => hasSetting(config, key))
  if (keys.length === 0) return
  const [have, them] = keys.length === 1 ? ['has', 'it'] : ['have', 'them']
  tell(`${keys.join(', ')} in ${file} ${have} no effect: only your own settings can say ${them} (cairn config set).`)
}

/** The origin of settings from a file. */
const fileOrigin = ({ settingsPath: { from, file } }: Source): Origin => ({ from, file })

/** The setting in the strongest file that has it, otherwise the default, with its origin. */
const firstOf = <T>(sources: readonly Source[], pick: (config: Config) => T | undefined, otherwise: T): Setting<T> => {
  for (const source of sources) {
    const value = pick(source.config)
    if (value !== undefined) return { value, origin: fileOrigin(source) }
  }
  return { value: otherwise, origin: { from: 'default' } }
}

/**
 * Returns the store's address if it may be used. It is not opened.
 * @throws CairnError `usage` if the workspace's settings name a store that lies outside of the workspace (links
 *   followed) and is not in the user's `trustedStores`
 */
export const usableStore = ({ store, trustedStores }: Settings): string => {
  const { value, origin, workspace } = store
  if (mayUseStore({ address: value, origin, workspace }, { trustedStores: trustedStores.value })) return value
  throw new CairnError(
    'usage',
    `${origin.from === 'workspace' ? origin.file : 'The workspace'} names a store outside of the repository, and nothing was sent there. If you trust it, list its address in your own settings (cairn config set trustedStores <address>), or name a store with --store.`,
  )
}

/**
 * Does nothing for one database, and for several on servers.
 * @throws CairnError `usage` for several databases of which one is a file: commands that work with the file would miss
 *   the others
 */
const assertNoFileAmong = (address: string): void => {
  const addresses = storeAddresses(address)
  if (addresses.length > 1 && addresses.some((one) => one.startsWith('file:')))
    throw new CairnError(
      'usage',
      `'${withoutPassword(address)}' names several databases: those of a store of several are all on PostgreSQL, none is a file.`,
    )
}

/**
 * The settings in force in `project` (default: the working folder), each with where it comes from: the workspace's
 * file, the user's, or the default; the store also from the flag or the environment. Prices are merged by model; `tell`
 * gets a sentence for a project's file with settings that count only in the user's. Rejects with `invalid-input` for a
 * broken settings file, and with `usage` for a `--store` that is no address.
 */
export const loadSettings = async (
  surroundings: Surroundings,
  flags: { readonly store?: string | undefined },
  project: string | undefined = surroundings.folder,
  tell: (sentence: string) => void = () => undefined,
): Promise<Settings> => {
  if (flags.store !== undefined && !/^(?:file:.|postgres(?:ql)?:\/\/.)/.test(flags.store)) {
    throw new CairnError(
      'usage',
      `'${withoutPassword(flags.store)}' is not the address of a store: use file:<path> or postgresql://user@host/database.`,
    )
  }
  const sources = await readSources({ ...surroundings, folder: project })
  const own = sources.filter(({ settingsPath }) => settingsPath.from === 'user')
  for (const source of sources) if (!own.includes(source)) tellIgnored(source, tell)
  const prices: Record<string, PriceOverride> = {}
  for (const { config } of sources.toReversed())
    for (const [model, price] of Object.entries(config.prices ?? {})) prices[model] = withoutMissing(price)
  const withPrices = sources.find(({ config }) => config.prices !== undefined)
  const { address, origin, workspace } = chooseStore(
    surroundings,
    sources.map(({ config, settingsPath }) => ({ settingsPath, store: config.store })),
    flags.store,
  )
  assertNoFileAmong(address)
  return {
    store: { value: address, origin, workspace },
    trustedStores: firstOf(own, (config) => config.trustedStores, []),
    timezone: firstOf(sources, (config) => config.timezone, Intl.DateTimeFormat().resolvedOptions().timeZone),
    'dashboard.port': firstOf(sources, (config) => config.dashboard?.port, 0),
    'dashboard.open': firstOf(sources, (config) => config.dashboard?.open, true),
    'dashboard.watch': firstOf(sources, (config) => config.dashboard?.watch, true),
    'watch.exclude': firstOf<readonly string[]>(sources, (config) => config.watch?.exclude, []),
    'hooks.enabled': firstOf(sources, (config) => config.hooks?.enabled, true),
    'hooks.context': firstOf(sources, (config) => config.hooks?.context, true),
    'hooks.recall': firstOf(sources, (config) => config.hooks?.recall, true),
    'hooks.import': firstOf(sources, (config) => config.hooks?.import, true),
    'hooks.changes': firstOf(sources, (config) => config.hooks?.changes, true),
    'hooks.suggestions': firstOf(sources, (config) => config.hooks?.suggestions, true),
    'hooks.incognito': firstOf(sources, (config) => config.hooks?.incognito, false),
    'hooks.checkpoints': firstOf(sources, (config) => config.hooks?.checkpoints, false),
    'checkpoints.enabled': firstOf(sources, (config) => config.checkpoints?.enabled, true),
    'statusline.segments': firstOf<readonly string[]>(sources, (config) => config.statusline?.segments, SEGMENT_NAMES),
    'backup.auto': firstOf(sources, (config) => config.backup?.auto, true),
    'team.person': firstOf(own, (config) => config.team?.person, ''),
    'team.machine': firstOf(own, (config) => config.team?.machine, ''),
    'team.gitEmail': firstOf(own, (config) => config.team?.gitEmail, false),
    'retention.sessions': firstOf(own, (config) => config.retention?.sessions, ''),
    'retention.text': firstOf(own, (config) => config.retention?.text, ''),
    'budget.day': firstOf(sources, (config) => config.budget?.day, 0),
    'budget.month': firstOf(sources, (config) => config.budget?.month, 0),
    prices: { value: prices, origin: withPrices === undefined ? { from: 'default' } : fileOrigin(withPrices) },
    subscriptions: plansOf(sources, 'subscriptions'),
    discounts: plansOf(sources, 'discounts'),
  }
}

/** Returns the plans of all sources as they hold together; the origin is the first source that has any. */
const plansOf = (sources: readonly Source[], setting: PlanSetting): Setting<PlansByProvider> => {
  const first = sources.find(({ config }) => config[setting] !== undefined)
  return {
    value: plansInForce(
      sources.map(({ config }) => config),
      setting,
    ),
    origin: first === undefined ? { from: 'default' } : fileOrigin(first),
  }
}

type ConfigPrice = NonNullable<Config['prices']>[string]

/** Returns a price without undefined optional parts. */
const withoutMissing = ({ input, output, ...others }: ConfigPrice): PriceOverride => ({
  input,
  output,
  ...Object.fromEntries(Object.entries(others).filter(([, amount]) => amount !== undefined)),
})

type Meaning = (text: string) => unknown

const asText: Meaning = (text) => text
const asNumber: Meaning = (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text))
const asSwitch: Meaning = (text) => (text === 'true' ? true : text === 'false' ? false : text)
/** Returns the parts between commas, trimmed, without empty and repeated ones. */
const asList: Meaning = (text) => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]

/** Converts the text of a setting to its value, by key; the schema refuses invalid ones. */
const VALUES: Readonly<Record<Exclude<SettingKey, keyof typeof NAMED_SETTINGS>, Meaning>> = {
  store: asText,
  timezone: asText,
  trustedStores: asList,
  'statusline.segments': asList,
  'watch.exclude': asList,
  'budget.day': asNumber,
  'budget.month': asNumber,
  'backup.auto': asSwitch,
  'team.person': asText,
  'team.machine': asText,
  'team.gitEmail': asSwitch,
  'retention.sessions': asText,
  'retention.text': asText,
  'hooks.enabled': asSwitch,
  'hooks.context': asSwitch,
  'hooks.recall': asSwitch,
  'hooks.import': asSwitch,
  'hooks.changes': asSwitch,
  'hooks.suggestions': asSwitch,
  'hooks.incognito': asSwitch,
  'hooks.checkpoints': asSwitch,
  'checkpoints.enabled': asSwitch,
  'dashboard.open': asSwitch,
  'dashboard.watch': asSwitch,
  'dashboard.port': asNumber,
}

/**
 * Returns the path of a key in the settings file and the value of its text, which the schema still has to check: text
 * that is not the number or switch that is meant stays text.
 * @throws CairnError `usage` for an unknown key and for an invalid price or plan
 */
export const parseSetting = (
  key: string,
  text: string,
): { readonly path: readonly string[]; readonly value: unknown } => {
  // As a key of an object it would be lost silently.
  if (/^\w+\.__proto__$/.test(key))
    throw new CairnError(
      'usage',
      `'__proto__' can't be the name of a ${key.startsWith('prices.') ? 'model' : 'provider'}.`,
    )
  if (key.startsWith('prices.') && key.length > 'prices.'.length)
    return { path: ['prices', key.slice('prices.'.length)], value: parsePrice(text) }
  const plans = planKey(key)
  if (plans !== undefined)
    return { path: [plans.setting, plans.provider], value: parsePlans(plans.setting, plans.provider, text) }
  const meant = new Map(Object.entries(VALUES)).get(key)
  if (meant === undefined) throw unknownKey(key)
  return { path: key.split('.'), value: meant(text) }
}

/**
 * Returns the path of a key in the settings file, whether it is set there or not.
 * @throws CairnError `usage` for an unknown key
 */
export const settingPath = (key: string): readonly string[] => {
  if (key.startsWith('prices.') && key.length > 'prices.'.length) return ['prices', key.slice('prices.'.length)]
  const plans = planKey(key)
  if (plans !== undefined) return [plans.setting, plans.provider]
  if (!Object.hasOwn(VALUES, key)) throw unknownKey(key)
  return key.split('.')
}

/** Creates (does not throw) the `usage` error for an unknown key; it lists all keys and suggests a similar one. */
export const unknownKey = (key: string): CairnError => {
  const names = [...Object.keys(SETTING_KEYS), ...Object.keys(STORED_SETTINGS)]
  const known = names.map(shownKey)
  return new CairnError(
    'usage',
    `There is no setting '${key}'; there are ${known.join(', ')}.${didYouMean(key, names)}`,
  )
}

/** Names of prices in the order of `cairn config set prices.<model>`: required ones first. */
const PRICE_NAMES = PRICE_FIELDS.toSorted((left, right) => Number(right.isRequired) - Number(left.isRequired)).map(
  ({ name }) => name,
)

/**
 * Returns `3,15,0.3` as prices by name: USD per million tokens, input and output at least, in the order of
 * `PRICE_NAMES`. @throws CairnError `usage` for anything else
 */
const parsePrice = (text: string): Record<string, number> => {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const isPrice =
    numbers.length >= 2 &&
    numbers.length <= PRICE_NAMES.length &&
    numbers.every((value) => Number.isFinite(value) && value >= 0)
  if (!isPrice) {
    throw new CairnError(
      'usage',
      `'${text}' is not a price: give two to ${PRICE_NAMES.length} amounts of USD per million tokens, in this order: ${PRICE_NAMES.join(', ')}; e.g. 3,15,0.3.`,
    )
  }
  return Object.fromEntries(numbers.map((value, index) => [PRICE_NAMES[index] ?? '', value]))
}
