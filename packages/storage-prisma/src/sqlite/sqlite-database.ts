/** SQLite behind the narrow interface: one writer with a queue, one reader beside it. */
import { chmodSync, existsSync, statSync, watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'
import { StorageError } from '@cairn/core'
import { observed, scopeCondition, storeClosed, transactionEnded } from '../sql/database.ts'
import type {
  Lookup,
  SqlDatabase,
  SqlTransaction,
  SqlValue,
  TransactionOptions,
  WriteObserver,
} from '../sql/database.ts'
import { quoted } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'
import { configureWriter, openReader, openWriter } from './connection.ts'
import type { Connection } from './connection.ts'
import { FileCheck, assertNotEmptied } from './file-check.ts'
import { isUpToDate } from '../migrations/apply.ts'
import type { Migration } from '../migrations/migration.ts'
import { finishedMigrations, migrateSqlite } from './migration-target.ts'
import { rebuildIndexes } from './rebuild-indexes.ts'
import { openReadOnly, openToReadAlone, readOnlyError } from './read-only.ts'
import type { ReadOnly } from './read-only.ts'
import { asStorageError } from './storage-error.ts'
import { WriteQueue, retryWhileBusy } from './write-queue.ts'

const POLL_MS = 1_000
const PLAIN_CACHE_KIB = 1_024
/** From this number on, keys that are numbers are looked up by one statement: it takes a fraction of the time of as many. */
const MANY_KEYS = 4
/** A commit becomes visible when its file is synced, a moment after the file event: check again, ms after it. A look takes µs. */
const LATER_LOOKS_MS = [1, 2, 5, 25]

/** Statements on a connection; the caller begins and commits. */
export class SqliteTransaction implements SqlTransaction {
  readonly #connection: Connection
  /** By table, the highest id that was given: its row may not be inserted yet. */
  readonly #given = new Map<string, number>()
  #hasEnded = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** From here on each statement throws: what is left of the work of a transaction that failed writes nothing. */
  end(): void {
    this.#hasEnded = true
  }

  /** A statement, prepared once. @throws if the transaction has ended */
  #statement(sql: string): ReturnType<Connection['statement']> {
    if (this.#hasEnded) throw transactionEnded()
    return this.#connection.statement(sql)
  }

  all<R>(sql: string, parameters: readonly SqlValue[] = []): Promise<R[]> {
    return Promise.resolve(this.#statement(sql).all(...parameters) as R[])
  }

  run(sql: string, parameters: readonly SqlValue[] = []): Promise<number> {
    return Promise.resolve(this.#statement(sql).run(...parameters).changes)
  }

  /** Inserts the rows; returns how many were written, without those that `onConflict` skips. */
  insert(
    table: Table,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    onConflict = '',
  ): Promise<number> {
    const statement = this.#statement(
      `INSERT INTO "${table.name}" (${quoted(columns)}) VALUES (${columns.map(() => '?').join(', ')}) ${onConflict}`,
    )
    let written = 0
    for (const row of rows) written += statement.run(...row).changes
    return Promise.resolve(written)
  }

  /**
   * The rows with these keys; unknown keys have none. In no certain order for `MANY_KEYS` or more whole numbers without
   * a scope, otherwise in the order of the keys.
   */
  lookup<R>(table: Table, lookup: Lookup, keys: readonly SqlValue[]): Promise<R[]> {
    const { scope } = lookup
    const select = `SELECT ${quoted(lookup.columns)} FROM "${table.name}" WHERE "${lookup.key}"`
    if (scope === undefined && keys.length >= MANY_KEYS && keys.every(Number.isSafeInteger)) {
      const statement = this.#statement(`${select} IN (SELECT value FROM json_each(?))`)
      return Promise.resolve(statement.all(JSON.stringify(keys)) as R[])
    }
    const statement = this.#statement(`${select} = ?${scopeCondition(scope, '?')}`)
    const rows: R[] = []
    for (const key of keys) {
      const found = scope === undefined ? statement.all(key) : statement.all(key, scope.value)
      for (const row of found) rows.push(row as R)
    }
    return Promise.resolve(rows)
  }

  /** The next `count` ids of the table, which no row ever had; valid within this transaction. */
  reserveIds(table: Table, count: number): Promise<readonly number[]> {
    // AUTOINCREMENT records the highest id ever used, so a deleted row's id is never used again.
    const row = this.#statement('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table.name) as
      { seq: number } | undefined
    const first = Math.max(row?.seq ?? 0, this.#given.get(table.name) ?? 0) + 1
    this.#given.set(table.name, first + count - 1)
    return Promise.resolve(Array.from({ length: count }, (_, index) => first + index))
  }
}

/** What tells a file from another one of its name; undefined where there is none. */
const inodeOf = (path: string): bigint | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true })?.ino
  } catch {
    return undefined
  }
}

