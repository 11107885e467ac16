/**
 * PostgreSQL behind the narrow interface: a pool, set-based statements, NOTIFY for changes. Nothing here, nor in what
 * uses it, needs a session of the server beyond a transaction, so that a pooler may stand between (decision 077).
 */
import pg from 'pg'
import { CairnError, StorageError, messageOf, withoutPassword } from '@cairn/core'
import { errorCode } from '../sql/error-code.ts'
import { observed, scopeCondition, storeClosed, transactionEnded } from '../sql/database.ts'
import type {
  Lookup,
  SqlDatabase,
  SqlReader,
  SqlTransaction,
  SqlValue,
  TransactionOptions,
  WriteObserver,
} from '../sql/database.ts'
import { quoted, tables } from '../sql/schema.ts'
import type { ColumnType, Table } from '../sql/schema.ts'
import { assertUpToDate, isUpToDate } from '../migrations/apply.ts'
import type { Migration } from '../migrations/migration.ts'
import { BatchingSocket } from './batching-socket.ts'
import { followChanges } from './change-notice.ts'
import {
  WITH_FIRST_WRITE,
  isConnectionLost,
  isReadOnlyRefusal,
  isStarting,
  replicaRefused,
  untilConnected,
  wasCommitted,
} from './lost-connection.ts'
import type { LastStatement } from './lost-connection.ts'
import { finishedMigrations, migratePostgres } from './migration-target.ts'
import { readAgain } from './read-again.ts'
import { StatementNames } from './statement-names.ts'

const RETRIES = 20
const AFTER_A_FAILURE = '25P02'
const NOTHING_WRITTEN: LastStatement = { id: null, timeline: '' }
const CONNECT_TIMEOUT_MS = 10_000
/** Said as a connection is opened, so that no statement has to come first: the server refuses every write on it. */
const READ_ONLY = '-c default_transaction_read_only=on'

export interface PostgresOptions {
  /** For each connection; default 10,000. */
  readonly connectTimeoutMs?: number
  /** See `StoreOptions`. */
  readonly isReadOnly?: boolean
}

const typeNames: Readonly<Record<ColumnType, string>> = {
  int: 'int',
  bigint: 'bigint',
  real: 'double precision',
  text: 'text',
  bytes: 'bytea',
}

/** bigint and numeric columns as numbers: sums that may exceed 2^53 are cast to text in the query. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** Whether it is a serialization failure, a deadlock or a concurrent insert of the same row: worth another attempt. */
const isTransient = (thrown: unknown): boolean => ['40001', '40P01', '23505'].includes(errorCode(thrown))

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** Does nothing. A connection taken from the pool may break between queries: without a listener the process ends. */
const toldByTheNextQuery = (): void => undefined

/** Rolls back; undefined if that succeeded, otherwise why the connection is broken. Never rejects. */
const rolledBack = async (client: pg.PoolClient): Promise<Error | undefined> => {
  try {
    await client.query('ROLLBACK')
    return undefined
  } catch (error) {
    return asError(error)
  }
}

/** Whether it is a replica's connection; false where that can't be asked any more. */
const isReplica = (client: pg.PoolClient): Promise<boolean> =>
  client.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering').then(
    ({ rows }) => rows[0]?.recovering === true,
    () => false,
  )

/** The statement with `$1`, `$2`, … for its `?`, in their order: our SQL holds no other question mark. */
const numbered = (sql: string): string => {
  let position = 0
  return sql.replace(/\?/g, () => `$${++position}`)
}

/** PostgreSQL's name of a column's type; throws a TypeError for a column that the table has not. */
const typeOf = (table: Table, column: string): string => {
  const type = table.columns[column]
  if (type === undefined) throw new TypeError(`${table.name} has no column ${column}`)
  return typeNames[type]
}

