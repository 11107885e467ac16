/**
 * One dashboard for all windows, as far as possible: the window that starts it remembers its address where the others find
 * it, and each looks whether it still answers before it starts one of its own. It ends with the window that started it.
 */
import type { RunningDashboard } from './dashboard-process.ts'

/** Where windows share what is secret: the address holds the token. */
interface SharedSecrets {
  get(key: string): PromiseLike<string | undefined>
  store(key: string, value: string): PromiseLike<void>
  delete(key: string): PromiseLike<void>
}

export interface SharedDashboardDeps {
  readonly secrets: SharedSecrets
  /** Whether a process answers at the address. */
  readonly answers: (dashboard: { readonly url: string; readonly pid: number }) => Promise<boolean>
  readonly start: (signal: AbortSignal) => Promise<RunningDashboard>
}

export interface SharedDashboard {
  /** The address of the dashboard of a store, started where none runs. */
  address(store: string, signal: AbortSignal): Promise<string>
  /** Ends the one that this window started. */
  close(): void
}

const keyOf = (store: string): string => `cairn.dashboard ${store}`

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

export const createSharedDashboard = ({ secrets, answers, start }: SharedDashboardDeps): SharedDashboard => {
  const own = new Map<string, RunningDashboard>()
  const starting = new Map<string, Promise<string>>()

  /** A machine without a keyring can't share; each window then has its own. */
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
      await quietly(() => secrets.delete(keyOf(store)))
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
