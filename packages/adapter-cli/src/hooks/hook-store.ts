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
 * Opens the store at an address for a brief read; undefined if there is no store yet, or no address. Rejects with a
 * `StorageError` if it can't be read.
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
