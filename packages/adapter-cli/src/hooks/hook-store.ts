/**
 * The store as hooks read it: a file through a small separate reader, a server through the store that all commands use.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Store } from '@cairn/core'
import { openReadingStore } from '@cairn/storage-prisma/reading'

/** The parts of a store that hooks read. */
export type HookStore = Pick<Store, 'sessions' | 'memory' | 'notes' | 'state' | 'search' | 'close'>

/** Built with the command, next to this program. */
const SHARED_STORE = './shared-store.js'

/**
 * Opens the store at an address to read it; the caller closes it. Undefined without an address, or if the file of a
 * `file:` address is missing or still being made. A file is opened for reading only, never made or migrated; a server as
 * commands open it, which makes or migrates its tables. Rejects if the store can't be read: with a `StorageError`, with
 * SQLite's own error for a locked or damaged file, with a `CairnError` for an invalid address.
 */
export const openHookStore = async (address: string | undefined): Promise<HookStore | undefined> => {
  if (address === undefined) return undefined
  if (!address.startsWith('file:')) {
    const { openStore } = (await import(fileURLToPath(new URL(SHARED_STORE, import.meta.url)))) as {
      openStore: (address: string) => Promise<HookStore>
    }
    return openStore(address)
  }
  const path = address.slice('file:'.length)
  return existsSync(path) ? openReadingStore(path) : undefined
}
