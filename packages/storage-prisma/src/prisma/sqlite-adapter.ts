/**
 * Prisma's adapter for better-sqlite3, put behind the store's write queue. Unmodified, it runs a query made beside an
 * open transaction inside that transaction and rolls it back with it, and begins its transactions deferred, which fails
 * between processes.
 */
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlResultSet,
  Transaction,
} from '@prisma/driver-adapter-utils'
import { retryAsyncWhileBusy } from '../sqlite/write-queue.ts'
import type { WriteQueue } from '../sqlite/write-queue.ts'

/**
 * Prisma's adapter for the SQLite file at `path`, opened at its first use; its statements and transactions wait their
 * turn in `queue`.
 */
export const queuedSqliteAdapter = (path: string, queue: WriteQueue): SqlDriverAdapterFactory => {
  const inner = new PrismaBetterSqlite3({ url: `file:${path}`, timeout: 0 })
  return {
    provider: inner.provider,
    adapterName: inner.adapterName,
    connect: async () => queued(await inner.connect(), queue),
  }
}

/** Ends a turn. */
const ended = (release: () => void): Promise<void> => {
  release()
  return Promise.resolve()
}

/**
 * The adapter with everything through the queue of writers, so that one writes at a time. Its own turn begins to write
 * at once; a busy database is waited for.
 */
const queued = async (adapter: SqlDriverAdapter, queue: WriteQueue): Promise<SqlDriverAdapter> => {
  await adapter.executeScript('PRAGMA synchronous = FULL')
  const alone = <T>(work: () => Promise<T>): Promise<T> => queue.exclusive(() => retryAsyncWhileBusy(work))
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query: SqlQuery): Promise<SqlResultSet> => alone(() => adapter.queryRaw(query)),
    executeRaw: (query: SqlQuery): Promise<number> => alone(() => adapter.executeRaw(query)),
    executeScript: (script: string): Promise<void> => alone(() => adapter.executeScript(script)),
    dispose: () => adapter.dispose(),
    /** Waits for its turn, and begins to write at once; the turn ends with commit, rollback or a failure to begin. */
    async startTransaction(): Promise<Transaction> {
      const release = await queue.acquire()
      try {
        await retryAsyncWhileBusy(() => adapter.executeScript('BEGIN IMMEDIATE'))
      } catch (error) {
        release()
        throw error
      }
      return {
        provider: adapter.provider,
        adapterName: adapter.adapterName,
        // Prisma itself sends COMMIT or ROLLBACK, then calls this.
        options: { usePhantomQuery: false },
        queryRaw: (query) => adapter.queryRaw(query),
        executeRaw: (query) => retryAsyncWhileBusy(() => adapter.executeRaw(query)),
        commit: () => ended(release),
        rollback: () => ended(release),
      }
    },
  }
}
