/**
 * Long-term memory: every version of an entry stays, with the time in which it was current. Changes of a workspace are
 * serialised, whichever process makes them: SQLite has one writer anyway, PostgreSQL uses a lock.
 */
import type {
  MemoryDecision,
  MemoryEnd,
  MemoryEntry,
  MemoryKind,
  MemoryReading,
  MemoryStorage,
  MemoryVersion,
  MemoryWrite,
} from '@cairn/core'
import type { SqlDatabase, SqlTransaction, SqlValue } from '../sql/database.ts'
import { assertRowsIntact, nextChecksum } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import { insertRows, updateRow } from '../sql/statements.ts'
import { GroupCommit } from './group-commit.ts'
import { assertIndexesIntact } from './integrity.ts'
import { decodedText, encodedText, storableText } from './labels.ts'
import { versionRevision } from './version-revision.ts'
import {
  ROW_COLUMNS,
  VERSION_COLUMNS,
  assertWritable,
  toMemoryEntry,
  otherWorkspace,
  toMemoryVersion,
  versionRow,
  wordsKey,
} from './memory-rows.ts'
import type { MemoryRow } from './memory-rows.ts'

interface Change {
  readonly workspace: string
  readonly at: number
  readonly decide: (current: readonly MemoryEntry[]) => MemoryDecision<unknown>
  readonly reading: MemoryReading | undefined
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/** The end of an entry's history so far. */
interface LastVersion extends MemoryRow {
  readonly id: number
}

interface ResolvedEntry {
  readonly id: string
  readonly workspace: string
  readonly current: boolean
}

/** The fewest characters that an id is searched by from its end. */
const SHORTEST_END = 4

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** Databases order text differently: here by code unit, as JavaScript does. */
const newestFirst = (left: MemoryEntry, right: MemoryEntry): number =>
  right.lastConfirmedAt - left.lastConfirmedAt || byText(right.id, left.id)

const lastEndedFirst = (left: MemoryVersion, right: MemoryVersion): number =>
  (right.validTo ?? 0) - (left.validTo ?? 0) || byText(right.entry.id, left.entry.id)

/** Memory entries and their versions on SQLite or PostgreSQL. For its methods see {@link MemoryStorage}. */
export class PrismaMemoryStorage implements MemoryStorage {
  readonly #database: SqlDatabase
  readonly #changes: GroupCommit<Change, Outcome>

  constructor(database: SqlDatabase) {
    this.#database = database
    this.#changes = new GroupCommit((group) => this.#commit(group))
  }

  /**
   * Decides and writes changes of a workspace's memory in one transaction, so that nobody writes in between; resolves
   * with the decision's result. `decide` gets the current entries, or those that `reading` names, and may be called
   * again where a write fails. Rejects with what it throws, and with `invalid-input` for an entry of another workspace.
   */
  async change<T>(
    workspace: string,
    at: number,
    decide: (current: readonly MemoryEntry[]) => MemoryDecision<T>,
    reading?: MemoryReading,
  ): Promise<T> {
    const outcome = await this.#changes.add({ workspace, at, decide, reading })
    if (!outcome.ok) throw outcome.error
    // The value is what this `decide` returned.
    return outcome.value as T
  }

  /**
   * The entry as of a time in ms, or now; undefined if it was forgotten, superseded or not yet there. Rejects with
   * `storage-corrupt` for a damaged row.
   */
  async get(id: string, asOf?: number): Promise<MemoryEntry | undefined> {
    if (storableText(id) !== id) return undefined
    const begun = asOf === undefined ? '' : 'AND valid_from <= ?'
    const [row] = await this.#read(
      `SELECT ${ROW_COLUMNS} FROM memory_version WHERE entry_id = ? ${begun} ORDER BY valid_from DESC, id DESC LIMIT 1`,
      asOf === undefined ? [id] : [id, Math.floor(asOf)],
    )
    const isCurrent = row !== undefined && (row.valid_to === null || (asOf !== undefined && row.valid_to > asOf))
    return isCurrent ? toMemoryEntry(row) : undefined
  }

