/**
 * Prisma's generated client, for small values that are written as a whole: state and checkpoints. Loaded at first use,
 * because loading it takes longer than most commands run.
 */
import { LAST_STATEMENT, isConnectionLost, untilConnected, wasCommitted } from '../postgres/lost-connection.ts'
import type { LastStatement } from '../postgres/lost-connection.ts'
import { storeClosed } from '../sql/database.ts'
import type { PrismaClient } from '../generated/sqlite/client.ts'
import type { PostgresDatabase } from '../postgres/postgres-database.ts'
import { readOnlyError } from '../sqlite/read-only.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'

/** Both clients come from the same models; the SQLite one stands for both. */
export type Client = Pick<
  PrismaClient,
  'state' | 'stateScope' | 'checkpoint' | '$transaction' | '$executeRawUnsafe' | '$disconnect'
>

/** What the statements of one transaction are made with. */
export type TransactionClient = Pick<Client, 'state' | 'stateScope' | 'checkpoint'>

/** The databases that have a client, distinguished by dialect. */
export type ClientDatabase = SqliteDatabase | PostgresDatabase

/** Opens the client at first use, and closes it with the store. */
export class LazyClient {
  readonly #database: ClientDatabase
  #client: Promise<Client> | undefined
  #closed = false

  constructor(database: ClientDatabase) {
    this.#database = database
  }

  /** Prisma's client, opened with the first call. Rejects with `storage-unavailable` once it is closed. */
  async get(): Promise<Client> {
    if (this.#closed) throw storeClosed()
    this.#client ??= connect(this.#database)
    return this.#client
  }

  /**
   * Commits what `work` writes together, and tells every process that follows the store. On PostgreSQL `work` may run
   * again after a lost connection. Rejects where it can't be written.
   */
  async transaction<T>(work: (client: TransactionClient) => Promise<T>): Promise<T> {
    if (this.#database.dialect === 'sqlite' && this.#database.readOnly !== undefined)
      throw readOnlyError(this.#database.location)
    const client = await this.get()
    // On SQLite the file itself tells.
    if (this.#database.dialect === 'sqlite') return client.$transaction(work)
    return transactOnServer(client, this.#database, work)
  }

  /** Closes the client, if it was opened; `get` rejects from now on. Never rejects for one that could not be opened. */
  async close(): Promise<void> {
    this.#closed = true
    const client = await this.#client?.catch(() => undefined)
    await client?.$disconnect()
  }
}

/**
 * A transaction that outlives a restart of the server: what was not committed is done again. `work` may run again.
 * Rejects if it can't be told that it was committed.
 */
const transactOnServer = <T>(
  client: Client,
  { pool, location }: PostgresDatabase,
  work: (client: TransactionClient) => Promise<T>,
): Promise<T> =>
  untilConnected(async () => {
    let last: { readonly result: T; readonly statement: LastStatement | undefined } | undefined
    try {
      return await client.$transaction(async (transaction) => {
        const result = await work(transaction)
        const [row] = await transaction.$queryRawUnsafe<readonly LastStatement[]>(LAST_STATEMENT)
        last = { result, statement: row }
        return result
      })
    } catch (error) {
      if (last?.statement === undefined || !isConnectionLost(error)) throw error
      if (!(await wasCommitted(pool, location, last.statement))) throw error
      return last.result
    }
  })

/** Makes the Prisma client of a database; it connects when it is first used. */
const connect = async (database: ClientDatabase): Promise<Client> => {
  // Includes waiting for other writers, in this process or another.
  const transactionOptions = { maxWait: 60_000, timeout: 60_000 }
  if (database.dialect === 'sqlite') {
    const [{ PrismaClient: Sqlite }, { queuedSqliteAdapter }] = await Promise.all([
      import('../generated/sqlite/client.ts'),
      import('./sqlite-adapter.ts'),
    ])
    const client = new Sqlite({ adapter: queuedSqliteAdapter(database.location, database.queue), transactionOptions })
    // Made ready now, not in its first transaction, for whose end all other writers would wait.
    await client.$connect()
    return client
  }
  const [{ PrismaClient: Postgres }, { PrismaPg }] = await Promise.all([
    import('../generated/postgresql/client.ts'),
    import('@prisma/adapter-pg'),
  ])
  // One set of models gives one shape of client; only the type names differ.
  return new Postgres({ adapter: new PrismaPg(database.pool), transactionOptions }) as unknown as Client
}
