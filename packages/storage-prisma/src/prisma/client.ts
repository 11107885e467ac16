/**
 * Prisma's generated client, for small values that are written as a whole: state and checkpoints. Loaded at first use,
 * because loading it takes longer than most commands run.
 */
import { storeClosed } from '../sql/database.ts'
import type { PrismaClient } from '../generated/sqlite/client.ts'
import type { PostgresDatabase } from '../postgres/postgres-database.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'

/** Both clients come from the same models; the SQLite one stands for both. */
export type Client = Pick<PrismaClient, 'state' | 'checkpoint' | '$transaction' | '$disconnect'>

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

  /** Closes the client, if it was opened; `get` rejects from now on. */
  async close(): Promise<void> {
    this.#closed = true
    const client = await this.#client?.catch(() => undefined)
    await client?.$disconnect()
  }
}

const connect = async (database: ClientDatabase): Promise<Client> => {
  // Includes waiting for other writers, in this process or another.
  const transactionOptions = { maxWait: 60_000, timeout: 60_000 }
  if (database.dialect === 'sqlite') {
    const [{ PrismaClient: Sqlite }, { queuedSqliteAdapter }] = await Promise.all([
      import('../generated/sqlite/client.ts'),
      import('./sqlite-adapter.ts'),
    ])
    return new Sqlite({ adapter: queuedSqliteAdapter(database.location, database.queue), transactionOptions })
  }
  const [{ PrismaClient: Postgres }, { PrismaPg }] = await Promise.all([
    import('../generated/postgresql/client.ts'),
    import('@prisma/adapter-pg'),
  ])
  // One set of models gives one shape of client; only the type names differ.
  return new Postgres({ adapter: new PrismaPg(database.pool), transactionOptions }) as unknown as Client
}
