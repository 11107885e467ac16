/** The settings in effect for display: without passwords, with the source of each. */
import { withoutPassword } from '@cairn/core'
import type { Origin, SettingKey, Settings } from './settings.ts'

/** A setting for display. */
export interface ShownSetting {
  readonly key: SettingKey
  readonly value: unknown
  readonly origin: Origin
}

/** Returns the value of a setting without passwords of addresses. */
const shownValue = (settings: Settings, key: SettingKey): unknown => {
  const { value } = settings[key]
  if (key === 'store') return withoutPassword(settings.store.value)
  return key === 'trustedStores' ? settings.trustedStores.value.map(withoutPassword) : value
}

/** Returns every setting with its value (without passwords) and origin, in display order. */
export const shownSettings = (settings: Settings): readonly ShownSetting[] =>
  // The type has no others.
  (Object.keys(settings) as SettingKey[]).map((key) => ({
    key,
    value: shownValue(settings, key),
    origin: settings[key].origin,
  }))
