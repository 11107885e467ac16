/** The parts into which another system's settings are split. */
import type { JsonObject, JsonValue } from '../json.ts'
import type { StoredSettingName } from './setting-names.ts'

export type LegacySystem = 'cline' | 'clio'

export interface LegacySetting {
  /** Its name in the file. */
  readonly from: string
  readonly name: StoredSettingName
  readonly value: JsonValue
}

/** A secret, named by its provider. Never stored with settings, printed or logged. */
export interface LegacySecret {
  readonly from: string
  readonly provider: string
  readonly value: string
}

export interface LegacySettings {
  readonly system: LegacySystem
  readonly settings: readonly LegacySetting[]
  readonly secrets: readonly LegacySecret[]
  /** The agent's own ids of starred sessions. */
  readonly favourites: readonly string[]
  /** Settings without a counterpart, without secrets. */
  readonly aside: JsonObject
  /** Names of secrets of unknown providers. */
  readonly leftSecrets: readonly string[]
}

/** What a system's reader understood; everything else is sorted by the caller. */
export interface Understood {
  readonly settings: readonly LegacySetting[]
  readonly secrets: readonly LegacySecret[]
  readonly favourites: readonly string[]
  /** Names in the file that were handled. */
  readonly names: ReadonlySet<string>
}
