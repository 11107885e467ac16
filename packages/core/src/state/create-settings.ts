/**
 * The settings in the store, based on a state: read again for each query, and stored before a change is acknowledged.
 */
import { CairnError } from '../errors.ts'
import { isJsonObject } from '../json.ts'
import type { JsonValue } from '../json.ts'
import type { StateScope, StateStorage } from '../ports/state-storage.ts'
import { createState } from './create-state.ts'
import type { StateDeps } from './create-state.ts'
import { legacySettings } from './legacy-settings.ts'
import type { LegacySettings, LegacySystem } from './legacy-parts.ts'
import { SETTING_KEYS, settingKey } from './setting-keys.ts'
import type { SettingKey } from './setting-keys.ts'
import type { StoredSettingName } from './setting-names.ts'
import { isSameJson, scopeName } from './state-key.ts'
import type { State, StateSubject } from './state.ts'
import type { LegacyImport, SettingList, StoredSettings, TakenSetting, UnusableSetting } from './stored-settings.ts'

export interface SettingsDeps extends Pick<StateDeps, 'timer' | 'now'> {
  readonly storage: StateStorage
  readonly isSecret: (text: string) => boolean
}

const GLOBAL: StateScope = { tier: 'global' }

/** Imported settings without a counterpart here are kept under this prefix, with the system and a time. */
const IMPORTED = 'imported/'

/** Settings that are imported together or not at all: a model is useless with another provider's address. */
const TOGETHER: readonly (readonly StoredSettingName[])[] = [
  ['model', 'provider', 'baseUrl'],
  ['plan.model', 'plan.provider'],
]

/**
 * Creates the stored settings. `set` rejects with a CairnError `usage` for an invalid value and for a tier that the
 * setting does not have. An invalid stored value is listed as unusable and stays stored.
 */
export const createSettings = (deps: SettingsDeps): StoredSettings => new CachedSettings(deps)

class CachedSettings implements StoredSettings {
  readonly #deps: SettingsDeps
  readonly #state: State
  readonly #unusable = new Map<string, UnusableSetting>()

