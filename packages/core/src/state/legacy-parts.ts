/** What the settings of another system are told apart into. */
import type { JsonObject, JsonValue } from '../json.ts'
import type { StoredSettingName } from './setting-names.ts'

export type LegacySystem = 'cline' | 'clio'

export interface LegacySetting {
  /** Its name in the file. */
  readonly from: string
  readonly name: StoredSettingName
  readonly value: JsonValue
}

/** A secret under the name of the provider that it is for. Never stored with settings, printed or logged. */
export interface LegacySecret {
  readonly from: string
  readonly provider: string
  readonly value: string
}

export interface LegacySettings {
  readonly system: LegacySystem
  readonly settings: readonly LegacySetting[]
  readonly secrets: readonly LegacySecret[]
  /** The agent's own ids of sessions that have a star. */
  readonly favourites: readonly string[]
  /** What has no counterpart, without secrets. */
  readonly aside: JsonObject
  /** Names of secrets of providers that are not known here. */
  readonly leftSecrets: readonly string[]
}

/** What a system's reader has understood; everything else is sorted here. */
export interface Understood {
  readonly settings: readonly LegacySetting[]
  readonly secrets: readonly LegacySecret[]
  readonly favourites: readonly string[]
  /** Names in the file that are dealt with. */
  readonly names: ReadonlySet<string>
}
