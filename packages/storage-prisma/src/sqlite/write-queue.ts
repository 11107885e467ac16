/**
 * One writer at a time. Inside a process a queue; between processes `BEGIN IMMEDIATE` with a
 * jittered, asynchronous back-off: SQLite's own busy wait would block the event loop, and a deferred
 * BEGIN fails as soon as another process has written between its first read and its first write.
 */
import type { Database } from 'better-sqlite3'
import { StorageError } from '@cairn/core'
import { errorCode } from '../sql/error-code.ts'

const GIVE_UP_AFTER_MS = 30_000
const LONGEST_PAUSE_MS = 50

/** Whether an error says that another process holds the lock, also one that Prisma's adapter has wrapped. */
const isBusy = (thrown: unknown): boolean =>
  errorCode(thrown).startsWith('SQLITE_BUSY') || (thrown instanceof Error && isSocketTimeout(thrown.cause))

const isSocketTimeout = (cause: unknown): boolean =>
  typeof cause === 'object' && cause !== null && 'kind' in cause && cause.kind === 'SocketTimeout'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Calls `attempt` until no other process holds the lock, and resolves with what it returns; rejects with `storage-busy`
 * after 30 s, and at once with any other error. It waits between attempts, longer each time.
 */
export const retryAsyncWhileBusy = async <T>(attempt: () => T | Promise<T>): Promise<T> => {
  const deadline = performance.now() + GIVE_UP_AFTER_MS
  for (let ceiling = 1; ; ceiling = Math.min(ceiling * 2, LONGEST_PAUSE_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > deadline) {
        throw new StorageError(
          'storage-busy',
          'The store has been locked by another process for 30 seconds; nothing was written. Try again when that process has finished.',
          {
            cause: error,
          },
        )
      }
      await pause(Math.random() * ceiling)
    }
  }
}

/**
 * {@link retryAsyncWhileBusy} for a synchronous statement, which is called again while another process holds the lock.
 */
export const retryWhileBusy = <T>(attempt: () => T): Promise<T> => retryAsyncWhileBusy(attempt)

/** Runs the writes of one connection one after another, and waits while another process writes. */
export class WriteQueue {
  readonly #connection: Database
  #tail: Promise<unknown> = Promise.resolve()

  constructor(connection: Database) {
    this.#connection = connection
  }

  /**
   * Runs `work` when all earlier work of the queue is done, between BEGIN IMMEDIATE and COMMIT; rolls back when it
   * rejects. Waits while another process writes.
   */
  transaction<T>(synchronous: 'FULL' | 'NORMAL', work: () => Promise<T>): Promise<T> {
    return this.exclusive(async () => {
      // The level can only change outside a transaction, and belongs to this one alone.
      this.#connection.pragma(`synchronous = ${synchronous}`)
      await retryWhileBusy(() => this.#connection.exec('BEGIN IMMEDIATE'))
      try {
        const result = await work()
        await retryWhileBusy(() => this.#connection.exec('COMMIT'))
        return result
      } catch (error) {
        if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK')
        throw error
      }
    })
  }

  /**
   * Runs `work` when all earlier work of the queue is done, outside a transaction. Resolves or rejects as `work` does.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work)
    this.#tail = result.catch(() => undefined)
    return result
  }

  /** Waits for its turn; then no other write runs until the function that it resolves with is called. */
  acquire(): Promise<() => void> {
    return new Promise((resolve) => {
      void this.exclusive(() => new Promise<void>((release) => resolve(release)))
    })
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.#tail
  }
}
