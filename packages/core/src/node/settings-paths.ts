/** Where Cairn keeps what is the user's: the data folder, the user's settings, a workspace's settings. */
import { existsSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import type { PlatformPath } from 'node:path'
import { dataFolderOf, userSettingsOf } from '../data-folder.ts'
import { folderAbove } from './folder-above.ts'

/** Home and working folder, platform and environment variables. */
export interface Surroundings {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
  /** The working folder, absolute; undefined where there is none, or none whose settings may count. */
  readonly folder: string | undefined
}

/** A settings file that there may be. */
export interface SettingsPath {
  readonly from: 'workspace' | 'user'
  readonly file: string
  /** What relative paths in it start from, and what a workspace's store must lie in. */
  readonly base: string
}

/** Whether a file or folder is there. */
export type Exists = (path: string) => boolean

/** Paths as a platform writes them, whichever this runs on: Windows, or all others. */
export const pathsOf = (platform: NodeJS.Platform): PlatformPath => (platform === 'win32' ? win32 : posix)

/**
 * The folder that the store lies in unless told otherwise, absolute: CAIRN_HOME, from the working folder where it is
 * relative; without it, or where it is empty, the system's folder for a user's data.
 */
export const dataFolder = (surroundings: Surroundings): string => {
  const { platform, home, folder } = surroundings
  return pathsOf(platform).resolve(folder ?? home, dataFolderOf(surroundings))
}

/**
 * The path of the user's settings file, absolute, whether it exists or not; with CAIRN_HOME it lies beside the store.
 */
export const userConfigPath = (surroundings: Surroundings): string => {
  const { platform, home, folder } = surroundings
  return pathsOf(platform).resolve(folder ?? home, userSettingsOf(surroundings))
}

/**
 * The workspace that a folder belongs to: the folder itself or the nearest one above that has `.cairn/config.json` or
 * `.git`, no further up than git looks (GIT_CEILING_DIRECTORIES); the folder where none has. `folder`: absolute.
 */
export const workspaceFolder = (
  folder: string,
  platform: NodeJS.Platform = process.platform,
  exists: Exists = existsSync,
): string => {
  const path = pathsOf(platform)
  for (let at: string | undefined = folder; at !== undefined; at = folderAbove(at, platform))
    if (exists(path.join(at, '.cairn', 'config.json')) || exists(path.join(at, '.git'))) return at
  return folder
}

/** The path of a workspace's settings file, `.cairn/config.json`, whether it exists or not. */
export const workspaceConfigPath = (workspace: string, platform: NodeJS.Platform = process.platform): string =>
  pathsOf(platform).join(workspace, '.cairn', 'config.json')

/** The address of the store unless told otherwise: `file:` and the path of `cairn.db` in the data folder. */
export const defaultStore = (surroundings: Surroundings): string =>
  `file:${pathsOf(surroundings.platform).join(dataFolder(surroundings), 'cairn.db')}`

/**
 * The settings files that may count, the strongest first: the workspace's, where a folder is known, then the user's;
 * each whether it exists or not. A file that is both is the user's.
 */
export const settingsPaths = (surroundings: Surroundings, exists: Exists = existsSync): readonly SettingsPath[] => {
  const { folder, platform } = surroundings
  const userFile = userConfigPath(surroundings)
  const user: SettingsPath = { from: 'user', file: userFile, base: pathsOf(platform).dirname(userFile) }
  if (folder === undefined) return [user]
  const base = workspaceFolder(folder, platform, exists)
  const file = workspaceConfigPath(base, platform)
  return file === userFile ? [user] : [{ from: 'workspace', file, base }, user]
}
