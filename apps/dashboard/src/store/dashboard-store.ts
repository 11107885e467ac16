/**
 * The one store of this server, opened at the first question. Kept on globalThis, because Next may load this module
 * once for each route; bin/serve.mjs finds it there to close it.
 */
import 'server-only'
import { openStore } from '@cairn/storage-prisma'
import { CairnError } from '@cairn/core'
import type { Store } from '@cairn/core'

const KEY = Symbol.for('cairn.dashboard.store')

interface OpenedStore {
  readonly store: Promise<Store>
  /** Grows with every change that anyone makes to the store. */
  revision: number
  close(): Promise<void>
}

interface Holder {
  [KEY]?: OpenedStore | undefined
}

const holder: typeof globalThis & Holder = globalThis

const open = (): OpenedStore => {
  const address = process.env['CAIRN_STORE']
  if (address === undefined || address === '') {
    throw new CairnError('usage', 'The dashboard does not know its store: set CAIRN_STORE to file:<path> or postgresql://….')
  }
  const opened: OpenedStore = {
    store: openStore(address),
    revision: 0,
    close: async () => (await opened.store).close(),
  }
  opened.store.then(
    (store) =>
      store.onChange(() => {
        opened.revision += 1
      }),
    () => {
      // The next question tries again: what kept it from opening may be over by then.
      if (holder[KEY] === opened) holder[KEY] = undefined
    },
  )
  return opened
}

const opened = (): OpenedStore => (holder[KEY] ??= open())

/** The store. Rejects with a sentence for the reader when it can't be opened. */
export const dashboardStore = async (): Promise<Store> => opened().store

/** A number that differs when the store has changed since, for cheap and frequent asking. */
export const storeRevision = async (): Promise<number> => {
  const current = opened()
  await current.store
  return current.revision
}