/** A value as the driver takes it; whole numbers beyond 2^53 go as text. */
const bound = (value: SqlValue): unknown =>
  typeof value === 'bigint' ? value.toString() : value instanceof Uint8Array ? asBuffer(value) : value
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

type Queryable = Pick<pg.Pool, 'query'>

class PostgresReader implements SqlReader {
  readonly #client: Queryable
  readonly #names: StatementNames | undefined

  /** With `names`, statements are prepared, and kept by the connection. */
  constructor(client: Queryable, names?: StatementNames) {
    this.#client = client
    this.#names = names
  }

  /** Sends a statement, prepared under a name if it has one. Rejects with the driver's errors. */
  protected query(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const name = this.#names?.of(sql)
    if (name === undefined) return this.#client.query(sql, [...parameters])
    const result = this.#client.query({ name, text: sql, values: [...parameters] })
    // What is awaited may be a later statement, which is told only that an earlier one failed.
    result.catch((error: unknown) => this.#names?.hear(error))
    return result
  }

  async all<R>(sql: string, parameters: readonly SqlValue[] = []): Promise<R[]> {
    return (await this.query(numbered(sql), parameters.map(bound))).rows as R[]
  }

  /** The rows with these keys, in no certain order; unknown keys have none. `kept` locks them against deletion. */
  async lookup<R>(table: Table, lookup: Lookup, keys: readonly SqlValue[]): Promise<R[]> {
    if (keys.length === 0) return []
    const scope = scopeCondition(lookup.scope, '$2')
    const sql = `SELECT ${quoted(lookup.columns)} FROM "${table.name}" WHERE "${lookup.key}" = ANY($1::${typeOf(table, lookup.key)}[])${scope}${lookup.kept === true ? ' FOR KEY SHARE' : ''}`
    const parameters = [keys.map(bound), ...(lookup.scope === undefined ? [] : [bound(lookup.scope.value)])]
    return (await this.query(sql, parameters)).rows as R[]
  }
}

/**
 * A transaction whose statements are sent as they are issued, without waiting for the answers to those before. Nothing
 * is written before the server has said that it has begun: a write could be kept alone.
 */
class PostgresTransaction extends PostgresReader implements SqlTransaction {
  /** What {@link wasCommitted} asks for, once something was written. */
  #last: Promise<LastStatement> | undefined
  readonly #begun: Promise<unknown>
  #hasBegun = false
  #hasEnded = false
  /** What the first statement that failed failed with; those behind it are told only that one did. */
  #failure: unknown
  /** Statements wait here for the beginning, in their order. */
  #waiting: Promise<unknown> | undefined

  private constructor(client: pg.PoolClient, isLazy: boolean, names: StatementNames | undefined) {
    super(client, names)
    const beginning = [client.query('BEGIN')]
    if (isLazy) beginning.push(client.query('SET LOCAL synchronous_commit = off'))
    this.#begun = Promise.all(beginning).then(() => (this.#hasBegun = true))
    // The statements that follow it fail as well.
    this.#begun.catch(() => undefined)
  }

