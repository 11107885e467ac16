/**
 * Rows of sessions in a team's store. Several machines may send the same session; what is stored is the same in whatever
 * order they come: the earliest begin, the latest end with its branch, and of names that differ the smaller one.
 */
import type { SyncSession } from '@cairn/core/sync'
import type { SqlTransaction } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { checkedColumns, nextChecksum, rowChecksum } from '../sql/row-checksum.ts'
import { quoted, tables } from '../sql/schema.ts'
import { insertRows, updateRow } from '../sql/statements.ts'
import { storableText } from '../repository/labels.ts'
import type { Labels } from '../repository/labels.ts'

/** What the stored row and the one that comes in are compared by. */
interface Merged {
  readonly workspace_id: number
  readonly branch_id: number
  readonly title: string | null
  readonly forked_from: string | null
  readonly started_at: number | null
  readonly updated_at: number | null
  readonly machine_id: number
}

interface StoredRow extends Merged {
  readonly id: number
  readonly key: string
  readonly titled: number
  readonly checksum: number | null
}

interface Received {
  readonly sessions: readonly SyncSession[]
  readonly machineId: number
  readonly lockClause: string
}

/**
 * Inserts or merges sessions; `rows` has those that were taken in by id, `withdrawn` the ids of those that are out, and
 * `others` of those that belong to another user of the database, who alone may change them.
 */
export const receiveSessions = async (
  transaction: SqlTransaction,
  labels: Labels,
  { sessions, machineId, lockClause }: Received,
): Promise<{
  readonly rows: ReadonlyMap<string, { readonly id: number; readonly agent: string }>
  readonly withdrawn: readonly string[]
  readonly others: readonly string[]
}> => {
  const out = await withdrawnAmong(transaction, sessions)
  // In one order, so that two machines take locks in the same.
  const taken = sessions
    .filter(({ id }) => !out.has(storableText(id)))
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const fresh: (Merged & { readonly session: SyncSession })[] = []
  for (const session of taken) fresh.push({ session, ...(await mergedColumns(labels, session, machineId)) })
  await insertMissing(transaction, labels, fresh)
  // Rows that this user may not change are not locked, and so not among them.
  const stored = await storedRows(transaction, taken, lockClause)
  const rows = new Map<string, { readonly id: number; readonly agent: string }>()
  for (const incoming of fresh) {
    const { id, agent } = incoming.session
    const row = stored.get(storableText(id))
    if (row === undefined) continue
    await mergeRow(transaction, row, incoming)
    rows.set(id, { id: row.id, agent })
  }
  return {
    rows,
    others: taken.filter(({ id }) => !rows.has(id)).map(({ id }) => id),
    withdrawn: sessions.filter(({ id }) => out.has(storableText(id))).map(({ id }) => id),
  }
}

/** The ids of those sessions that were deleted or withdrawn. In the target's list of deletions. */
const withdrawnAmong = async (
  transaction: SqlTransaction,
  sessions: readonly SyncSession[],
): Promise<ReadonlySet<string>> => {
  const rows = await transaction.lookup<{ key: string }>(
    tables.deletedSession,
    { columns: ['key'], key: 'key' },
    sessions.map(({ id }) => storableText(id)),
  )
  return new Set(rows.map(({ key }) => key))
}

const storable = (text: string | undefined): string | null => (text === undefined ? null : storableText(text))

/** The columns that a sent session may change; names get their ids. What is not sent is null, or unknown. */
const mergedColumns = async (labels: Labels, session: SyncSession, machineId: number): Promise<Merged> => ({
  workspace_id: await labels.workspace(session.workspace),
  branch_id: await labels.label('branch', session.branch),
  title: storable(session.title),
  forked_from: storable(session.forkedFrom),
  started_at: session.startedAt,
  updated_at: session.updatedAt,
  machine_id: machineId,
})

const INSERTED = [...checkedColumns(tables.session), 'machine_id'] as const

/**
 * Inserts the sessions that are not there; the others stay as they are. With the machine's id; their logs are empty.
 */
