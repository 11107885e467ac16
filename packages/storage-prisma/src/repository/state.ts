/** Settings and state by scope. */
import { StorageError } from '@cairn/core'
import type { JsonValue, StateChanges, StateScope, StateStorage } from '@cairn/core'
import type { LazyClient, TransactionClient } from '../prisma/client.ts'
import { storedJson } from '../sql/damaged.ts'
import type { SqlDatabase, SqlTransaction } from '../sql/database.ts'
import { assertRowsIntact, isIntact, rowChecksum } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import { storableText } from './labels.ts'

/** A scope as a key; no two scopes share one. */
const scopeKey = (scope: StateScope): string => {
  switch (scope.tier) {
    case 'global':
      return 'global'
    case 'workspace':
      return `workspace:${storableText(scope.workspace)}`
    case 'session':
      return `session:${storableText(scope.sessionId)}`
  }
}

/** A removed key keeps its row for a while, so that others hear of it. JSON is never empty. */
const REMOVED = ''
/** Who has not asked for so long reads the scope as a whole, ms. */
const REMOVED_FOR = 7 * 86_400_000

/** Keys a statement. */
const BATCH = 500

/** Ascends also where a store was emptied between two changes, as long as there are fewer than a thousand in a ms. */
const REVISIONS_PER_MS = 1_000

interface StateRow {
  readonly scope: string
  readonly key: string
  readonly value: string
  readonly updated_at: number
  readonly revision: number
  readonly checksum: number | null
}

/** A change beside what is known of its scope; the change's columns are null where there is none. */
type ChangeRow = { readonly newest: number; readonly origin: number } & (
  StateRow | { readonly [Column in keyof StateRow]: null }
)

const COLUMNS = 'scope, "key", value, updated_at, revision, checksum'

/** Settings and state by scope on SQLite or PostgreSQL. For its methods see {@link StateStorage}. */
export class PrismaStateStorage implements StateStorage {
  readonly #database: SqlDatabase
  readonly #client: Pick<LazyClient, 'transaction'>

  constructor(database: SqlDatabase, client: Pick<LazyClient, 'transaction'>) {
    this.#database = database
    this.#client = client
  }

  /** A value of a scope; undefined if it is not set. Rejects with `storage-corrupt` for a damaged one. */
  async get(scope: StateScope, key: string): Promise<JsonValue | undefined> {
    const [row] = await this.#rows(scope, ' AND "key" = ?', storableText(key))
    return row === undefined ? undefined : this.#valueOf(row)
  }

  /** All values of a scope, by key. Rejects with `storage-corrupt` if one is damaged. */
  async all(scope: StateScope): Promise<ReadonlyMap<string, JsonValue>> {
    const rows = await this.#rows(scope, ' ORDER BY "key"')
    return new Map(rows.map((row) => [row.key, this.#valueOf(row)]))
  }

  /** Rows of what is set, by a statement of our own: Prisma's client takes longer to load than most commands to run. */
  async #rows(scope: StateScope, condition: string, ...parameters: readonly string[]): Promise<readonly StateRow[]> {
    const sql = `SELECT ${COLUMNS} FROM state WHERE scope = ?${condition}`
    const rows = await this.#database.all<StateRow>(sql, [scopeKey(scope), ...parameters])
    return rows.filter(({ value }) => value !== REMOVED)
  }

  /** The value of a row. Throws `storage-corrupt` if it is damaged. */
  #valueOf(row: StateRow): JsonValue {
    assertRowsIntact(this.#database.location, tables.state, [row])
    return storedJson(row.value, `the setting ${row.key}`)
  }

  /**
   * What changed in a scope after a revision; all of it (`isWhole`) if the revision is from before this state. A
   * removed key has undefined in `values`; damaged rows are named in `damaged`.
   */
  async changes(scope: StateScope, since: number): Promise<StateChanges> {
    // One statement, so that the rows are those of the revision.
    const rows = await this.#database.all<ChangeRow>(
      `SELECT state_scope.revision AS newest, origin, state.scope, state."key", state.value, state.updated_at, state.revision, state.checksum
       FROM state_scope LEFT JOIN state ON state.scope = state_scope.scope AND (state.revision > ? OR origin > ?)
       WHERE state_scope.scope = ?`,
      [since, since, scopeKey(scope)],
    )
    const [first] = rows
    // Never written by this version: what an older one left.
    if (first === undefined) return changesIn(await this.#rows(scope, ''), { revision: 0, isWhole: true })
    return changesIn(
      rows.filter((row) => row.scope !== null),
      { revision: first.newest, isWhole: since < first.origin },
    )
  }

  /**
   * Writes values of a scope together, undefined to remove one, as one revision; other keys stay. Removing a key that
   * is not set does nothing, as does an empty map. A removal also forgets removals of more than `REMOVED_FOR` ago.
   */
  async set(scope: StateScope, values: ReadonlyMap<string, JsonValue | undefined>): Promise<void> {
    if (values.size === 0) return
    const key = scopeKey(scope)
    const writes = [...values].map(([name, value]) => [storableText(name), value] as const)
    await this.#client.transaction(async (client) => {
      const revision = await nextRevision(client, key)
      for (let from = 0; from < writes.length; from += BATCH)
        await write(client, { scope: key, revision, updatedAt: BigInt(Date.now()) }, writes.slice(from, from + BATCH))
      if (writes.some(([, value]) => value === undefined)) await forgetRemoved(client, key)
    })
  }

