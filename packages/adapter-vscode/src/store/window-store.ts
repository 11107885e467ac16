/** The store of this window: the one that the settings in force name, opened again when they name another. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { CairnError, messageOf } from '@cairn/core'
import type { Store } from '@cairn/core'
import type { StoreChoice, Surroundings } from '@cairn/core/node'
import { openStore } from '@cairn/storage-prisma'
import * as vscode from 'vscode'
import { unsupportedHost } from './host-support.ts'
import { localFolders } from './open-projects.ts'
import { settingsFiles } from './settings-files.ts'
import type { SettingsFile, SettingsSources } from './settings-files.ts'
import { shownAddress, usableStore } from './store-address.ts'
import { createStoreConnection } from './store-connection.ts'
import type { StoreConnection } from './store-connection.ts'

/** The store of a window, and the settings around it. */
export interface WindowStore extends StoreConnection {
  /** Throws a CairnError when the settings name a store that may not be used. */
  address(): string
  /** The store's address without a password, to be shown. */
  location(): string
  /** Whether the open folder's settings name it. Throws as `address`. */
  isOfFolder(): boolean
  /** Whether there is such a store by now. Throws as `address`. */
  isThere(): boolean
  /** Where settings and data are looked for. */
  surroundings(): Surroundings
  /**
   * The settings files that count for a folder, without one for the window, the strongest first. Throws for a broken one.
   * That of a folder counts only where the window is trusted.
   */
  settings(folder?: string): readonly SettingsFile[]
  /** Lets go of the store and takes the one that the settings name now; it is opened when it is asked for. */
  reopen(): void
  /**
   * Like `reopen`, but only where the settings name another store now: other programs may change the settings files.
   */
  lookAgain(): void
}

/** Returns the text of a file; undefined if it can't be read. */
const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Where settings come from: environment, user's folder, and the folder, by default the first that is open, if it is trusted. */
const sources = (folder = localFolders()[0]): SettingsSources => ({
  variables: process.env,
  platform: process.platform,
  home: homedir(),
  // A cloned repository must not choose which database is opened.
  folder: vscode.workspace.isTrusted ? folder : undefined,
  exists: existsSync,
  readText,
})

/**
 * Returns the store that the settings name.
 * @throws CairnError if it may not be used
 */
const chosen = (): StoreChoice =>
  usableStore({ ...sources(), setting: vscode.workspace.getConfiguration('cairn').get('store', '') })

/**
 * Returns the address of the store that the settings name.
 * @throws CairnError if it may not be used
 */
const address = (): string => chosen().address

/** Opens the store. Rejects with `unsupported` if this editor can't load its native code. */
const open = async (at: string): Promise<Store> => {
  const unsupported = unsupportedHost(process.versions)
  if (unsupported !== undefined) throw new CairnError('unsupported', unsupported)
  return openStore(at)
}

/**
 * Returns what distinguishes a store from another one at the same address; undefined for a file that does not exist.
 */
const identityOf = (at: string): string | undefined => {
  if (!at.startsWith('file:')) return at
  const facts = statSync(at.slice('file:'.length), { throwIfNoEntry: false })
  return facts === undefined ? undefined : `${facts.dev} ${facts.ino}`
}

/** Connects to the store that the settings name. If it may not be used, opening it rejects with the reason. */
const connect = (): StoreConnection => {
  try {
    const at = address()
    return createStoreConnection({ open: () => open(at), identity: () => identityOf(at) })
  } catch (error) {
    return createStoreConnection({
      open: () => Promise.reject(error instanceof Error ? error : new Error(String(error))),
      identity: () => 'unusable',
    })
  }
}

/**
 * Returns the store of a window, connected to the one that the settings name. `address` throws if it may not be used;
 * `location` then returns words for it. `lookAgain` opens another store if the settings name one now; `reopen` in any
 * case.
 */
export const createWindowStore = (): WindowStore => {
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const connectAndFollow = (): StoreConnection => {
    const connection = connect()
    connection.onChange(tell)
    return connection
  }
  const currentAddress = (): string => {
    try {
      return address()
    } catch (error) {
      return `unusable: ${messageOf(error)}`
    }
  }
  let openedAddress = currentAddress()
  let current = connectAndFollow()

  const reopen = (): void => {
    void current.close()
    openedAddress = currentAddress()
    current = connectAndFollow()
    tell()
  }

  return {
    address,
    location: () => {
      try {
        return shownAddress(address())
      } catch {
        return 'no store that may be used'
      }
    },
    isOfFolder: () => chosen().workspace !== undefined,
    isThere: () => identityOf(address()) !== undefined,
    surroundings: () => sources(),
    settings: (folder) => settingsFiles(sources(folder)),
    store: () => current.store(),
    storeForWriting: () => current.storeForWriting(),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reopen,
    lookAgain: () => {
      if (currentAddress() !== openedAddress) reopen()
    },
    close: () => {
      listeners.clear()
      return current.close()
    },
  }
}
