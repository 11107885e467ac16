/**
 * The store's address. The editor's setting counts as the `cairn` command's flag does; everything else is the same rule
 * in core.
 */
import { CairnError, stringOf } from '@cairn/core'
import { chooseStore, mayUseStore, userConfigPath } from '@cairn/core/node'
import type { StoreChoice, StoreTrust } from '@cairn/core/node'
import { settingsFiles } from './settings-files.ts'
import type { SettingsSources } from './settings-files.ts'

/** Where the store's address is looked for. */
export interface AddressSources extends SettingsSources, Pick<StoreTrust, 'realPath'> {
  /** The setting `cairn.store`; '' when it is not set. */
  readonly setting: string
}

/**
 * The address of the store, its path absolute: of the editor's setting, the environment, settings files, else the
 * default.
 * @throws CairnError `usage` when the workspace names a store outside of it that the user has not trusted: else opening
 * a clone and importing would be enough to send one's history to its author. `invalid-input` for a broken settings
 * file.
 */
export const storeAddress = (sources: AddressSources): string => usableStore(sources).address

/**
 * Returns the store as {@link storeAddress} does, with what named it. A store that may not be used is refused.
 * @throws CairnError as that does
 */
export const usableStore = (sources: AddressSources): StoreChoice => {
  const configured = sources.setting.trim()
  // The editor's setting counts even where a settings file is broken.
  if (configured !== '') return chooseStore(sources, [], configured)
  const files = settingsFiles(sources)
  const choice = chooseStore(
    sources,
    files.map(({ settingsPath, values }) => ({ settingsPath, store: stringOf(values['store']) })),
    undefined,
  )
  const trusted: unknown = files.find(({ settingsPath }) => settingsPath.from === 'user')?.values['trustedStores']
  if (mayUseStore(choice, { ...sources, trustedStores: Array.isArray(trusted) ? trusted : [] })) return choice
  throw new CairnError(
    'usage',
    `${choice.origin.from === 'workspace' ? choice.origin.file : 'This folder'} names a store outside of this folder, and it was not opened. If you trust it, list its address under "trustedStores" in ${userConfigPath(sources)}, or name a store in the setting "cairn.store".`,
  )
}

/**
 * Returns a store's address for display: a file's path, or a server's address without its password and query; `the
 * configured store` for text that is not an address.
 */
export const shownAddress = (address: string): string => {
  if (address.startsWith('file:')) return address.slice('file:'.length)
  try {
    const url = new URL(address)
    url.password = ''
    url.search = ''
    return url.href
  } catch {
    return 'the configured store'
  }
}