  /**
   * Begins a transaction and runs `work` in it; returns its result, with what {@link wasCommitted} asks for. The caller
   * commits, or rolls back where it rejects: as `work`, or with the failure that made later statements fail.
   */
  static async run<T>(
    client: pg.PoolClient,
    { durability }: TransactionOptions,
    names: StatementNames | undefined,
    work: (transaction: SqlTransaction) => Promise<T>,
  ): Promise<{ readonly result: T; readonly last: LastStatement }> {
    const transaction = new PostgresTransaction(client, durability === 'lazy', names)
    try {
      const result = await work(transaction)
      await transaction.#begun
      return { result, last: (await transaction.#last) ?? NOTHING_WRITTEN }
    } catch (error) {
      throw errorCode(error) === AFTER_A_FAILURE ? (transaction.#failure ?? error) : error
    } finally {
      transaction.#hasEnded = true
    }
  }

  /**
   * Sends a statement. The first write, and all behind it, wait until the transaction has begun; reads before it do
   * not. Rejects once it has ended, and with the driver's errors.
   */
  protected override query(sql: string, parameters: readonly unknown[], isWrite = false): Promise<pg.QueryResult> {
    if (this.#hasEnded) return Promise.reject(transactionEnded())
    if (this.#hasBegun) return this.#send(sql, parameters, isWrite)
    if (isWrite) this.#waiting ??= this.#begun
    return this.#waiting?.then(() => this.#send(sql, parameters, isWrite)) ?? this.#send(sql, parameters, false)
  }

  /** Sends a statement, and with the first write asks by what a later look can tell whether it was committed. */
  #send(sql: string, parameters: readonly unknown[], isWrite: boolean): Promise<pg.QueryResult> {
    const result = super.query(sql, parameters)
    result.catch((error: unknown) => (this.#failure ??= error))
    if (isWrite && this.#last === undefined) {
      this.#last = super
        .query(WITH_FIRST_WRITE, [])
        .then(({ rows }) => (rows[0] as LastStatement | undefined) ?? NOTHING_WRITTEN)
      this.#last.catch(() => undefined)
    }
    return result
  }

  async run(sql: string, parameters: readonly SqlValue[] = []): Promise<number> {
    return (await this.query(numbered(sql), parameters.map(bound), true)).rowCount ?? 0
  }

  /** Inserts all rows at once; returns how many were written, not those that `onConflict` skips; 0 without rows. */
  async insert(
    table: Table,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    onConflict = '',
  ): Promise<number> {
    const [first] = rows
    if (first === undefined) return 0
    const into = `INSERT INTO "${table.name}" (${quoted(columns)})`
    // A row by itself costs the server a third less without arrays.
    if (rows.length === 1) {
      const parameters = columns.map((column, index) => `$${index + 1}::${typeOf(table, column)}`)
      const values = columns.map((_, index) => bound(first[index] ?? null))
      return (await this.query(`${into} VALUES (${parameters.join(', ')}) ${onConflict}`, values, true)).rowCount ?? 0
    }
    const arrays = columns.map((column, index) => `$${index + 1}::${typeOf(table, column)}[]`)
    const values = columns.map((_, index) => rows.map((row) => bound(row[index] ?? null)))
    const sql = `${into} SELECT * FROM unnest(${arrays.join(', ')}) ${onConflict}`
    return (await this.query(sql, values, true)).rowCount ?? 0
  }

  /** Takes `count` ids from the table's sequence, ascending, maybe with gaps; unused ones are never given again. */
  async reserveIds(table: Table, count: number): Promise<readonly number[]> {
    if (count === 0) return []
    const rows = await this.all<{ id: number }>(
      `SELECT nextval(pg_get_serial_sequence('${table.name}', 'id')) AS id FROM generate_series(1, ?::int)`,
      [count],
    )
    return rows.map((row) => row.id)
  }
}

/** A pool of connections to a PostgreSQL database, behind the interface of both dialects: see {@link SqlDatabase}. */
export class PostgresDatabase implements SqlDatabase {
  readonly dialect = 'postgresql'
  readonly location: string
  readonly pool: pg.Pool
  observer: WriteObserver | undefined
  readonly #reader: PostgresReader
  readonly #names = new StatementNames()
  readonly #url: string
  readonly #migrations: readonly Migration[]
  readonly #listeners = new Set<() => void>()
  /** It is a server that takes writes, so a replica at its address is about to take its place. */
  #hasWritten = false
  #closing: Promise<void> | undefined
  #stopListening: (() => Promise<void>) | undefined

  private constructor(url: string, pool: pg.Pool, migrations: readonly Migration[]) {
    this.location = withoutPassword(url)
    this.#url = url
    this.#migrations = migrations
    this.pool = pool
    this.#reader = new PostgresReader(pool)
  }

  /**
   * Connects to the database and applies the migrations that it lacks. Rejects with a `StorageError` when it can't be
   * reached or is of a newer version; waits up to 20 s for a server that is starting. With `isReadOnly` it writes
   * nothing, and rejects where a migration is missing or the server would take a write all the same.
   */
  static async open(
    url: string,
    migrations: readonly Migration[],
    { connectTimeoutMs = CONNECT_TIMEOUT_MS, isReadOnly = false }: PostgresOptions = {},
  ): Promise<PostgresDatabase> {
    const pool = new pg.Pool({
      connectionString: url,
      max: 8,
      // Statements are sent without waiting for the answers to those before.
      pipeline: true,
      stream: () => new BatchingSocket(),
      types,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: 'cairn',
      ...(isReadOnly ? { options: READ_ONLY } : {}),
    })
    // An idle connection that breaks is replaced at its next use.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', toldByTheNextQuery))
    const database = new PostgresDatabase(url, pool, migrations)
    try {
      await untilConnected(
        () =>
          isReadOnly ? database.#assertReadable() : migratePostgres({ location: database.location, pool }, migrations),
        isStarting,
      )
      return database
    } catch (error) {
      await pool.end()
      throw database.#asStorageError(error)
    }
  }

  /** Rejects where the server would take a write, or the store is not of this version. */
  async #assertReadable(): Promise<void> {
    const { rows } = await this.pool.query<{ refuses: boolean }>(
      "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS refuses",
    )
    if (rows[0]?.refuses !== true)
      throw new StorageError(
        'storage-unavailable',
        `The store ${this.location} was to be opened for reading alone, and something between it and this program does not let that be set. Name a replica, or a user with "ALTER ROLE … SET default_transaction_read_only = on".`,
      )
    if (!isUpToDate(this.location, await finishedMigrations(this.pool), this.#migrations))
      throw new StorageError(
        'storage-unavailable',
        `The store ${this.location} is empty or of an older version, and is opened for reading alone here. Open it once with this version as the user that owns its tables.`,
      )
  }

  all<R>(sql: string, parameters: readonly SqlValue[] = []): Promise<R[]> {
    return this.#guard(() => untilConnected(() => readAgain(() => this.#reader.all<R>(sql, parameters))))
  }

  lookup<R>(table: Table, lookup: Lookup, keys: readonly SqlValue[]): Promise<R[]> {
    return this.#guard(() => untilConnected(() => readAgain(() => this.#reader.lookup<R>(table, lookup, keys))))
  }

  /**
   * Runs a transaction, and again, for up to 20 s, if the connection could not be had or was lost. If it is lost while
   * committing, first asks the server whether it was committed, and does not run it again if so. `work` may thus run
   * several times. Rejects as `work`, or with a `StorageError`.
   */
  transaction<T>(options: TransactionOptions, work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return observed(this.observer, options, () =>
      this.#guard(() =>
        untilConnected(async () => {
          const { result, lost } = await this.#transact(options, work)
          if (lost !== undefined && !(await wasCommitted(this.pool, this.location, lost.last))) throw lost.error
          return result
        }),
      ),
    )
  }

  /**
   * Runs a transaction, up to `RETRIES` times if others were in the way; `lost` where the connection was lost at its
   * commit, so that nobody knows yet whether it was. `work` may run several times. Rejects with the driver's errors.
   */
  async #transact<T>(
    options: TransactionOptions,
    work: (transaction: SqlTransaction) => Promise<T>,
  ): Promise<{ readonly result: T; readonly lost?: { readonly last: LastStatement; readonly error: unknown } }> {
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.pool.connect()
      const names = this.#names.inUse
      let broken: Error | undefined
      try {
        const { result, last } = await PostgresTransaction.run(client, options, names, work)
        try {
          await client.query('COMMIT')
        } catch (error) {
          if (!isConnectionLost(error)) throw error
          broken = asError(error)
          return { result, lost: { last, error } }
        }
        this.#hasWritten ||= last.id !== null
        return { result }
      } catch (error) {
        broken = await rolledBack(client)
        if (this.#hasWritten && isReadOnlyRefusal(error) && (await isReplica(client))) throw replicaRefused(error)
        // Nothing was kept; without names it may succeed.
        if (names !== undefined && this.#names.inUse === undefined) continue
        if (!isTransient(error) || attempt === RETRIES) throw error
        await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(5 * 2 ** attempt, 500)))
      } finally {
        client.release(broken)
      }
    }
  }

  /** Calls the listener after writes of any process, and now and then without one. Returns what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#stopListening ??= this.#listen()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      void this.#stopListening?.()
      this.#stopListening = undefined
    }
  }

  /** Rejects with a StorageError if the schema is not this version's or a table is missing. */
  check(): Promise<void> {
    return this.#guard(async () => {
      assertUpToDate(this.location, await finishedMigrations(this.pool), this.#migrations)
      const names = Object.values(tables).map(({ name }) => name)
      const { rows } = await this.pool.query<{ name: string }>(
        'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(quote_ident(name)) IS NULL',
        [names],
      )
      if (rows.length > 0)
        throw new StorageError(
          'storage-corrupt',
          `The store ${this.location} is damaged (it lacks the table ${rows.map(({ name }) => name).join(', ')}); it was left as it is. Restore a copy, or import again into another store (--store).`,
        )
    })
  }

  /** The size of the whole database in bytes. */
  async totalBytes(): Promise<number> {
    const rows = await this.all<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes')
    return rows[0]?.bytes ?? 0
  }

  /** Always empty: PostgreSQL checks its pages itself (data checksums), so there is nothing to ask for. */
  integrityFaults(): Promise<readonly string[]> {
    return Promise.resolve([])
  }

  /** Does nothing: the server keeps its indexes sound itself; `REINDEX` is up to who runs it. */
  rebuildIndexes(): Promise<void> {
    return Promise.resolve()
  }

  /** Does nothing: the server reuses the space once autovacuum has run. */
  scrub(): Promise<void> {
    return Promise.resolve()
  }

  async compact(): Promise<void> {
    await this.#guard(() => this.pool.query('VACUUM'))
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    await this.#stopListening?.()
    this.#stopListening = undefined
    await this.pool.end()
  }

  #listen(): () => Promise<void> {
    return followChanges({
      url: this.#url,
      pool: this.pool,
      tell: () => {
        for (const listener of this.#listeners) listener()
      },
    })
  }

  /** Runs `work`; what it throws becomes a StorageError. Rejects if the database is closed. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw storeClosed()
    try {
      return await work()
    } catch (error) {
      throw this.#asStorageError(error)
    }
  }

  /**
   * What was thrown as a StorageError: `storage-unavailable` for a server that can't be reached, has no such database
   * or refuses the user, otherwise `storage-failed`. Cairn's own errors stay, and those without a code.
   */
  #asStorageError(thrown: unknown): unknown {
    const code = errorCode(thrown)
    if (CairnError.is(thrown)) return thrown
    if (isConnectionLost(thrown) || ['ENOTFOUND', 'ETIMEDOUT', '3D000', '28P01', '28000'].includes(code)) {
      return new StorageError(
        'storage-unavailable',
        `The store ${this.location} can't be reached: ${messageOf(thrown) || code}.`,
        { cause: thrown },
      )
    }
    if (code === '') return thrown
    if (code === '42501')
      return new StorageError(
        'storage-failed',
        `The store ${this.location} does not allow this to the user that it was opened as: ${messageOf(thrown)}.`,
        { cause: thrown },
      )
    return new StorageError('storage-failed', `The store ${this.location} could not do it: ${messageOf(thrown)}.`, {
      cause: thrown,
    })
  }
}