/** What SQLite finds wrong, a sentence each; none for a sound file. */
const faultsOf = async (reader: Connection): Promise<readonly string[]> => {
  const rows = await retryWhileBusy(
    () => reader.statement('PRAGMA integrity_check').all() as { integrity_check: string }[],
  )
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
}

/** An SQLite file, behind the interface of both dialects. For its methods see {@link SqlDatabase}. */
export class SqliteDatabase implements SqlDatabase {
  readonly dialect = 'sqlite'
  readonly location: string
  /** Set where the store can't be written. */
  readonly readOnly: ReadOnly | undefined
  readonly #writer: Connection
  readonly queue: WriteQueue
  observer: WriteObserver | undefined
  readonly #listeners = new Set<() => void>()
  readonly #check: FileCheck
  readonly #migrations: readonly Migration[]
  #reader: Connection | undefined
  /** For large rows that their readers cache. */
  #plainReader: Connection | undefined
  #stopWatching: (() => void) | undefined
  #closed = false

  private constructor(path: string, writer: Connection, migrations: readonly Migration[], readOnly?: ReadOnly) {
    this.location = path
    this.#writer = writer
    this.readOnly = readOnly
    this.queue = new WriteQueue(writer.database)
    this.#check = new FileCheck(path, migrations)
    this.#migrations = migrations
  }

  /**
   * Opens the file, creating it if it is missing, and migrates it; one that can't be written is opened for reading, and
   * so is each with `isReadOnly`, which creates none. Rejects with a StorageError.
   */
  static async open(path: string, migrations: readonly Migration[], isReadOnly = false): Promise<SqliteDatabase> {
    for (;;) {
      const before = inodeOf(path)
      const database = await SqliteDatabase.#openFile(path, migrations, isReadOnly)
      // A restore may have put another file in its place while this one waited for its lock.
      if (before === undefined || inodeOf(path) === before) return database
      await database.close()
    }
  }

