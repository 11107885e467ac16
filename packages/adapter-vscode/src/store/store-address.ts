/**
 * Where the store lies, found as the `cairn` command finds it, so that both show the same: the editor's setting
 * (where the command has its flag), environment, the workspace's settings file, the user's, the default.
 */
import { posix, win32 } from 'node:path'

export interface AddressSources {
  /** The setting `cairn.store`; '' when it is not set. */
  readonly setting: string
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
  /** Folder whose `.cairn/config.json` counts; undefined when there is none, or when it is not trusted. */
  readonly workspace: string | undefined
  /** The text of a file; undefined when it can't be read. */
  readonly readText: (path: string) => string | undefined
}

const set = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value)

const storeIn = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  try {
    const config: unknown = JSON.parse(text)
    const store: unknown = typeof config === 'object' && config !== null && 'store' in config ? config.store : undefined
    return typeof store === 'string' ? set(store) : undefined
  } catch {
    // The command names a broken file and its line; here the next place counts.
    return undefined
  }
}

/** The address, its path absolute. */
export const storeAddress = ({ setting, variables, platform, home, workspace, readText }: AddressSources): string => {
  const path = platform === 'win32' ? win32 : posix
  const join = (...parts: readonly string[]): string => path.join(...parts)
  const absolute = (address: string, base: string): string =>
    address.startsWith('file:') && address.length > 'file:'.length ? `file:${path.resolve(base, address.slice('file:'.length))}` : address

  const own = set(variables['CAIRN_HOME'])
  const data =
    own !== undefined
      ? path.resolve(home, own)
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support', 'cairn')
        : platform === 'win32'
          ? join(set(variables['LOCALAPPDATA']) ?? join(home, 'AppData', 'Local'), 'cairn')
          : join(set(variables['XDG_DATA_HOME']) ?? join(home, '.local', 'share'), 'cairn')
  const isBesideStore = own !== undefined || platform === 'darwin' || platform === 'win32'
  const userFolder = isBesideStore ? data : join(set(variables['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'cairn')

  const chosen = set(setting.trim())
  if (chosen !== undefined) return absolute(chosen, workspace ?? home)
  const variable = set(variables['CAIRN_DATABASE_URL'])
  if (variable !== undefined) return absolute(variable, workspace ?? home)
  if (workspace !== undefined) {
    const ofWorkspace = storeIn(readText(join(workspace, '.cairn', 'config.json')))
    if (ofWorkspace !== undefined) return absolute(ofWorkspace, workspace)
  }
  const ofUser = storeIn(readText(join(userFolder, 'config.json')))
  return ofUser !== undefined ? absolute(ofUser, userFolder) : `file:${join(data, 'cairn.db')}`
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
