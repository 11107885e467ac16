/** Whether checkpoints may be made of a folder. */
import { objectOf } from '@cairn/core'
import type { WindowStore } from '../store/window-store.ts'

/** The settings file that says that none is made; undefined where they may be made. Throws for a broken file. */
export const disabledBy = (store: Pick<WindowStore, 'settings'>, root: string): string | undefined => {
  const setting = store
    .settings(root)
    .map(({ settingsPath, values }) => ({ settingsPath, value: objectOf(values['checkpoints'])['enabled'] }))
    .find(({ value }) => typeof value === 'boolean')
  return setting?.value === false ? setting.settingsPath.file : undefined
}