  /**
   * The entries of a workspace as of a time in ms, or now, the most recently confirmed first. Only of one kind if that
   * is given. Rejects with `storage-corrupt` for a damaged row.
   */
  async list(
    workspace: string,
    options: { readonly kind?: MemoryKind; readonly asOf?: number } = {},
  ): Promise<readonly MemoryEntry[]> {
    const { kind, asOf } = options
    const conditions = ['workspace = ?']
    const parameters: SqlValue[] = [encodedText(workspace)]
    if (asOf === undefined) conditions.push('valid_to IS NULL')
    else {
      conditions.push('valid_from <= ?', '(valid_to IS NULL OR valid_to > ?)')
      parameters.push(Math.floor(asOf), Math.floor(asOf))
    }
    if (kind !== undefined) {
      conditions.push('kind = ?')
      parameters.push(kind)
    }
    const rows = await this.#read(
      `SELECT ${ROW_COLUMNS} FROM memory_version WHERE ${conditions.join(' AND ')}`,
      parameters,
    )
    return rows.map(toMemoryEntry).sort(newestFirst)
  }

  revision(workspace: string): Promise<string> {
    return versionRevision(this.#database, 'memory_version', encodedText(workspace))
  }

  /**
   * All versions of an entry, the oldest first; empty if it is unknown. Rejects with `storage-corrupt` for a damaged
   * one.
   */
  async history(id: string): Promise<readonly MemoryVersion[]> {
    if (storableText(id) !== id) return []
    const rows = await this.#read(
      `SELECT ${ROW_COLUMNS} FROM memory_version WHERE entry_id = ? ORDER BY valid_from, id`,
      [id],
    )
    return rows.map(toMemoryVersion)
  }

  /** The last versions of a workspace's entries that ended and were not added again, the last ended first. */
  async ended(workspace: string): Promise<readonly MemoryVersion[]> {
    const rows = await this.#read(
      `SELECT ${ROW_COLUMNS} FROM memory_version WHERE workspace = ? AND valid_to IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM memory_version AS later WHERE later.entry_id = memory_version.entry_id
         AND (later.valid_from > memory_version.valid_from
           OR (later.valid_from = memory_version.valid_from AND later.id > memory_version.id)))`,
      [encodedText(workspace)],
    )
    return rows.map(toMemoryVersion).sort(lastEndedFirst)
  }

  /**
   * The entries whose id begins with `part`, or, if none does and it has at least 4 characters, ends with it; former
   * ones and all workspaces' too, by id, at most `limit`. Every id begins with ''; none for a text that is no part of
   * an id. Rejects with `storage-corrupt` for a damaged index.
   */
  async resolve(part: string, limit: number): Promise<readonly ResolvedEntry[]> {
    if (!/^[\x21-\x7e]{0,100}$/.test(part)) return []
    await assertIndexesIntact(this.#database, ['memory_version'])
    const isSqlite = this.#database.dialect === 'sqlite'
    // Ids are ASCII, which is the order of SQLite's index; PostgreSQL's may be that of a language.
    const beginning = await (isSqlite
      ? this.#resolved('entry_id >= ? AND entry_id < ?', [part, `${part}\x7f`], limit)
      : this.#resolved('starts_with(entry_id, ?)', [part], limit))
    if (beginning.length > 0 || part.length < SHORTEST_END) return beginning
    // Only the ids are scanned, which are in an index: the rows with their texts are much larger.
    const end = isSqlite ? `substr(entry_id, -${part.length})` : `right(entry_id, ${part.length})`
    return this.#resolved(`entry_id IN (SELECT entry_id FROM memory_version WHERE ${end} = ?)`, [part], limit)
  }

  /** Runs a query for memory versions; rejects if an index or a row read is damaged. */
  async #read(sql: string, parameters: readonly SqlValue[]): Promise<readonly MemoryRow[]> {
    await assertIndexesIntact(this.#database, ['memory_version'])
    const rows = await this.#database.all<MemoryRow>(sql, parameters)
    assertRowsIntact(this.#database.location, tables.memoryVersion, rows)
    return rows
  }

  /** The entries that fit a condition, by id, each with whether it still holds. At most `limit`. */
  async #resolved(
    condition: string,
    parameters: readonly SqlValue[],
    limit: number,
  ): Promise<readonly ResolvedEntry[]> {
    const rows = await this.#database.all<{ id: string; workspace: string; is_current: number }>(
      `SELECT entry_id AS id, MAX(workspace) AS workspace, MAX(CASE WHEN valid_to IS NULL THEN 1 ELSE 0 END) AS is_current
       FROM memory_version WHERE ${condition} GROUP BY entry_id`,
      parameters,
    )
    return rows
      .map((row) => ({ id: row.id, workspace: decodedText(row.workspace), current: row.is_current === 1 }))
      .sort((left, right) => byText(left.id, right.id))
      .slice(0, limit)
  }

  /**
   * The workspaces with memory, by path, each with its number of current entries, which may be 0. Rejects with
   * `storage-corrupt` for a damaged index.
   */
  async workspaces(): Promise<readonly { readonly workspace: string; readonly entries: number }[]> {
    await assertIndexesIntact(this.#database, ['memory_version'])
    const rows = await this.#database.all<{ workspace: string; entries: number }>(
      'SELECT workspace, SUM(CASE WHEN valid_to IS NULL THEN 1 ELSE 0 END) AS entries FROM memory_version GROUP BY workspace',
    )
    return rows
      .map((row) => ({ workspace: decodedText(row.workspace), entries: row.entries }))
      .sort((left, right) => byText(left.workspace, right.workspace))
  }

  /** Resolves when no change is under way. */
  idle(): Promise<void> {
    return this.#changes.idle()
  }

  /**
   * Decides and writes a group of changes in one transaction, in order. What `decide` throws is that change's outcome
   * alone. An error of the database rolls back and rejects the whole group.
   */
  #commit(group: readonly Change[]): Promise<readonly Outcome[]> {
    return this.#database.transaction({ durability: 'synced' }, async (transaction) => {
      await this.#lock(transaction, group)
      const outcomes: Outcome[] = []
      for (const change of group) {
        const current = await readFor(transaction, this.#database.location, change)
        const decided = decisionOf(change, current)
        if (!decided.ok) outcomes.push(decided)
        else {
          // An error from here on rolls back the group; each change is then tried alone.
          await apply(transaction, change, decided.value.writes)
          outcomes.push({ ok: true, value: decided.value.result })
        }
      }
      return outcomes
    })
  }

  /**
   * Locks the workspaces of a group until the transaction ends; on SQLite there is only one writer. In one order, so
   * that two groups can't deadlock.
   */
  async #lock(transaction: SqlTransaction, group: readonly Change[]): Promise<void> {
    if (this.#database.dialect !== 'postgresql') return
    // In a fixed order, so that two groups can't deadlock.
    const names = [...new Set(group.map(({ workspace }) => `memory:${encodedText(workspace)}`))].sort(byText)
    for (const name of names) await transaction.all('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [name])
  }
}

