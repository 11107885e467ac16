/**
 * Keeps the usage of the current project up to date: opens the store when there is one, reads it again after each of
 * its changes and each minute (midnight comes without a change), and tries again after a failure.
 */
import { messageOf } from '@cairn/core'
import type { Store } from '@cairn/core'
import { readProjectUsage } from './project-usage.ts'
import type { ProjectUsage } from './project-usage.ts'

export type UsageState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'no-store'; readonly location: string }
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'ready'; readonly usage: ProjectUsage }

export interface UsageFeedDeps {
  /** Undefined when nothing was recorded yet: a look must not make a store. */
  readonly open: () => Promise<Store | undefined>
  /** The store's place, as it may be shown. */
  readonly location: string
  readonly folders: () => Promise<readonly string[]>
  readonly timeZone: string
  readonly now: () => number
  readonly onState: (state: UsageState) => void
}

export interface UsageFeed {
  /** The store, once it is open. */
  readonly store: () => Store | undefined
  /** Reads again now; resolves when what is shown is new. */
  refresh(): Promise<void>
  close(): Promise<void>
}

const EVERY_MS = 60_000
/** An import writes many times a second. */
const AFTER_CHANGE_MS = 400

export const createUsageFeed = (deps: UsageFeedDeps): UsageFeed => {
  let store: Store | undefined
  let stopFollowing: (() => void) | undefined
  let running: Promise<void> | undefined
  let isStale = false
  let isClosed = false
  let soon: NodeJS.Timeout | undefined

  const read = async (): Promise<void> => {
    try {
      if (store === undefined) {
        const opened = await deps.open()
        if (opened === undefined) {
          deps.onState({ kind: 'no-store', location: deps.location })
          return
        }
        store = opened
        stopFollowing = opened.onChange(() => {
          soon ??= setTimeout(() => {
            soon = undefined
            void refresh()
          }, AFTER_CHANGE_MS)
        })
      }
      const folders = await deps.folders()
      const usage = await readProjectUsage(store.usage, { folders, timeZone: deps.timeZone, now: deps.now() })
      if (!isClosed) deps.onState({ kind: 'ready', usage })
    } catch (error) {
      if (!isClosed) deps.onState({ kind: 'failed', sentence: messageOf(error) })
    }
  }

  const refresh = async (): Promise<void> => {
    if (isClosed) return
    // One at a time; who comes meanwhile gets one that began later.
    isStale = true
    running ??= (async () => {
      while (isStale) {
        isStale = false
        await read()
      }
    })().finally(() => {
      running = undefined
    })
    await running
  }

  const timer = setInterval(() => void refresh(), EVERY_MS)
  timer.unref()

  return {
    store: () => store,
    refresh,
    close: async () => {
      isClosed = true
      isStale = false
      clearInterval(timer)
      clearTimeout(soon)
      await running
      stopFollowing?.()
      await store?.close()
      store = undefined
    },
  }
}
