/** The settings in effect for display: without passwords, with the source of each. */
import { withoutPassword } from '@cairn/core'
import type { Origin, SettingKey, Settings } from './settings.ts'

export interface ShownSetting {
  readonly key: SettingKey
  readonly value: unknown
  readonly origin: Origin
}

/** A setting's value as it may be shown: a store without its password. */
const shownValue = (settings: Settings, key: SettingKey): unknown => {
  const { value } = settings[key]
  if (key === 'store') return withoutPassword(settings.store.value)
  return key === 'trustedStores' ? settings.trustedStores.value.map(withoutPassword) : value
}

/** Every setting, in display order. */
export const shownSettings = (settings: Settings): readonly ShownSetting[] =>
  // The type has no others.
  (Object.keys(settings) as SettingKey[]).map((key) => ({
    key,
    value: shownValue(settings, key),
    origin: settings[key].origin,
  }))
