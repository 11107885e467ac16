/**
 * The narrow interface that the repository is written against. Two dialect modules implement it; all
 * SQL above it is common to both (`?` placeholders, standard syntax).
 */
import { CairnError, StorageError } from '@cairn/core'
import type { HealthRecorder } from '@cairn/core'
import type { Table } from './schema.ts'

export type SqlValue = null | number | bigint | string | Uint8Array
export type SqlRow = Readonly<Record<string, SqlValue>>

export interface SqlReader {
  /** All rows of a query. Integers are returned as numbers: cast sums that may exceed 2^53 to TEXT. */
  all<R>(sql: string, parameters?: readonly SqlValue[]): Promise<R[]>
  /** The rows whose key is among the keys, in any order. */
  lookup<R>(table: Table, lookup: Lookup, keys: readonly SqlValue[]): Promise<R[]>
}

/** A key to look up many rows by, optionally within one value of another column. */
export interface Lookup {
  readonly columns: readonly string[]
  readonly key: string
  readonly scope?: {
    readonly column: string
    readonly value: SqlValue
    /** The column holds the id of a row of another table, and the value is what that row has in `column`. */
    readonly idOf?: { readonly table: Table; readonly column: string }
  }
  /** The rows are large and cached by the caller: the database's own cache need not hold them. */
  readonly uncached?: boolean
  /**
   * Others may not delete the rows until the transaction ends; one that is being deleted is waited for, and left out. SQLite
   * has one writer at a time, which needs no lock.
   */
  readonly kept?: boolean
}

/**
 * Statements take effect in the order in which they are issued, awaited or not. Those of which none needs another's rows are
 * issued together, with one `await` for all: they cost PostgreSQL one round trip.
 */
export interface SqlTransaction extends SqlReader {
  /** Runs one statement; returns the number of rows that it changed. */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<number>
  /** Inserts rows (values in the order of `columns`); `onConflict` is an `ON CONFLICT …` clause. Returns the number of rows written. */
  insert(
    table: Table,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    onConflict?: string,
  ): Promise<number>
  /** Ids that are never used again, ascending. Those that are left over may be given once more by a later transaction. */
  reserveIds(table: Table, count: number): Promise<readonly number[]>
}

export interface TransactionOptions {
  /** `synced`: on disk, after power loss too, when it resolves. `lazy`: after a crash of the program, but a power loss may undo it. */
  readonly durability: 'synced' | 'lazy'
  /**
   * Deleted content is not overwritten, which takes as much free disk again on SQLite. Only before `compact`, which
   * removes it as well.
   */
  readonly withoutOverwriting?: true
  /** Is no write of the user's: it does not count in the store's health. */
  readonly unmeasured?: true
}

/** The condition that a lookup's scope adds, with the value's `parameter`; empty without a scope. */
export const scopeCondition = (scope: Lookup['scope'], parameter: string): string => {
  if (scope === undefined) return ''
  const { column, idOf } = scope
  const value =
    idOf === undefined ? parameter : `(SELECT id FROM "${idOf.table.name}" WHERE "${idOf.column}" = ${parameter})`
  return ` AND "${column}" = ${value}`
}

/** Who is told of writes. */
export type WriteObserver = Pick<HealthRecorder, 'wrote' | 'failed'>

export type DialectName = 'sqlite' | 'postgresql'

export interface SqlDatabase extends SqlReader {
  readonly dialect: DialectName
  /** Address for people; without a password. */
  readonly location: string
  /** Told of every transaction; set once, after it is open. */
  observer?: WriteObserver | undefined
  /**
   * Runs `work` alone (SQLite) or isolated (PostgreSQL) and commits; any error rolls back. It may run
   * more than once, so it must have no effect outside the transaction until it has resolved.
   */
  transaction<T>(options: TransactionOptions, work: (transaction: SqlTransaction) => Promise<T>): Promise<T>
  /**
   * Has the listener called after commits, by any process, and now and then without one. Returns the end of the
   * subscription.
   */
  onChange(listener: () => void): () => void
  /**
   * Rejects when the store is no longer the one that was opened: emptied, overwritten, without its tables, migrated by
   * a newer version. Cheap enough for every second.
   */
  check(): Promise<void>
  /** Size of all files or tables, bytes. */
  totalBytes(): Promise<number>
  /** The database's own check; empty when it is sound. */
  integrityFaults(): Promise<readonly string[]>
  /** Makes indexes again, those too that are missing. Rejects with `storage-corrupt` where rows contradict an index. */
  rebuildIndexes(): Promise<void>
  /** Removes traces of deleted rows from journals. */
  scrub(): Promise<void>
  /** Returns the space of deleted rows to the disk, so that no trace of them is left in the files. */
  compact(): Promise<void>
  /** Waits for transactions under way, then closes all connections. Once more does nothing. */
  close(): Promise<void>
}

/** What PostgreSQL's listeners listen to. */
export const CHANGES_CHANNEL = 'cairn_changes'
/**
 * Runs a transaction and tells the observer how long it took (ms), with waiting, or that it failed in the store;
 * without an observer, or unmeasured, it only runs it. Rejects as `work` does.
 */
export const observed = async <T>(
  observer: WriteObserver | undefined,
  { durability, unmeasured }: TransactionOptions,
  work: () => Promise<T>,
): Promise<T> => {
  if (observer === undefined || unmeasured === true) return work()
  const start = performance.now()
  try {
    const result = await work()
    observer.wrote(performance.now() - start, durability === 'synced')
    return result
  } catch (error) {
    // What a caller did wrong, and what is tried again, is no failure of the store.
    if (CairnError.is(error) && error.code.startsWith('storage-')) observer.failed(error.code)
    throw error
  }
}

/** Makes (does not throw) the error of a statement that is issued when its transaction has ended. */
export const transactionEnded = (): Error => new Error('a statement was issued after the end of its transaction')

/** Makes (does not throw) the `storage-unavailable` error that every call on a store that was closed rejects with. */
export const storeClosed = (): StorageError => new StorageError('storage-unavailable', 'The store has been closed.')
