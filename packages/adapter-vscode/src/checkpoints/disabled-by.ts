/** Whether checkpoints may be made of a folder. */
import { objectOf } from '@cairn/core'
import type { WindowStore } from '../store/window-store.ts'

/**
 * Returns the settings file that turns checkpoints off for a folder; undefined if they may be made.
 * @throws CairnError for a settings file that can't be read
 */
export const disabledBy = (store: Pick<WindowStore, 'settings'>, root: string): string | undefined => {
  const setting = store
    .settings(root)
    .map(({ settingsPath, values }) => ({ settingsPath, value: objectOf(values['checkpoints'])['enabled'] }))
    .find(({ value }) => typeof value === 'boolean')
  return setting?.value === false ? setting.settingsPath.file : undefined
}
