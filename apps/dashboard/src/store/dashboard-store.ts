/**
 * The one store of this server, opened at the first question. Kept on globalThis, because Next may load this module
 * once for each route; bin/serve.mjs finds it there to close it. A store that was deleted, replaced, broken or migrated by
 * a newer version while it was open is closed, and opened again as soon as it can be read.
 */
import 'server-only'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { openStore } from '@cairn/storage-prisma'
import type { DatabaseStore } from '@cairn/storage-prisma'
import { CairnError } from '@cairn/core'
import type { ReplicaLag, Store } from '@cairn/core'
import { isTeam } from '../security/team/team.ts'
import { storeOfAsker } from '../security/team/store-of-asker.ts'
import { createFolderLooks } from './new-folders.ts'

const KEY = Symbol.for('cairn.dashboard.store')

/** Many pages and tabs ask at once; whether the store is still sound is looked at no more often, ms. */
const LOOK_EVERY_MS = 1_000

/** Distinguishes a file from another of the same name. */
interface FileIdentity {
  readonly device: number
  readonly node: number
  readonly isEmpty: boolean
}

/** A store that was opened. */
interface OpenedStore {
  readonly store: Promise<DatabaseStore>
  /** Of the file at the time of opening; undefined for a database server, and until the file is there. */
  identity: FileIdentity | undefined
  /** Grows with every change that anyone makes to the store. */
  changes: number
  /** When it was last looked at whether it is still sound, and what came of it. */
  look: { readonly at: number; readonly result: Promise<void>; replica?: Promise<ReplicaLag | null> } | undefined
  readonly lookAtFolders: ReturnType<typeof createFolderLooks>
  /** Which opening it is: a store that was replaced is another one, whatever its changes. */
  readonly opening: number
}

interface Holder {
  [KEY]?: DashboardStore | undefined
}

/** Whether a file is still the one that it was; false if it is gone. */
const isSameFile = (now: FileIdentity | undefined, before: FileIdentity): boolean =>
  now?.node === before.node && now.device === before.device

/** The store of this process, opened when it is first asked and again after it was replaced. */
class DashboardStore {
  readonly #address: string
  readonly #path: string | undefined
  #opened: OpenedStore | undefined
  #openings = 0

  constructor(address: string) {
    this.#address = address
    this.#path = address.startsWith('file:') ? resolve(address.slice('file:'.length)) : undefined
  }

