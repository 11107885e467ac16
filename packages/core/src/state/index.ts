/** `@cairn/core/state`: settings and state in three tiers. */
export { createState, type StateDeps } from './create-state.ts'
export { isStoredSetting, STORED_SETTINGS, type StoredSettingName } from './setting-names.ts'
export type { StateEvent } from './state-event.ts'
export type { StateKey, ValueSchema } from './state-key.ts'
export type { State, StateSubject } from './state.ts'
export type { LegacyImport, SettingList, SettingValue, StoredSettings } from './stored-settings.ts'
