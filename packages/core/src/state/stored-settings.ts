/** The settings in the store, as programs ask for them. */
import type { JsonValue } from '../json.ts'
import type { StateScope } from '../ports/state-storage.ts'
import type { LegacySecret, LegacySystem } from './legacy-parts.ts'
import type { StoredSettingName } from './setting-names.ts'
import type { EffectiveValue, StateSubject } from './state.ts'

export interface SettingValue extends EffectiveValue<JsonValue> {
  readonly name: StoredSettingName
}

/** A stored setting that can't be used: of another version, or damaged. It stays where it is. */
export interface UnusableSetting {
  readonly name: string
  readonly scope: StateScope
  readonly reason: 'invalid' | 'damaged'
}

export interface SettingList {
  readonly settings: readonly SettingValue[]
  readonly unusable: readonly UnusableSetting[]
}

/** A setting of another system, and what became of it. */
export interface TakenSetting {
  /** Its name there. */
  readonly from: string
  readonly name: StoredSettingName
  readonly value: JsonValue
  /** It, or what belongs to it, was set to another value here before, and stays. */
  readonly isKept: boolean
}

export interface LegacyImport {
  readonly system: LegacySystem
  readonly taken: readonly TakenSetting[]
  /** Names of what has no counterpart here; the values are kept aside. */
  readonly aside: readonly string[]
  /** Keys of providers, for whoever keeps secrets; they are stored nowhere. */
  readonly secrets: readonly LegacySecret[]
  /** The agent's own ids of sessions that have a star. */
  readonly favourites: readonly string[]
  /** Names of secrets that no provider here has: they stay in the file, and nowhere else. */
  readonly leftSecrets: readonly string[]
}

export interface StoredSettings {
  /** All settings that hold for a subject. */
  list(subject: StateSubject): Promise<SettingList>
  /** One of them; its value is null where nothing is set. */
  get(name: StoredSettingName, subject: StateSubject): Promise<SettingValue>
  /**
   * Sets a value from its text; stored when it resolves. @throws CairnError `usage` for a text that the setting does not
   * take, one that looks like a secret, and a tier that it does not have
   */
  set(name: StoredSettingName, scope: StateScope, text: string): Promise<JsonValue>
  /** Switches one file of rules or workflows on or off in a scope; stored when it resolves. The others stay as they are. */
  switchFile(name: 'rules' | 'workflows', scope: StateScope, file: string, isOn: boolean): Promise<void>
  /** Returns what was set in the scope; undefined: nothing. */
  unset(name: StoredSettingName, scope: StateScope): Promise<JsonValue | undefined>
  /**
   * Takes over what was read of another system's settings. What is set here already stays, and nothing is written with
   * `isDry`. @throws CairnError `invalid-input` where it is not that of a system that is known
   */
  takeOver(content: JsonValue, options: { readonly scope: StateScope; readonly isDry: boolean }): Promise<LegacyImport>
  /** What was kept aside of a system's settings, the newest last. */
  aside(system: LegacySystem): Promise<readonly JsonValue[]>
}