  /**
   * Returns the open store, opened at the first call, which also makes its file. If the file was replaced since, the
   * old one is let go and the new one opened. Rejects with a sentence for the reader when there is none.
   */
  async current(): Promise<OpenedStore> {
    const identity = this.#identity()
    const before = this.#opened
    if (before?.identity !== undefined && !isSameFile(identity, before.identity)) this.#letGo(before)
    // At the first start the file is made. Later, an empty one must not take the place of one that was there.
    if (this.#openings > 0 && this.#opened === undefined) this.#expectFile(identity)
    const opened = (this.#opened ??= this.#open())
    await this.#look(opened, await opened.store)
    return opened
  }

  /**
   * Does nothing if the store's file is there and not empty.
   * @throws CairnError `storage-unavailable` where the store's file is gone, `storage-corrupt` where it is empty; a
   * store without a file is always there
   */
  #expectFile(identity: FileIdentity | undefined): void {
    if (this.#path !== undefined && identity === undefined) {
      throw new CairnError(
        'storage-unavailable',
        `The store ${this.#path} is gone: it was deleted or moved while it was open. This page goes on by itself when it is there again.`,
      )
    }
    // SQLite would take an empty file for a new store.
    if (identity?.isEmpty === true) {
      throw new CairnError(
        'storage-corrupt',
        `The store ${this.#path ?? ''} is damaged: its file was emptied while it was open. This page goes on by itself when a copy is back in its place.`,
      )
    }
  }

  /** After a fault that another look may not have: the next question opens the store again. */
  distrust(opened: OpenedStore): void {
    if (this.#opened === opened) this.#letGo(opened)
  }

  /** Closes the open store; nothing if none is open. Rejects as opening it did. */
  async close(): Promise<void> {
    await (await this.#opened?.store)?.close()
  }

  /**
   * Looks at the store, at most every `LOOK_EVERY_MS`. Rejects if what is in memory may not be what it holds now; after
   * a fault it is let go of.
   */
  async #look(opened: OpenedStore, store: DatabaseStore): Promise<void> {
    const now = performance.now()
    if (opened.look === undefined || now - opened.look.at >= LOOK_EVERY_MS)
      opened.look = { at: now, result: store.check() }
    try {
      await opened.look.result
    } catch (error) {
      if (isFault(error)) this.distrust(opened)
      throw error
    }
  }

  /**
   * Begins to open the store, read-only on a team's dashboard; does not wait. If that fails, the next question tries
   * again.
   */
  #open(): OpenedStore {
    const opening = this.#openings
    const opened: OpenedStore = {
      store: openStore(this.#address, { isReadOnly: isTeam() }),
      identity: undefined,
      changes: 0,
      look: undefined,
      lookAtFolders: createFolderLooks(),
      opening,
    }
    opened.store.then(
      (store) => {
        this.#openings += 1
        opened.identity = this.#identity()
        store.onChange(() => {
          opened.changes += 1
        })
      },
      () => {
        // The next question tries again: what kept it from opening may be over by then.
        if (this.#opened === opened) this.#opened = undefined
      },
    )
    return opened
  }

  /** Lets go of a store and closes it; a failure is only printed. */
  #letGo(opened: OpenedStore): void {
    this.#opened = undefined
    opened.store
      .then((store) => store.close())
      .catch((error: unknown) => console.error('the store that was let go of did not close:', error))
  }

  /** What tells the store's file from others; undefined if it is missing or the store is a server's. */
  #identity(): FileIdentity | undefined {
    if (this.#path === undefined) return undefined
    const facts = statSync(this.#path, { throwIfNoEntry: false })
    return facts === undefined ? undefined : { device: facts.dev, node: facts.ino, isEmpty: facts.size === 0 }
  }
}

const holder: typeof globalThis & Holder = globalThis

/**
 * Returns the store's address, which may contain a password.
 * @throws CairnError `usage` if none is set
 */
export const storeAddress = (): string => {
  const address = process.env['CAIRN_STORE']
  if (address !== undefined && address !== '') return address
  throw new CairnError(
    'usage',
    'The dashboard does not know its store: set CAIRN_STORE to file:<path> or postgresql://….',
  )
}

/**
 * Returns the one store of this process, made at the first call.
 * @throws CairnError `usage` if none is set
 */
const dashboardStore = (): DashboardStore => (holder[KEY] ??= new DashboardStore(storeAddress()))

/** Whether an error is a fault of the file or the connection; a store that is only busy stays open. */
const isFault = (error: unknown): boolean =>
  CairnError.is(error) && error.code.startsWith('storage-') && error.code !== 'storage-busy'

/**
 * Asks the store, which is opened if it is not, or was replaced. Rejects as `ask` does, and with a sentence for the
 * reader if it can't be read; it is then opened again the next time. Looks at new folders before, and notes what they
 * are. In a team's dashboard it doesn't, and the store is what the asker's role may see of it.
 */
export const fromStore = async <T>(ask: (store: Store) => Promise<T>): Promise<T> => {
  const dashboard = dashboardStore()
  const opened = await dashboard.current()
  try {
    const store = await opened.store
    // Folders of others are not on this machine, and nothing could be noted of them.
    if (!isTeam()) await opened.lookAtFolders(store, opened.changes)
    return await ask(storeOfAsker(store))
  } catch (error) {
    if (isFault(error)) dashboard.distrust(opened)
    throw error
  }
}

/**
 * Returns whether the store can be read now, and how far a replica is behind (null for a store that is none). Looks at
 * it once a second at most. Never rejects.
 */
export const storeReadiness = async (): Promise<{ readonly isReady: boolean; readonly replica: ReplicaLag | null }> => {
  try {
    const { look, store } = await dashboardStore().current()
    if (look === undefined) return { isReady: true, replica: null }
    look.replica ??= (await store).health.replicaLag()
    return { isReady: true, replica: await look.replica }
  } catch {
    return { isReady: false, replica: null }
  }
}

/**
 * Returns a text that changes whenever the store changes or another store is opened; cheap enough to be asked often.
 * Rejects while the store can't be read.
 */
export const storeRevision = async (): Promise<string> => {
  const dashboard = dashboardStore()
  const opened = await dashboard.current()
  // A question that costs nothing, to know whether others would be answered.
  await fromStore((store) => store.sessions.get(''))
  return `${opened.opening}.${opened.changes}`
}