/** What a change decides, or what it threw; nothing is written. A write for another workspace counts as thrown. */
const decisionOf = (
  change: Change,
  current: readonly MemoryEntry[],
): { readonly ok: true; readonly value: MemoryDecision<unknown> } | { readonly ok: false; readonly error: unknown } => {
  try {
    const value = change.decide(current)
    for (const write of value.writes) if (write.op === 'put') assertWritable(write.entry, change.workspace)
    return { ok: true, value }
  } catch (error) {
    return { ok: false, error }
  }
}

/**
 * The current entries that a change decides by. Rejects with `storage-corrupt` where one is damaged. All of the
 * workspace, or only those with the ids or words that it asks for; the most recently confirmed first.
 */
const readFor = async (
  transaction: SqlTransaction,
  location: string,
  { workspace, reading }: Change,
): Promise<readonly MemoryEntry[]> => {
  const stored = encodedText(workspace)
  const current = async (condition: string, value: string): Promise<readonly MemoryRow[]> => {
    const rows = await transaction.all<MemoryRow>(
      `SELECT ${ROW_COLUMNS} FROM memory_version WHERE ${condition} AND valid_to IS NULL`,
      [value],
    )
    // No decision is made, and nothing written, on the basis of a damaged row.
    assertRowsIntact(location, tables.memoryVersion, rows)
    return rows
  }
  if (reading === undefined) return (await current('workspace = ?', stored)).map(toMemoryEntry).sort(newestFirst)
  const found = new Map<string, MemoryEntry>()
  const take = (rows: readonly MemoryRow[]): void => {
    for (const row of rows) if (row.workspace === stored) found.set(row.entry_id, toMemoryEntry(row))
  }
  for (const key of new Set((reading.saying ?? []).map(wordsKey))) take(await current('words = ?', key))
  for (const id of new Set(reading.ids)) if (storableText(id) === id) take(await current('entry_id = ?', id))
  return [...found.values()].sort(newestFirst)
}

/**
 * Writes what a change decided: versions end, and new ones begin. Ending what has ended, or is another workspace's,
 * does nothing; putting into another workspace's entry throws.
 */
const apply = async (
  transaction: SqlTransaction,
  { workspace, at }: Change,
  writes: readonly MemoryWrite[],
): Promise<void> => {
  const stored = encodedText(workspace)
  for (const write of writes) {
    const id = write.op === 'put' ? write.entry.id : write.id
    if (storableText(id) !== id) continue
    const [last] = await transaction.all<LastVersion>(
      `SELECT id, ${ROW_COLUMNS} FROM memory_version WHERE entry_id = ? ORDER BY valid_from DESC, id DESC LIMIT 1`,
      [id],
    )
    if (write.op === 'put') {
      if (last !== undefined && last.workspace !== stored) throw otherWorkspace(id)
      const validFrom = await end(transaction, last, at, 'updated', null)
      await insertRows(transaction, tables.memoryVersion, VERSION_COLUMNS, [versionRow(write.entry, validFrom)])
    } else if (last?.workspace === stored && last.valid_to === null)
      await end(transaction, last, at, write.reason, write.replacedBy ?? null)
  }
}

/**
 * Ends the current version, and returns from when on another one may begin. That is never before the end of the last
 * version; `at` in ms.
 */
const end = async (
  transaction: SqlTransaction,
  last: LastVersion | undefined,
  at: number,
  reason: MemoryEnd,
  replacedBy: string | null,
): Promise<number> => {
  if (last === undefined) return at
  if (last.valid_to !== null) return Math.max(at, last.valid_to)
  const endAt = Math.max(at, last.valid_from)
  const changes = { valid_to: endAt, ended: reason, replaced_by: replacedBy }
  await updateRow(transaction, tables.memoryVersion, last.id, {
    ...changes,
    checksum: nextChecksum(tables.memoryVersion, last, changes),
  })
  return endAt
}