  /**
   * Opens a store's file, made if there is none, and brings its schema up to date. What can't be written is opened
   * read-only. Rejects with a StorageError. `isReadOnly`: it is opened so in any case.
   */
  static async #openFile(path: string, migrations: readonly Migration[], isReadOnly: boolean): Promise<SqliteDatabase> {
    const isNew = !existsSync(path)
    assertNotEmptied(path)
    const readOnly = isReadOnly ? openToReadAlone(path) : openReadOnly(path)
    if (readOnly !== undefined) return SqliteDatabase.#openToRead(path, readOnly, migrations)
    const writer = openWriter(path)
    try {
      // Another process may be creating the file at this moment.
      await retryWhileBusy(() => configureWriter(writer))
      const database = new SqliteDatabase(path, writer, migrations)
      if (isNew) chmodSync(path, 0o600)
      await migrateSqlite(path, writer, database.queue, migrations)
      // Only now: a store of a newer version must stay untouched.
      await retryWhileBusy(() => {
        if (writer.database.pragma('journal_mode', { simple: true }) === 'wal') return
        writer.database.pragma('journal_mode = WAL')
        // Opens the journal. Only a connection that writes can remove it, at the end, and this one may never write.
        writer.database.pragma('schema_version')
      })
      return database
    } catch (error) {
      writer.close()
      throw asStorageError(error, path)
    }
  }

  /**
   * Opens a store that can't be written. Rejects with `storage-unavailable` if it is of an older version. The
   * connection is closed where it rejects.
   */
  static async #openToRead(
    path: string,
    readOnly: ReadOnly,
    migrations: readonly Migration[],
  ): Promise<SqliteDatabase> {
    const { connection } = readOnly
    try {
      const finished = await retryWhileBusy(() => finishedMigrations(connection.database))
      if (!isUpToDate(path, finished, migrations))
        throw new StorageError(
          'storage-unavailable',
          `The store ${path} is of an older version, and can't be brought up to date: it, or its folder, is read-only for this user. Nothing was changed; copy it to a folder of your own and name the copy as your store.`,
        )
      return new SqliteDatabase(path, connection, migrations, readOnly)
    } catch (error) {
      connection.close()
      throw asStorageError(error, path)
    }
  }

  /** The rows of a query, as last committed; tried again while the file is locked. Rejects with a StorageError. */
  async all<R>(sql: string, parameters: readonly SqlValue[] = []): Promise<R[]> {
    return this.#guard(() =>
      retryWhileBusy(
        () =>
          this.#read()
            .statement(sql)
            .all(...parameters) as R[],
      ),
    )
  }

  /** The rows with these keys, as last committed; `uncached` keeps them from displacing others in the page cache. */
  async lookup<R>(table: Table, lookup: Lookup, keys: readonly SqlValue[]): Promise<R[]> {
    return this.#guard(() =>
      new SqliteTransaction(lookup.uncached === true ? this.#readPlainly() : this.#read()).lookup<R>(
        table,
        lookup,
        keys,
      ),
    )
  }

  transaction<T>(options: TransactionOptions, work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return observed(this.observer, options, () => this.#write(options, work))
  }

  /**
   * Runs a transaction after those before it. Rejects if the store is read-only, or if its file has been removed
   * meanwhile.
   */
  #write<T>(options: TransactionOptions, work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    return this.#guard(async () => {
      this.#assertOpen()
      if (this.readOnly !== undefined) throw readOnlyError(this.location)
      const synchronous = options.durability === 'synced' ? 'FULL' : 'NORMAL'
      const result = await this.queue.transaction(synchronous, () =>
        options.withoutOverwriting === true ? this.#withoutOverwriting(() => this.#within(work)) : this.#within(work),
      )
      this.#check.assertThere()
      return result
    })
  }

  /** Runs `work` with a transaction that can't be used afterwards. Commits nothing by itself. */
  async #within<T>(work: (transaction: SqlTransaction) => Promise<T>): Promise<T> {
    const transaction = new SqliteTransaction(this.#writer)
    try {
      return await work(transaction)
    } finally {
      transaction.end()
    }
  }

  /** Runs `work` without overwriting what it deletes, which is faster; deleted text may then remain in the file. */
  async #withoutOverwriting<T>(work: () => Promise<T>): Promise<T> {
    const { database } = this.#writer
    database.pragma('secure_delete = OFF')
    try {
      return await work()
    } finally {
      database.pragma('secure_delete = ON')
    }
  }

  /**
   * Calls the listener after commits of any process, this one too, and now and then without one; the first listener
   * begins the watch. Returns what ends its calls.
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#stopWatching ??= this.#watch()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stopWatching?.()
      this.#stopWatching = undefined
    }
  }

  /**
   * Checks that the file is still the one that was opened, and of this version. Rejects with a StorageError if not.
   * Where its content changed since the last check, listeners are called. A copy in memory passes.
   */
  check(): Promise<void> {
    return this.#guard(async () => {
      this.#assertOpen()
      if (this.readOnly?.isCopy === true) return
      if (!(await this.#check.run(this.#read()))) return
      this.#closeReaders()
      for (const listener of this.#listeners) listener()
    })
  }

  /** The size of the store's file and journals in bytes. 0 for files that are gone. */
  totalBytes(): Promise<number> {
    const sizes = ['', '-wal', '-shm'].map(
      (suffix) => statSync(this.location + suffix, { throwIfNoEntry: false })?.size ?? 0,
    )
    return Promise.resolve(sizes.reduce((sum, size) => sum + size, 0))
  }

  /**
   * What is wrong with the file, as sentences; empty if it is sound. Read from the disk, not from a cache. Takes
   * seconds for a large store.
   */
  integrityFaults(): Promise<readonly string[]> {
    return this.#guard(async () => {
      this.#assertOpen()
      if (this.readOnly?.isCopy === true) return faultsOf(this.#writer)
      // A new connection, which has cached nothing of the file.
      const reader = openReader(this.location)
      try {
        return await faultsOf(reader)
      } finally {
        reader.close()
      }
    })
  }

  /** Builds all indexes again. Rejects if the store is read-only. */
  rebuildIndexes(): Promise<void> {
    return this.#guard(async () => {
      this.#assertOpen()
      if (this.readOnly !== undefined) throw readOnlyError(this.location)
      await this.queue.transaction('FULL', () => {
        rebuildIndexes(this.#writer.database, this.#migrations)
        return Promise.resolve()
      })
      // Statements of before know other indexes.
      this.#closeReaders()
    })
  }

  /**
   * Writes the journal into the file and empties it, so that deleted text is in neither. Waits for writers, and they
   * for it.
   */
  scrub(): Promise<void> {
    return this.#guard(async () => {
      this.#assertOpen()
      await this.queue.exclusive(() => retryWhileBusy(() => this.#writer.database.pragma('wal_checkpoint(TRUNCATE)')))
    })
  }

  /**
   * Makes the file as small as it can be, which takes as much space again for a while. Waits for writers, and they for
   * it.
   */
  compact(): Promise<void> {
    return this.#guard(async () => {
      this.#assertOpen()
      await this.queue.exclusive(() =>
        retryWhileBusy(() => {
          // Otherwise the journal's content would take space beside all that this writes.
          this.#writer.database.pragma('wal_checkpoint(TRUNCATE)')
          this.#writer.database.exec('VACUUM')
          this.#writer.database.pragma('wal_checkpoint(TRUNCATE)')
        }),
      )
    })
  }

  /** Waits for writers and closes the file; other calls then reject. Closing again does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#stopWatching?.()
    await this.queue.idle()
    this.#closeReaders()
    this.#writer.close()
  }

  #assertOpen(): void {
    if (this.#closed) throw storeClosed()
  }

  /**
   * The reader of ordinary statements, opened at the first call. For a copy opened read-only it is the writer's
   * connection. Throws if the store is closed.
   */
  #read(): Connection {
    this.#assertOpen()
    if (this.readOnly?.isCopy === true) return this.#writer
    this.#reader ??= openReader(this.location)
    return this.#reader
  }

  /**
   * The reader for what is not to fill the page cache; opened at the first call. For a copy opened read-only it is the
   * writer's connection. Throws if the store is closed.
   */
  #readPlainly(): Connection {
    this.#assertOpen()
    if (this.readOnly?.isCopy === true) return this.#writer
    this.#plainReader ??= openReader(this.location, PLAIN_CACHE_KIB)
    return this.#plainReader
  }

  /** Closes the readers; the next read opens new ones. */
  #closeReaders(): void {
    this.#reader?.close()
    this.#plainReader?.close()
    this.#reader = undefined
    this.#plainReader = undefined
  }

  /** Runs `work`; what it throws becomes a StorageError. Other errors than SQLite's stay. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw asStorageError(error, this.location)
    }
  }

  /**
   * Watches for commits of any process, and returns what ends that. File events say when to check, `data_version` says
   * whether there is anything new; a slow poll covers lost events. Listeners may also be called without a change.
   */
  #watch(): () => void {
    // A file that can't be read counts as changed; the next call on it reports why.
    const version = (): unknown => {
      try {
        return this.#read().database.pragma('data_version', { simple: true })
      } catch {
        return undefined
      }
    }
    let seen = version()
    const look = (): void => {
      const now = version()
      if (now === seen) return
      seen = now
      for (const listener of this.#listeners) listener()
    }
    const wal = `${basename(this.location)}-wal`
    let laterLooks: readonly NodeJS.Timeout[] = []
    const forgetLooks = (): void => laterLooks.forEach((timer) => clearTimeout(timer))
    let watcher: FSWatcher | undefined
    try {
      watcher = watch(dirname(this.location), { persistent: false }, (_event, name) => {
        if (name !== wal) return
        look()
        forgetLooks()
        laterLooks = LATER_LOOKS_MS.map((ms) => setTimeout(look, ms))
      })
      // If watching fails (folder moved, limit of watches), polling continues.
      watcher.on('error', () => watcher?.close())
    } catch {
      watcher = undefined
    }
    const poll = setInterval(look, POLL_MS)
    poll.unref()
    return () => {
      watcher?.close()
      clearInterval(poll)
      forgetLooks()
    }
  }
}
