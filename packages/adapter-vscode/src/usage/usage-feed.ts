/**
 * Keeps the usage of the current project up to date: reads it after each change of the store and each minute (a new day
 * begins without a change), and tries again after a failure.
 */
import { messageOf } from '@cairn/core'
import type { MonthlyBudget } from '@cairn/core/insights'
import type { StoreConnection } from '../store/store-connection.ts'
import { readProjectUsage } from './project-usage.ts'
import type { ProjectUsage } from './project-usage.ts'

/** What is known of the usage. */
export type UsageState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'no-store'; readonly location: string }
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'ready'; readonly usage: ProjectUsage; readonly budgets: readonly MonthlyBudget[] }

/** What the feed needs of the window. */
export interface UsageFeedDeps {
  readonly connection: Pick<StoreConnection, 'store' | 'onChange'>
  /** The store's address without a password. */
  readonly location: string
  readonly folders: () => Promise<readonly string[]>
  /** This month's budgets of these projects, and of all. */
  readonly budgets: (projects: readonly string[]) => Promise<readonly MonthlyBudget[]>
  readonly timeZone: string
  readonly now: () => number
  readonly onState: (state: UsageState) => void
}

/** Follows the usage, and reports each new state. */
export interface UsageFeed {
  /** Reads again now; resolves when the new usage was reported. Nothing once it is closed. */
  refresh(): Promise<void>
  /** Stops reading and reporting, and waits for a reading under way; the connection to the store stays open. */
  close(): Promise<void>
}

const EVERY_MS = 60_000

/**
 * Returns the feed of the usage. Until it is closed, it reads and reports a state after each change of the store and
 * every minute; `refresh` reads at once, also for the first time. A failure is reported as a state; reading never
 * rejects.
 */
export const createUsageFeed = (deps: UsageFeedDeps): UsageFeed => {
  let running: Promise<void> | undefined
  let isStale = false
  let isClosed = false

  const read = async (): Promise<UsageState> => {
    try {
      const store = await deps.connection.store()
      if (store === undefined) return { kind: 'no-store', location: deps.location }
      const folders = await deps.folders()
      return {
        kind: 'ready',
        usage: await readProjectUsage(store.usage, { folders, timeZone: deps.timeZone, now: deps.now() }),
        budgets: await deps.budgets(folders),
      }
    } catch (error) {
      return { kind: 'failed', sentence: messageOf(error) }
    }
  }

  const tell = (state: UsageState): void => {
    if (!isClosed) deps.onState(state)
  }

  const refresh = async (): Promise<void> => {
    if (isClosed) return
    // One reading at a time; a call meanwhile gets the result of a later one.
    isStale = true
    running ??= (async () => {
      while (isStale) {
        isStale = false
        tell(await read())
      }
    })().finally(() => {
      running = undefined
    })
    await running
  }

  const timer = setInterval(() => void refresh(), EVERY_MS)
  timer.unref()
  const stopFollowing = deps.connection.onChange(() => void refresh())

  return {
    refresh,
    close: async () => {
      isClosed = true
      isStale = false
      clearInterval(timer)
      stopFollowing()
      await running
    },
  }
}