const insertMissing = async (
  transaction: SqlTransaction,
  labels: Labels,
  fresh: readonly (Merged & { readonly session: SyncSession })[],
): Promise<void> => {
  const rows: Record<string, string | number | null>[] = []
  for (const { session, ...columns } of fresh) {
    const values = {
      key: storableText(session.id),
      agent_id: await labels.label('agent', session.agent),
      external_id: storableText(session.externalId),
      ...columns,
      titled: 0,
      next_seq: 0,
      message_count: 0,
      favourite: 0,
      redactions: 0,
    }
    rows.push({ ...values, checksum: rowChecksum(tables.session, values) })
  }
  await insertRows<string>(
    transaction,
    tables.session,
    INSERTED,
    rows.map((row) => Object.fromEntries(INSERTED.map((column) => [column, row[column] ?? null]))),
    'ON CONFLICT ("key") DO NOTHING',
  )
}

/** The stored rows of the sessions, by id, locked in one order; those that this user may not change are missing. */
const storedRows = async (
  transaction: SqlTransaction,
  sessions: readonly SyncSession[],
  lockClause: string,
): Promise<ReadonlyMap<string, StoredRow>> => {
  if (sessions.length === 0) return new Map()
  const rows = await transaction.all<StoredRow>(
    `SELECT id, machine_id, ${quoted(checkedColumns(tables.session))} FROM session
     WHERE "key" IN (${sessions.map(() => '?').join(', ')}) ORDER BY "key"${lockClause}`,
    sessions.map(({ id }) => storableText(id)),
  )
  return new Map(rows.map((row) => [row.key, row]))
}

/**
 * Merges a session that comes in into the stored one, so that the order of arrival does not matter: the earliest start, the
 * latest end, the later one's branch, of other texts the smaller; a title that the log gave stays. Writes nothing where the
 * stored one has it all.
 */
const mergeRow = async (transaction: SqlTransaction, row: StoredRow, incoming: Merged): Promise<void> => {
  const isLater = (incoming.updated_at ?? -1) > (row.updated_at ?? -1)
  const isEqual = incoming.updated_at === row.updated_at
  const merged = {
    workspace_id: await smaller(transaction, 'workspace', row.workspace_id, incoming.workspace_id),
    branch_id: isLater
      ? incoming.branch_id
      : isEqual
        ? await smaller(transaction, 'label', row.branch_id, incoming.branch_id)
        : row.branch_id,
    // A title that the log gave stays.
    title: row.titled === 1 ? row.title : smallerText(row.title, incoming.title),
    forked_from: smallerText(row.forked_from, incoming.forked_from),
    started_at: extreme(Math.min, row.started_at, incoming.started_at),
    updated_at: extreme(Math.max, row.updated_at, incoming.updated_at),
    machine_id: await smaller(transaction, 'machine', row.machine_id, incoming.machine_id),
  }
  const changes = Object.fromEntries(
    Object.entries(merged).filter(([column, value]) => value !== row[column as keyof Merged]),
  )
  if (Object.keys(changes).length === 0) return
  await updateRow(transaction, tables.session, row.id, {
    ...changes,
    checksum: nextChecksum(tables.session, row, changes),
  })
}

const NAMES = { workspace: 'path', label: 'value', machine: 'key' } as const

/** Of two ids the one whose text is smaller; 0 stands for none. By UTF-16 units. */
const smaller = async (
  transaction: SqlTransaction,
  table: keyof typeof NAMES,
  left: number,
  right: number,
): Promise<number> => {
  if (left === right || right === 0) return left
  if (left === 0) return right
  const column = NAMES[table]
  const rows = await transaction.lookup<{ id: number } & Readonly<Partial<Record<typeof column, string>>>>(
    tables[table],
    { columns: ['id', column], key: 'id' },
    [left, right],
  )
  const texts = new Map(rows.map((row) => [row.id, required(row[column], 'a name')]))
  return required(texts.get(left), 'a name') <= required(texts.get(right), 'a name') ? left : right
}

const smallerText = (left: string | null, right: string | null): string | null =>
  left === null || right === null ? (left ?? right) : left <= right ? left : right

/** The chosen of two numbers; null counts as unknown, and is returned only if both are. */
const extreme = (
  choose: (left: number, right: number) => number,
  left: number | null,
  right: number | null,
): number | null => (left === null || right === null ? (left ?? right) : choose(left, right))
