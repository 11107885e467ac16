/**
 * The store of a long-running server: opened when it is first needed, closed when it is broken, deleted or replaced,
 * and opened again by the next call, so that the server works as soon as the store is back.
 */
import { statSync } from 'node:fs'
import { CairnError, StorageError } from '@cairn/core'
import type { Engine } from '@cairn/core'

/** Access to a store for as long as a server runs. */
export interface StoreAccess {
  /** Asks the engine. Rejects when the store can't be used. */
  use<T>(ask: (engine: Engine) => Promise<T>): Promise<T>
  /** Begins to open the store, so that the first question need not wait. Does not wait itself, and ignores failures. */
  warm(): void
  /** Closes the store, if it was opened. */
  close(): Promise<void>
}

/** An open store. */
interface Opened {
  readonly engine: Promise<Engine>
  /** Device and inode of the file when it was opened; undefined until then, and for a database server. */
  identity: string | undefined
}

/** How the store is opened, and which file it is. */
export interface StoreAccessInput {
  readonly open: () => Promise<Engine>
  /** The store's file; undefined for a database server. */
  readonly file: () => Promise<string | undefined>
}

/** Least time between two checks of the open store. */
const LOOK_EVERY_MS = 1_000

/** Whether an error is a fault of the store itself, other than being busy. */
const isFault = (error: unknown): boolean =>
  CairnError.is(error) && error.code.startsWith('storage-') && error.code !== 'storage-busy'

/** Device and inode of a file, which distinguish it from one that replaced it; undefined if there is none. */
const identityOf = (file: string): string | undefined => {
  const facts = statSync(file, { throwIfNoEntry: false })
  return facts === undefined ? undefined : `${facts.dev} ${facts.ino}`
}

/** A store that can check itself. */
interface Checkable {
  check(): Promise<void>
}

/** Whether a store can check that its file is still the one that was opened. */
const isCheckable = (store: object): store is Checkable => 'check' in store && typeof store.check === 'function'

/** The error for a store whose file was deleted while it was open. */
const storeIsGone = (path: string): StorageError =>
  new StorageError(
    'storage-unavailable',
    `The store ${path} is gone: it was deleted or moved while it was open. Calls work again when it is back.`,
  )

/** Closes an engine; failures to open or to close it are ignored. */
const closeQuietly = (engine: Promise<Engine>): Promise<void> =>
  engine.then((opened) => opened.close()).catch(() => undefined)

/**
 * Creates access to a store that survives its replacement: opened by `open` when it is first needed, and again after a
 * fault or if its `file` was replaced. `use` rejects as `open`, the store's own check and the question do, and with
 * `storage-unavailable` if the file is gone, as a deleted store is not made anew; the next call tries again.
 */
export const createStoreAccess = ({ open, file }: StoreAccessInput): StoreAccess => {
  let opened: Opened | undefined
  let wasOpen = false
  let lookedAt = Number.NEGATIVE_INFINITY

  const letGo = (given: Opened): void => {
    if (opened !== given) return
    opened = undefined
    void closeQuietly(given.engine)
  }

  /** Begins to open the store; notes which file it is once it is open, and forgets it if that fails. */
  const start = (path: string | undefined): Opened => {
    const fresh: Opened = { engine: open(), identity: undefined }
    fresh.engine.then(
      () => {
        wasOpen = true
        lookedAt = performance.now()
        if (path !== undefined) fresh.identity = identityOf(path)
      },
      () => {
        // The next call tries again.
        if (opened === fresh) opened = undefined
      },
    )
    return fresh
  }

  /** The open store, opened anew if its file was replaced. Rejects if its file is gone since it was open. */
  const current = async (): Promise<Opened> => {
    const path = await file()
    const identity = path === undefined ? undefined : identityOf(path)
    if (opened?.identity !== undefined && identity !== opened.identity) letGo(opened)
    // A missing file is made at the first start only: one that was deleted is not replaced by an empty store.
    if (opened === undefined && wasOpen && path !== undefined && identity === undefined) {
      throw storeIsGone(path)
    }
    opened ??= start(path)
    return opened
  }

  return {
    use: async (ask) => {
      const given = await current()
      const engine = await given.engine
      try {
        if (performance.now() - lookedAt >= LOOK_EVERY_MS && isCheckable(engine.store)) {
          await engine.store.check()
          lookedAt = performance.now()
        }
        return await ask(engine)
      } catch (error) {
        if (isFault(error)) letGo(given)
        throw error
      }
    },
    warm: () => {
      // The call of a tool reports a failure.
      current()
        .then(({ engine }) => engine)
        .catch(() => undefined)
    },
    close: async () => {
      const last = opened
      opened = undefined
      if (last !== undefined) await closeQuietly(last.engine)
    },
  }
}
