/** Where the `cairn` command keeps its settings, and what of them the editor heeds. */
import { posix, win32 } from 'node:path'
import { objectOf } from '@cairn/core'
import type { JsonObject, JsonValue, PriceOverride } from '@cairn/core'

export interface SettingsSources {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
  /** The open folder; undefined when there is none, or when it is not trusted. */
  readonly workspace: string | undefined
  /** The text of a file; undefined when it can't be read. */
  readonly readText: (path: string) => string | undefined
}

export interface SettingsFile {
  readonly path: string
  /** What relative paths in it start from. */
  readonly base: string
  readonly values: JsonObject
}

export interface SettingsFiles {
  /** Where the store lies unless told otherwise. */
  readonly dataFolder: string
  readonly workspace: SettingsFile | undefined
  readonly user: SettingsFile | undefined
}

const set = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value)

/** The command names a broken file and its line; here the next place counts. */
const valuesIn = (text: string): JsonObject | undefined => {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

export const settingsFiles = ({ variables, platform, home, workspace, readText }: SettingsSources): SettingsFiles => {
  const path = platform === 'win32' ? win32 : posix
  const own = set(variables['CAIRN_HOME'])
  const dataFolder =
    own !== undefined
      ? path.resolve(home, own)
      : platform === 'darwin'
        ? path.join(home, 'Library', 'Application Support', 'cairn')
        : platform === 'win32'
          ? path.join(set(variables['LOCALAPPDATA']) ?? path.join(home, 'AppData', 'Local'), 'cairn')
          : path.join(set(variables['XDG_DATA_HOME']) ?? path.join(home, '.local', 'share'), 'cairn')
  const isBesideStore = own !== undefined || platform === 'darwin' || platform === 'win32'
  const userFolder = isBesideStore ? dataFolder : path.join(set(variables['XDG_CONFIG_HOME']) ?? path.join(home, '.config'), 'cairn')

  const fileIn = (file: string, base: string): SettingsFile | undefined => {
    const text = readText(file)
    const values = text === undefined ? undefined : valuesIn(text)
    return values === undefined ? undefined : { path: file, base, values }
  }

  /** The nearest folder above that has settings: an open folder may be a part of a repository. */
  const workspaceFile = (folder: string): SettingsFile | undefined => {
    const found = fileIn(path.join(folder, '.cairn', 'config.json'), folder)
    const above = path.dirname(folder)
    return found !== undefined || above === folder || folder === home ? found : workspaceFile(above)
  }

  return {
    dataFolder,
    workspace: workspace === undefined ? undefined : workspaceFile(workspace),
    user: fileIn(path.join(userFolder, 'config.json'), userFolder),
  }
}

const FIELDS = ['cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const

const priceOf = (value: JsonValue | undefined): PriceOverride | undefined => {
  const fields = objectOf(value)
  const amount = (name: string): number | undefined => {
    const found = fields[name]
    return typeof found === 'number' && found >= 0 ? found : undefined
  }
  const input = amount('input')
  const output = amount('output')
  if (input === undefined || output === undefined) return undefined
  return { input, output, ...Object.fromEntries(FIELDS.flatMap((name) => (amount(name) === undefined ? [] : [[name, amount(name)]]))) }
}

/** The user's own prices by model; those of the workspace come first. */
export const ownPrices = ({ workspace, user }: SettingsFiles): Readonly<Record<string, PriceOverride>> => {
  const prices: Record<string, PriceOverride> = {}
  for (const file of [user, workspace]) {
    for (const [model, value] of Object.entries(objectOf(file?.values['prices']))) {
      const price = priceOf(value)
      if (price !== undefined) prices[model] = price
    }
  }
  return prices
}
