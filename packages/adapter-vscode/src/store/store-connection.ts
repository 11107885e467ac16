/**
 * The one connection of a window to the store: opened when it is first needed, shared by all views, and opened again
 * when the file appears, disappears or is replaced. Reports changes by any process.
 */
import type { Store } from '@cairn/core'

/** What a connection needs. */
export interface StoreConnectionDeps {
  /** Opens the store; makes it where it is missing. */
  readonly open: () => Promise<Store>
  /** What tells one store from another at the same address, undefined where there is none. Asked often, so it must be cheap. */
  readonly identity: () => string | undefined
  /** Time between two looks at the identity, ms. */
  readonly lookEveryMs?: number
}

/** A window's connection to its store, opened when it is first needed. */
export interface StoreConnection {
  /**
   * The open store; undefined where there is none yet, as reading must not make one. Rejects when it can't be opened.
   */
  store(): Promise<Store | undefined>
  /** The open store, made where it is missing. */
  storeForWriting(): Promise<Store>
  /** Calls back soon after a change, at most a few times a second. Returns the end of the subscription. */
  onChange(listener: () => void): () => void
  /** Closes the store, if it is open; nobody is called back any more. */
  close(): Promise<void>
}

const LOOK_EVERY_MS = 1_000
/** Changes within this time are reported once, ms: an import writes many times a second. */
const AFTER_CHANGE_MS = 200

/** A store that was opened. */
interface Opened {
  identity: string | undefined
  readonly store: Promise<Store>
  stopFollowing: () => void
}

/** Reports changes to listeners, many within a moment only once. */
interface ChangeSignal {
  readonly fire: () => void
  /** Returns the end of the subscription. */
  readonly subscribe: (listener: () => void) => () => void
  readonly close: () => void
}

/** Returns a signal without listeners. Several `fire` within a moment call them once; after `close` none is called. */
const createChangeSignal = (): ChangeSignal => {
  const listeners = new Set<() => void>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  return {
    fire: () => {
      if (isClosed) return
      timer ??= setTimeout(() => {
        timer = undefined
        for (const listener of listeners) listener()
      }, AFTER_CHANGE_MS)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      listeners.clear()
    },
  }
}

/**
 * Calls `onChange` whenever the identity differs from the last look. Returns a function that stops this. It keeps no
 * program alive.
 */
const watchIdentity = (identity: () => string | undefined, everyMs: number, onChange: () => void): (() => void) => {
  let seen = identity()
  const timer = setInterval(() => {
    const now = identity()
    if (now === seen) return
    seen = now
    onChange()
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Closes a store that was opened; errors are ignored. */
const closeStore = async ({ store, stopFollowing }: Opened): Promise<void> => {
  stopFollowing()
  try {
    await (await store).close()
  } catch {
    // It never opened, or its file is gone: there is nothing left to close.
  }
}

/**
 * Returns the connection; nothing is opened until the store is asked for. `store` resolves with undefined if there is
 * none, `storeForWriting` creates it. Both reopen a store that was replaced, and reject as `open` does and after
 * `close`.
 */
export const createStoreConnection = ({
  open,
  identity,
  lookEveryMs = LOOK_EVERY_MS,
}: StoreConnectionDeps): StoreConnection => {
  const changes = createChangeSignal()
  let opened: Opened | undefined
  let isClosed = false

  const closeOpened = async (): Promise<void> => {
    const before = opened
    opened = undefined
    if (before !== undefined) await closeStore(before)
  }

  const connect = (): Promise<Store> => {
    if (isClosed) return Promise.reject(new Error('The window is closing.'))
    const attempt: Opened = { identity: identity(), store: open(), stopFollowing: () => undefined }
    opened = attempt
    attempt.store.then(
      (store) => {
        if (opened !== attempt) return
        attempt.stopFollowing = store.onChange(changes.fire)
        // A store that was just made had no identity before.
        attempt.identity = identity()
      },
      () => {
        // The next call tries again.
        if (opened === attempt) opened = undefined
      },
    )
    return attempt.store
  }

  const storeAt = async (mayMake: boolean): Promise<Store | undefined> => {
    const now = identity()
    // A store that is being made has no identity yet.
    if (opened?.identity !== undefined && opened.identity !== now) await closeOpened()
    if (opened !== undefined) return opened.store
    return now === undefined && !mayMake ? undefined : connect()
  }

  const stopWatching = watchIdentity(identity, lookEveryMs, changes.fire)

  return {
    store: () => storeAt(false),
    storeForWriting: async () => (await storeAt(true)) ?? connect(),
    onChange: changes.subscribe,
    close: async () => {
      isClosed = true
      stopWatching()
      changes.close()
      await closeOpened()
    },
  }
}
