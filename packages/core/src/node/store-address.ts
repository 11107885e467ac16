/**
 * Which store is meant, and whether it may be opened. A repository's settings come with the repository: they may name a
 * file inside it, but a server, or a file elsewhere, only if the user has said so. Otherwise a clone would be enough to
 * have one's history sent to its author.
 */
import { storeAddresses } from '../store-address.ts'
import { realPathOf } from './real-path.ts'
import { defaultStore, pathsOf } from './settings-paths.ts'
import type { SettingsPath, Surroundings } from './settings-paths.ts'

/** What named a setting. `flag`: what the user said just now, be it on the command line or in the editor's settings. */
export type SettingOrigin =
  | { readonly from: 'flag' }
  | { readonly from: 'environment'; readonly name: string }
  | { readonly from: 'workspace' | 'user'; readonly file: string }
  | { readonly from: 'default' }

/** The chosen store and why it was chosen. */
export interface StoreChoice {
  /** `file:<absolute path>` or `postgresql://…`. */
  readonly address: string
  readonly origin: SettingOrigin
  /** The workspace whose settings named it; undefined when something else did. */
  readonly workspace: string | undefined
}

/** A settings file and the store that it names; undefined or '' when it names none. */
export interface StoreSource {
  readonly settingsPath: SettingsPath
  readonly store: string | undefined
}

const VARIABLE = 'CAIRN_DATABASE_URL'

/**
 * The address, or each of several, with the path of a `file:` made absolute, from `base`; any other address, also `file:`
 * alone, as it is.
 */
const absoluteAddress = (text: string, base: string, platform: NodeJS.Platform = process.platform): string =>
  storeAddresses(text)
    .map((address) =>
      address.startsWith('file:') && address.length > 'file:'.length
        ? `file:${pathsOf(platform).resolve(base, address.slice('file:'.length))}`
        : address,
    )
    .join(' ')

/**
 * Chooses the store: a flag, then CAIRN_DATABASE_URL, then settings files in the order of `sources`, then the default.
 * Empty values count as missing, but for the flag. A relative path of `file:` starts from the working folder (the home
 * folder without one); one of a settings file from its `base`. `workspace` is set only where a workspace's settings
 * named the store. Nothing is checked; see `mayUseStore`.
 */
export const chooseStore = (
  surroundings: Surroundings,
  sources: readonly StoreSource[],
  flag: string | undefined,
): StoreChoice => {
  const { variables, platform, home, folder } = surroundings
  const here = folder ?? home
  if (flag !== undefined)
    return { address: absoluteAddress(flag, here, platform), origin: { from: 'flag' }, workspace: undefined }
  const variable = variables[VARIABLE]
  if (variable !== undefined && variable !== '')
    return {
      address: absoluteAddress(variable, here, platform),
      origin: { from: 'environment', name: VARIABLE },
      workspace: undefined,
    }
  for (const { settingsPath, store } of sources) {
    if (store === undefined || store === '') continue
    const { from, file, base } = settingsPath
    return {
      address: absoluteAddress(store, base, platform),
      origin: { from, file },
      workspace: from === 'workspace' ? base : undefined,
    }
  }
  return { address: defaultStore(surroundings), origin: { from: 'default' }, workspace: undefined }
}

/** What decides whether a workspace may name a store. */
export interface StoreTrust {
  /** Addresses that the user's own settings list. */
  readonly trustedStores: readonly unknown[]
  readonly platform?: NodeJS.Platform
  /** Where a path leads once links are followed. */
  readonly realPath?: (path: string) => string
}

/**
 * Whether the store may be opened. True unless a workspace's settings name it: then only where the user has trusted the
 * address, or the file would lie in the workspace, links followed; of several addresses each one.
 */
export const mayUseStore = (
  { address, workspace }: StoreChoice,
  { trustedStores, platform = process.platform, realPath = realPathOf }: StoreTrust,
): boolean => {
  if (workspace === undefined || trustedStores.includes(address)) return true
  const { sep } = pathsOf(platform)
  const inside = realPath(workspace)
  const root = inside.endsWith(sep) ? inside : `${inside}${sep}`
  // Links may be part of a repository, too: what counts is where the file would really lie.
  return storeAddresses(address).every(
    (one) =>
      trustedStores.includes(one) || (one.startsWith('file:') && realPath(one.slice('file:'.length)).startsWith(root)),
  )
}
