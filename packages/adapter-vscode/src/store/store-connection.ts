/**
 * The one connection of a window to the store: opened when first asked for, shared by everything that shows something,
 * and made anew when the file behind it appears, disappears or is replaced by another. Tells of changes by any process.
 */
import type { Store } from '@cairn/core'

export interface StoreConnectionDeps {
  /** Opens the store; makes it where it is missing. */
  readonly open: () => Promise<Store>
  /** What tells one store from another at the same place, undefined where there is none. Asked often, so it must be cheap. */
  readonly identity: () => string | undefined
  /** How often the place is looked at, ms. */
  readonly lookEveryMs?: number
}

export interface StoreConnection {
  /** The open store; undefined when nothing has been recorded yet: a look must not make one. Rejects with the reason. */
  store(): Promise<Store | undefined>
  /** The open store, made where it is missing. */
  storeForWriting(): Promise<Store>
  /** Calls back soon after a change, at most a few times a second. Returns the end of the subscription. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

const LOOK_EVERY_MS = 1_000
/** An import writes many times a second. */
const AFTER_CHANGE_MS = 200

interface Opened {
  identity: string | undefined
  readonly store: Promise<Store>
  stopFollowing: () => void
}

export const createStoreConnection = ({
  open,
  identity,
  lookEveryMs = LOOK_EVERY_MS,
}: StoreConnectionDeps): StoreConnection => {
  const listeners = new Set<() => void>()
  let opened: Opened | undefined
  let isClosed = false
  let soon: NodeJS.Timeout | undefined

  const changed = (): void => {
    if (isClosed) return
    soon ??= setTimeout(() => {
      soon = undefined
      for (const listener of listeners) listener()
    }, AFTER_CHANGE_MS)
  }

  const letGo = async (): Promise<void> => {
    const before = opened
    opened = undefined
    if (before === undefined) return
    before.stopFollowing()
    try {
      await (await before.store).close()
    } catch {
      // It never opened, or its file is gone: there is nothing left to close.
    }
  }

  const connect = (): Promise<Store> => {
    if (isClosed) return Promise.reject(new Error('The window is closing.'))
    const attempt: Opened = { identity: identity(), store: open(), stopFollowing: () => undefined }
    opened = attempt
    attempt.store.then(
      (store) => {
        if (opened !== attempt) return
        attempt.stopFollowing = store.onChange(changed)
        // A store that was just made had no identity before.
        attempt.identity = identity()
      },
      () => {
        // So that the next one who asks tries again.
        if (opened === attempt) opened = undefined
      },
    )
    return attempt.store
  }

  const storeAt = async (mayMake: boolean): Promise<Store | undefined> => {
    const now = identity()
    // One that is being made has none yet.
    if (opened?.identity !== undefined && opened.identity !== now) await letGo()
    if (opened !== undefined) return opened.store
    return now === undefined && !mayMake ? undefined : connect()
  }

  let seen = identity()
  const timer = setInterval(() => {
    const now = identity()
    if (now === seen) return
    seen = now
    changed()
  }, lookEveryMs)
  timer.unref()

  return {
    store: () => storeAt(false),
    storeForWriting: async () => (await storeAt(true)) ?? connect(),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      clearTimeout(soon)
      listeners.clear()
      await letGo()
    },
  }
}
