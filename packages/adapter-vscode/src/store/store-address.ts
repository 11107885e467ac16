/**
 * Where the store lies, found as the `cairn` command finds it, so that both show the same: the editor's setting
 * (where the command has its flag), environment, the workspace's settings file, the user's, the default.
 */
import { posix, win32 } from 'node:path'
import { CairnError, stringOf } from '@cairn/core'
import { settingsFiles } from './settings-files.ts'
import type { SettingsFile, SettingsSources } from './settings-files.ts'

export interface AddressSources extends SettingsSources {
  /** The setting `cairn.store`; '' when it is not set. */
  readonly setting: string
}

const set = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value)

const storeOf = (file: SettingsFile | undefined): string | undefined => set(stringOf(file?.values['store']))

const trustedStores = (file: SettingsFile | undefined): readonly unknown[] => {
  const list: unknown = file?.values['trustedStores']
  return Array.isArray(list) ? list : []
}

/**
 * The address, its path absolute. Throws a CairnError when the workspace names a store outside of it that the user has
 * not trusted: else opening a clone and importing would be enough to send one's history to its author.
 */
export const storeAddress = (sources: AddressSources): string => {
  const { setting, variables, platform, home, workspace } = sources
  const path = platform === 'win32' ? win32 : posix
  const absolute = (address: string, base: string): string =>
    address.startsWith('file:') && address.length > 'file:'.length ? `file:${path.resolve(base, address.slice('file:'.length))}` : address

  const chosen = set(setting.trim())
  if (chosen !== undefined) return absolute(chosen, workspace ?? home)
  const variable = set(variables['CAIRN_DATABASE_URL'])
  if (variable !== undefined) return absolute(variable, workspace ?? home)

  const files = settingsFiles(sources)
  const ofWorkspace = storeOf(files.workspace)
  if (files.workspace !== undefined && ofWorkspace !== undefined) {
    const { base } = files.workspace
    const address = absolute(ofWorkspace, base)
    if (address.startsWith(`file:${base.endsWith(path.sep) ? base : base + path.sep}`) || trustedStores(files.user).includes(address)) return address
    throw new CairnError(
      'usage',
      `${files.workspace.path} names a store outside of this folder, and it was not opened. If you trust it, list its address under "trustedStores" in your own settings file, or name a store in the setting "cairn.store".`,
    )
  }
  const ofUser = storeOf(files.user)
  return files.user !== undefined && ofUser !== undefined ? absolute(ofUser, files.user.base) : `file:${path.join(files.dataFolder, 'cairn.db')}`
}

/** The address as it may be shown: without a password. */
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
