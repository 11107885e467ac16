/** Where Cairn keeps what is the user's: the data folder, the user's settings, a workspace's settings. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export interface Surroundings {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
  /** The working folder, absolute. */
  readonly folder: string
}

/** Those of this process. */
export const surroundingsOfProcess = (): Surroundings => ({
  variables: process.env,
  platform: process.platform,
  home: homedir(),
  folder: process.cwd(),
})

const set = (value: string | undefined): string | undefined => (value === undefined || value === '' ? undefined : value)

/** Where the store lies unless told otherwise: CAIRN_HOME, else the system's folder for a user's data. */
export const dataFolder = ({ variables, platform, home, folder }: Surroundings): string => {
  const own = set(variables['CAIRN_HOME'])
  if (own !== undefined) return resolve(folder, own)
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'cairn')
  if (platform === 'win32') return join(set(variables['LOCALAPPDATA']) ?? join(home, 'AppData', 'Local'), 'cairn')
  return join(set(variables['XDG_DATA_HOME']) ?? join(home, '.local', 'share'), 'cairn')
}

/** The user's settings; with CAIRN_HOME they lie beside the store. */
export const userConfigPath = (surroundings: Surroundings): string => {
  const { variables, platform, home } = surroundings
  if (set(variables['CAIRN_HOME']) !== undefined || platform === 'darwin' || platform === 'win32') return join(dataFolder(surroundings), 'config.json')
  return join(set(variables['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'cairn', 'config.json')
}

/** The workspace that a folder belongs to: the nearest one above with settings or a repository, else the folder. */
export const workspaceFolder = (folder: string): string => {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.cairn', 'config.json')) || existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return folder
  }
}

/** A workspace's settings. */
export const workspaceConfigPath = (workspace: string): string => join(workspace, '.cairn', 'config.json')

/** The store's address unless told otherwise. */
export const defaultStore = (surroundings: Surroundings): string => `file:${join(dataFolder(surroundings), 'cairn.db')}`