  /** Removes a value and returns it; undefined if there is none. Of several that take it, one gets it. */
  async take(scope: StateScope, key: string): Promise<JsonValue | undefined> {
    // Most keys that are asked for are not set; that needs no turn among the writers.
    if ((await this.get(scope, key)) === undefined) return undefined
    const where = { scope: scopeKey(scope), key: storableText(key) }
    return this.#client.transaction(async (client) => {
      // First, so that of several takers one goes on and the others wait for its commit.
      const revision = await nextRevision(client, where.scope)
      const row = await client.state.findUnique({ where: { scope_key: where } })
      if (row === null || row.value === REMOVED) return undefined
      const change = { scope: where.scope, revision, updatedAt: BigInt(Date.now()) }
      await write(client, change, [[where.key, undefined]])
      return storedJson(row.value, `the setting ${row.key}`)
    })
  }

  /**
   * Replaces a value if it is `expected`, undefined for none, by `value`, undefined to remove it; false, with no value
   * changed, if it is another. Values are compared as JSON text, so the order of keys counts. Rejects with
   * `storage-corrupt` for a damaged one.
   */
  async replace(
    scope: StateScope,
    key: string,
    expected: JsonValue | undefined,
    value: JsonValue | undefined,
  ): Promise<boolean> {
    const name = storableText(key)
    // Who is late for certain needs no turn among the writers.
    if (!isSame(await this.get(scope, key), expected)) return false
    // By statements of our own: a run of the agent begins with this, and others wait while Prisma's client is made ready.
    return this.#database.transaction({ durability: 'synced' }, async (transaction) => {
      // First, so that of several one goes on and the others wait for its commit.
      const revision = await nextRevisionIn(transaction, scopeKey(scope))
      const [row] = await transaction.all<StateRow>(`SELECT ${COLUMNS} FROM state WHERE scope = ? AND "key" = ?`, [
        scopeKey(scope),
        name,
      ])
      const held = row === undefined || row.value === REMOVED ? undefined : this.#valueOf(row)
      if (!isSame(held, expected)) return false
      // A key that is not set has nothing to be removed.
      if (held === undefined && value === undefined) return true
      await put(transaction, { scope: scopeKey(scope), key: name, value, revision })
      return true
    })
  }
}

const isSame = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/**
 * {@link nextRevision} by a statement of our own: the scope's next revision, which also locks the scope until the
 * transaction ends. Throws `storage-corrupt` if there is none.
 */
