/**
 * One dashboard for all windows where possible: the window that starts it stores its address for the others, and each
 * checks whether it still answers before starting its own. It ends with the window that started it.
 */
import type { RunningDashboard } from './dashboard-process.ts'

/** The editor's storage of secrets, which all windows share. The address is one, as it holds the token. */
interface SharedSecrets {
  get(key: string): PromiseLike<string | undefined>
  store(key: string, value: string): PromiseLike<void>
  delete(key: string): PromiseLike<void>
}

/** What the shared dashboard needs of the editor. */
export interface SharedDashboardDeps {
  readonly secrets: SharedSecrets
  /** Whether a process answers at the address. */
  readonly answers: (dashboard: { readonly url: string; readonly pid: number }) => Promise<boolean>
  readonly start: (signal: AbortSignal) => Promise<RunningDashboard>
}

/** The dashboards that the editor's windows share, one per store. */
export interface SharedDashboard {
  /**
   * The address of a store's dashboard, which is started if none runs. The signal ends that start; of calls that share
   * one, only the signal of the first.
   */
  address(store: string, signal: AbortSignal): Promise<string>
  /** Ends the dashboard that this window started. */
  close(): void
}

/** Returns the key of a store's dashboard in the secret storage. */
const keyOf = (store: string): string => `cairn.dashboard ${store}`

/** Returns the address and process id from their stored text; undefined for anything else. */
const parsed = (text: string | undefined): { readonly url: string; readonly pid: number } | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null || !('url' in value) || !('pid' in value)) return undefined
    return typeof value.url === 'string' && typeof value.pid === 'number'
      ? { url: value.url, pid: value.pid }
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the dashboards of a window. `address` returns the one that runs for the store, in whichever window it was
 * started, or starts one, and rejects as `start` does; `close` ends those that this window started. Calls at the same
 * time get the same one.
 */
export const createSharedDashboard = ({ secrets, answers, start }: SharedDashboardDeps): SharedDashboard => {
  const own = new Map<string, RunningDashboard>()
  const starting = new Map<string, Promise<string>>()

  /** Ignores a failure: on a machine without a keyring windows can't share, and each has its own dashboard. */
  const quietly = async <T>(attempt: () => PromiseLike<T>): Promise<T | undefined> => {
    try {
      return await attempt()
    } catch {
      return undefined
    }
  }

  const find = async (store: string, signal: AbortSignal): Promise<string> => {
    const known = own.get(store) ?? parsed(await quietly(() => secrets.get(keyOf(store))))
    if (known !== undefined && (await answers(known))) return known.url
    const started = await start(signal)
    own.set(store, started)
    await quietly(() => secrets.store(keyOf(store), JSON.stringify({ url: started.url, pid: started.pid })))
    void started.ended.then(async () => {
      if (own.get(store) === started) own.delete(store)
      // Another window may have started one since.
      const stored = parsed(await quietly(() => secrets.get(keyOf(store))))
      if (stored?.url === started.url) await quietly(() => secrets.delete(keyOf(store)))
    })
    return started.url
  }

  return {
    address: (store, signal) => {
      const running = starting.get(store)
      if (running !== undefined) return running
      const attempt = find(store, signal).finally(() => starting.delete(store))
      starting.set(store, attempt)
      return attempt
    },
    close: () => {
      for (const dashboard of own.values()) dashboard.stop()
    },
  }
}