  constructor(deps: SettingsDeps) {
    this.#deps = deps
    this.#state = createState({ ...deps, keys: SETTING_KEYS })
    this.#state.listen((event) => {
      if (event.type !== 'refused' && event.type !== 'changed') return
      const id = JSON.stringify([event.scope, event.key])
      if (event.type === 'changed') this.#unusable.delete(id)
      else this.#unusable.set(id, { name: event.key, scope: event.scope, reason: event.reason })
    })
  }

  /** All settings as they hold for the subject, and stored values that can't be used, with the reason. */
  async list(subject: StateSubject): Promise<SettingList> {
    const scopes = await this.#open(subject)
    const names = new Set(scopes.map((scope) => JSON.stringify(scope)))
    return {
      settings: SETTING_KEYS.map((key) => ({ name: key.name, ...this.#state.effective(key, subject) })),
      unusable: [...this.#unusable.values()].filter(({ scope }) => names.has(JSON.stringify(scope))),
    }
  }

  /** The value that holds for a subject, and from where it is. */
  async get(name: StoredSettingName, subject: StateSubject) {
    await this.#open(subject)
    return { name, ...this.#state.effective(settingKey(name), subject) }
  }

  /**
   * Stores a setting given as text, and returns its value once it is written. Rejects with `usage`, and nothing is
   * changed, for a wrong value, one that looks like a secret, or a scope it can't have.
   */
  async set(name: StoredSettingName, scope: StateScope, text: string): Promise<JsonValue> {
    const key = settingKey(name)
    assertTier(key, scope)
    const parsed = key.schema.safeParse(key.read(text))
    if (!parsed.success)
      throw new CairnError('usage', `${name} must be ${key.takes}, and what was given is not; it is as it was.`)
    await this.#openScopes([scope])
    this.#state.set(key, scope, parsed.data)
    await this.#state.flush()
    return parsed.data
  }

  /**
   * Turns one file of rules or workflows on or off; the others stay. Rejects with `usage`, and nothing is changed, for
   * a scope it can't have, a path that is not valid, and more files than it takes.
   */
  async switchFile(name: 'rules' | 'workflows', scope: StateScope, file: string, isOn: boolean): Promise<void> {
    const key = settingKey(name)
    assertTier(key, scope)
    await this.#openScopes([scope])
    const before = this.#state.get(key, scope)
    const parsed = key.schema.safeParse({ ...(isJsonObject(before) ? before : {}), [file]: isOn })
    if (!parsed.success)
      throw new CairnError(
        'usage',
        `${name} must be ${key.takes}, and with this one they are not; they are as they were.`,
      )
    this.#state.set(key, scope, parsed.data)
    await this.#state.flush()
  }

  /**
   * Removes a setting's value from a scope; returns the value that was there, undefined for none. Rejects with `usage`
   * for a scope it can't have.
   */
  async unset(name: StoredSettingName, scope: StateScope): Promise<JsonValue | undefined> {
    const key = settingKey(name)
    assertTier(key, scope)
    await this.#openScopes([scope])
    const before = this.#state.get(key, scope)
    this.#state.unset(key, scope)
    await this.#state.flush()
    return before ?? undefined
  }

  /**
   * Takes settings over from another program; those set here to another value stay, and so do those that belong to them
   * (model, provider and address). What has no counterpart or is not valid here is kept aside; secrets are given back,
   * not stored. With `isDry` nothing is written. Rejects with `invalid-input` for what is no such file.
   */
  async takeOver(
    content: JsonValue,
    { scope, isDry }: { readonly scope: StateScope; readonly isDry: boolean },
  ): Promise<LegacyImport> {
    const legacy = legacySettings(content, this.#deps.isSecret)
    await this.#openScopes([scope, GLOBAL])
    const kept = this.#keptOf(legacy, scope)
    const taken = legacy.settings.flatMap((setting) => this.#takeOne(setting, { scope, isDry, kept }))
    const values = asideOf(legacy, new Set(taken.map(({ from }) => from)))
    if (!isDry) {
      await this.#state.flush()
      await this.#keepAside(legacy.system, values)
    }
    const { system, secrets, favourites, leftSecrets } = legacy
    return { system, taken, aside: Object.keys(values), secrets, favourites, leftSecrets }
  }

  /** Names already set to another value here, including all that belong to them. Those with the same value are none. */
  #keptOf({ settings }: LegacySettings, scope: StateScope): ReadonlySet<StoredSettingName> {
    const isOther = ({ name, value }: LegacySettings['settings'][number]): boolean => {
      const before = this.#state.get(settingKey(name), scope)
      return before !== null && !isSameJson(before, value)
    }
    const names = settings.filter(isOther).map(({ name }) => name)
    return new Set(names.flatMap((name) => TOGETHER.find((group) => group.includes(name)) ?? [name]))
  }

  /**
   * Sets a setting unless it is kept or this is a dry run, and gives it; nothing for a value or tier that is not valid
   * here.
   */
  #takeOne(
    { from, name, value }: LegacySettings['settings'][number],
    {
      scope,
      isDry,
      kept,
    }: { readonly scope: StateScope; readonly isDry: boolean; readonly kept: ReadonlySet<StoredSettingName> },
  ): readonly TakenSetting[] {
    const key = settingKey(name)
    const parsed = key.schema.safeParse(value)
    if (!key.tiers.includes(scope.tier) || !parsed.success) return []
    const isKept = kept.has(name)
    if (!isKept && !isDry) this.#state.set(key, scope, parsed.data)
    return [{ from, name, value: parsed.data, isKept }]
  }

  /** Keeps values that can't be taken over, unless the same are kept already. */
  async #keepAside(system: LegacySystem, values: Readonly<Record<string, JsonValue>>): Promise<void> {
    if (Object.keys(values).length === 0) return
    const before = await this.aside(system)
    if (before.some((each) => isSameJson(each, values))) return
    await this.#deps.storage.set(GLOBAL, new Map([[`${IMPORTED}${system}/${this.#deps.now()}`, values]]))
  }

  /** What was set aside when a system's settings were taken over. */
  async aside(system: LegacySystem): Promise<readonly JsonValue[]> {
    const all = await this.#deps.storage.all(GLOBAL)
    return [...all].filter(([key]) => key.startsWith(`${IMPORTED}${system}/`)).map(([, value]) => value)
  }

  /** Reads the scopes of a subject, the widest first, and returns them. */
  async #open({ workspace, sessionId }: StateSubject): Promise<readonly StateScope[]> {
    const scopes: readonly StateScope[] = [
      GLOBAL,
      ...(workspace === undefined ? [] : [{ tier: 'workspace', workspace } as const]),
      ...(sessionId === undefined ? [] : [{ tier: 'session', sessionId } as const]),
    ]
    await this.#openScopes(scopes)
    return scopes
  }

  /** Reads scopes, and what others have changed in them since. */
  async #openScopes(scopes: readonly StateScope[]): Promise<void> {
    await this.#state.open(...scopes)
    await this.#state.refresh()
  }
}

/** Throws `usage` for a tier that the setting does not have. */
const assertTier = ({ name, tiers }: SettingKey, scope: StateScope): void => {
  if (tiers.includes(scope.tier)) return
  throw new CairnError('usage', `${name} can't be set for ${scopeName(scope)}; nothing was changed.`)
}

/**
 * What to set aside: values without a counterpart, and values that their counterpart rejects. `taken`: the names of
 * values that were taken over.
 */
const asideOf = (legacy: LegacySettings, taken: ReadonlySet<string>): Readonly<Record<string, JsonValue>> => {
  const refused = legacy.settings
    .filter(({ from }) => !taken.has(from))
    .map(({ from, value }) => [from, value] as const)
  return { ...Object.fromEntries(refused), ...(isJsonObject(legacy.aside) ? withoutMissing(legacy.aside) : {}) }
}

const withoutMissing = (values: Readonly<Record<string, JsonValue | undefined>>): Record<string, JsonValue> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
