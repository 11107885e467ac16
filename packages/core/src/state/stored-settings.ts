/** The settings in the store: the interface for programs. */
import type { JsonValue } from '../json.ts'
import type { StateScope } from '../ports/state-storage.ts'
import type { LegacySecret, LegacySystem } from './legacy-parts.ts'
import type { StoredSettingName } from './setting-names.ts'
import type { EffectiveValue, StateSubject } from './state.ts'

export interface SettingValue extends EffectiveValue<JsonValue> {
  readonly name: StoredSettingName
}

/** A stored setting that is unusable: from another version, or damaged. It stays stored. */
export interface UnusableSetting {
  readonly name: string
  readonly scope: StateScope
  readonly reason: 'invalid' | 'damaged'
}

export interface SettingList {
  readonly settings: readonly SettingValue[]
  readonly unusable: readonly UnusableSetting[]
}

/** An imported setting of another system, and the result. */
export interface TakenSetting {
  /** Its name in that system. */
  readonly from: string
  readonly name: StoredSettingName
  readonly value: JsonValue
  /** True: it, or what belongs to it, already had another value here, which stays. */
  readonly isKept: boolean
}

export interface LegacyImport {
  readonly system: LegacySystem
  readonly taken: readonly TakenSetting[]
  /** Names of settings without a counterpart; their values are set aside. */
  readonly aside: readonly string[]
  /** Provider keys, for the caller to store as secrets; they are not stored here. */
  readonly secrets: readonly LegacySecret[]
  /** The agent's own ids of starred sessions. */
  readonly favourites: readonly string[]
  /** Names of secrets that belong to no provider here: they stay in the file only. */
  readonly leftSecrets: readonly string[]
}

export interface StoredSettings {
  /** All settings in effect for a subject. */
  list(subject: StateSubject): Promise<SettingList>
  /** One setting; its value is null if nothing is set. */
  get(name: StoredSettingName, subject: StateSubject): Promise<SettingValue>
  /**
   * Sets a value from its text; it is stored when the promise resolves. @throws CairnError `usage` for a text that the
   * setting rejects or that looks like a secret, and for a tier that the setting does not have
   */
  set(name: StoredSettingName, scope: StateScope, text: string): Promise<JsonValue>
  /**
   * Switches one rules or workflow file on or off in a scope; stored when the promise resolves. The others stay as they
   * are.
   */
  switchFile(name: 'rules' | 'workflows', scope: StateScope, file: string, isOn: boolean): Promise<void>
  /** Removes a value and returns it; undefined if nothing was set. */
  unset(name: StoredSettingName, scope: StateScope): Promise<JsonValue | undefined>
  /**
   * Imports another system's settings. Existing values stay, and with `isDry` nothing is written. @throws CairnError
   * `invalid-input` if it is not a known system's
   */
  takeOver(content: JsonValue, options: { readonly scope: StateScope; readonly isDry: boolean }): Promise<LegacyImport>
  /** What was set aside of a system's settings, newest last. */
  aside(system: LegacySystem): Promise<readonly JsonValue[]>
}