const nextRevisionIn = async (transaction: SqlTransaction, scope: string): Promise<number> => {
  const first = Date.now() * REVISIONS_PER_MS
  const [row] = await transaction.all<{ readonly revision: number }>(
    `INSERT INTO state_scope (scope, revision, origin) VALUES (?, ?, ?)
     ON CONFLICT (scope) DO UPDATE SET revision = state_scope.revision + 1 RETURNING revision`,
    [scope, first, first],
  )
  if (row === undefined) throw new StorageError('storage-corrupt', `The scope ${scope} has no revision.`)
  return row.revision
}

/** Writes one value in place of the one that is there, if any; undefined marks it as removed. */
const put = async (
  transaction: SqlTransaction,
  change: {
    readonly scope: string
    readonly key: string
    readonly value: JsonValue | undefined
    readonly revision: number
  },
): Promise<void> => {
  const { scope, key, value, revision } = change
  const row = {
    scope,
    key,
    value: value === undefined ? REMOVED : JSON.stringify(value),
    updated_at: Date.now(),
    revision,
  }
  await transaction.run(
    `INSERT INTO state (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (scope, "key") DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at,
       revision = excluded.revision, checksum = excluded.checksum`,
    [scope, key, row.value, row.updated_at, revision, rowChecksum(tables.state, row)],
  )
}

/** The changes of rows, without the removed ones where they are the whole; keys of damaged rows are listed apart. */
const changesIn = (
  rows: readonly StateRow[],
  { revision, isWhole }: Pick<StateChanges, 'revision' | 'isWhole'>,
): StateChanges => {
  const values = new Map<string, JsonValue | undefined>()
  const damaged: string[] = []
  for (const row of rows) {
    if (!isIntact(tables.state, row)) damaged.push(row.key)
    else if (row.value !== REMOVED) values.set(row.key, storedJson(row.value, `the setting ${row.key}`))
    else if (!isWhole) values.set(row.key, undefined)
  }
  return { revision, isWhole, values, damaged }
}

/** The number of the next change. From here on other writers of the scope wait for this one's commit. */
const nextRevision = async ({ stateScope }: TransactionClient, scope: string): Promise<bigint> => {
  const first = BigInt(Date.now() * REVISIONS_PER_MS)
  const row = await stateScope.upsert({
    where: { scope },
    create: { scope, revision: first, origin: first },
    update: { revision: { increment: 1 } },
  })
  return row.revision
}

/** Writes rows in place of those that are there; undefined marks a key as removed, but only one that is set. */
const write = async (
  { state }: TransactionClient,
  change: { readonly scope: string; readonly revision: bigint; readonly updatedAt: bigint },
  writes: readonly (readonly [key: string, value: JsonValue | undefined])[],
): Promise<void> => {
  const { scope, revision, updatedAt } = change
  const where = { scope, key: { in: writes.map(([key]) => key) } }
  const removals = writes.filter(([, value]) => value === undefined).map(([key]) => key)
  const there =
    removals.length === 0
      ? []
      : await state.findMany({
          where: { scope, key: { in: removals }, value: { not: REMOVED } },
          select: { key: true },
        })
  const removed = new Set(there.map(({ key }) => key))
  await state.deleteMany({ where })
  const rows = writes
    .filter(([key, value]) => value !== undefined || removed.has(key))
    .map(([key, value]) => ({
      scope,
      key,
      value: value === undefined ? REMOVED : JSON.stringify(value),
      updatedAt,
      revision,
    }))
  await state.createMany({
    data: rows.map((row) => ({ ...row, checksum: rowChecksum(tables.state, { ...row, updated_at: updatedAt }) })),
  })
}

/**
 * Takes away the rows of what was removed more than `REMOVED_FOR` ago. Who knows less than the newest of them reads the
 * scope as a whole.
 */
const forgetRemoved = async ({ state, stateScope }: TransactionClient, scope: string): Promise<void> => {
  const where = { scope, value: REMOVED, updatedAt: { lt: BigInt(Date.now() - REMOVED_FOR) } }
  const { _max: newest } = await state.aggregate({ where, _max: { revision: true } })
  if (newest.revision === null) return
  await state.deleteMany({ where })
  await stateScope.update({ where: { scope }, data: { origin: newest.revision } })
}
