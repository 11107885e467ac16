/** The store of this window: the one that the settings in force name, opened again when they name another. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { CairnError, messageOf } from '@cairn/core'
import type { Store } from '@cairn/core'
import { openStore } from '@cairn/storage-prisma'
import * as vscode from 'vscode'
import { unsupportedHost } from './host-support.ts'
import { localFolders } from './open-projects.ts'
import { settingsFiles } from './settings-files.ts'
import type { SettingsFile, SettingsSources } from './settings-files.ts'
import { shownAddress, storeAddress } from './store-address.ts'
import { createStoreConnection } from './store-connection.ts'
import type { StoreConnection } from './store-connection.ts'

export interface WindowStore extends StoreConnection {
  /** Throws a CairnError when the settings name a store that may not be used. */
  address(): string
  /** The store's place, as it may be shown. */
  location(): string
  settings(): readonly SettingsFile[]
  /** Asks the settings again. */
  reopen(): void
  /** The same, if they name another store by now: the settings files of the `cairn` command can be changed anywhere. */
  lookAgain(): void
}

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const sources = (): SettingsSources => ({
  variables: process.env,
  platform: process.platform,
  home: homedir(),
  // A cloned repository must not choose which database is opened.
  folder: vscode.workspace.isTrusted ? localFolders()[0] : undefined,
  exists: existsSync,
  readText,
})

const address = (): string =>
  storeAddress({ ...sources(), setting: vscode.workspace.getConfiguration('cairn').get('store', '') })

const open = async (at: string): Promise<Store> => {
  const unsupported = unsupportedHost(process.versions)
  if (unsupported !== undefined) throw new CairnError('unsupported', unsupported)
  return openStore(at)
}

const identityOf = (at: string): string | undefined => {
  if (!at.startsWith('file:')) return at
  const facts = statSync(at.slice('file:'.length), { throwIfNoEntry: false })
  return facts === undefined ? undefined : `${facts.dev} ${facts.ino}`
}

/** Failing to name a store is a failure to open it: it shows where the sessions would. */
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
    settings: () => settingsFiles(sources()),
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
