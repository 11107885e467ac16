/** Where Cairn keeps what is the user's, by the customs of each system. Text alone: nothing is looked up. */

export interface DataFolderInput {
  /** The user's home folder, absolute. */
  readonly home: string
  readonly platform: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

const set = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value)

/**
 * The path of the user's settings file, whether it exists or not; with CAIRN_HOME, and on macOS and Windows, it lies in
 * the data folder. An empty variable counts as not set.
 */
export const userSettingsOf = (environment: DataFolderInput): string => {
  const { home, platform, variables } = environment
  if (set(variables['CAIRN_HOME']) !== undefined || platform === 'darwin' || platform === 'win32')
    return `${dataFolderOf(environment)}${platform === 'win32' ? '\\' : '/'}config.json`
  return `${set(variables['XDG_CONFIG_HOME']) ?? `${home}/.config`}/cairn/config.json`
}

/**
 * The data folder: CAIRN_HOME as it is given, which may be relative to the working folder; else the system's folder for
 * a user's data. Empty variables count as not set.
 */
export const dataFolderOf = ({ home, platform, variables }: DataFolderInput): string => {
  const own = set(variables['CAIRN_HOME'])
  if (own !== undefined) return own
  if (platform === 'darwin') return `${home}/Library/Application Support/cairn`
  if (platform === 'win32') return `${set(variables['LOCALAPPDATA']) ?? `${home}\\AppData\\Local`}\\cairn`
  return `${set(variables['XDG_DATA_HOME']) ?? `${home}/.local/share`}/cairn`
}
