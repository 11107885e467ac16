/**
 * Second half of every write, inside the transaction: the session's entries with their content, the search index, and
 * the session's row. Live appends and imports both come through here; usage is merged by the caller.
 */
import type { EntryWrite, SessionFacts } from '@cairn/core'
import { addSegment, addToTail } from '../search/index-rows.ts'
import type { TailRow } from '../search/index-rows.ts'
import type { SqlTransaction, SqlValue } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { rowChecksum } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import { insertRows } from '../sql/statements.ts'
import { kindCode, roleCode } from './entry-codec.ts'
import { storableText } from './labels.ts'
import type { Labels } from './labels.ts'
import { planPack, writePack } from './pack-writer.ts'
import type { PackPlan } from './pack-writer.ts'
import type { PreparedContent } from './prepared-content.ts'
import type { StoredReport } from './request-merge.ts'
import { updateSession } from './session-row.ts'
import type { SessionRow } from './session-row.ts'

export interface WrittenSession {
  /** For each write whether its entry is new; else the session had it, or the batch repeats it. */
  readonly isNew: readonly boolean[]
  readonly newMessages: number
  /** Reports of requests, for `mergeRequests`. */
  readonly reports: readonly StoredReport[]
  /** Id of the pack that holds the source lines; undefined if the content needed none. */
  readonly packId: number | undefined
  /** The workspace whose part of the search index received the messages; 0: unknown. */
  readonly workspaceId: number
}

/** What is asked before a session's content is written: it takes the session's key alone. */
export interface SessionAnswers {
  /** External ids of entries that the session has already. */
  readonly known: Promise<ReadonlySet<string>>
  /** Ids for its entries, at least as many as are new. */
  readonly ids: Promise<readonly number[]>
  readonly pack: Promise<PackPlan | undefined>
}

/** A write whose entry is new, with its position in the content and in the log. */
interface NewEntry {
  readonly write: EntryWrite
  readonly index: number
  readonly id: number
  readonly seq: number
}

/**
 * Asks what {@link beginWriting} has to know, and reserves ids; the answers need not be awaited. `isNew`: this transaction
 * has inserted the session's row. The row of one that is there must be locked by a statement issued before.
 */
export const askAboutSession = (
  transaction: SqlTransaction,
  content: PreparedContent,
  isNew: boolean,
): SessionAnswers => {
  const answers = {
    known: isNew ? Promise.resolve(new Set<string>()) : knownIds(transaction, content),
    ids: transaction.reserveIds(tables.entry, content.writes.length),
    pack: planPack(transaction, content),
  }
  // Where nothing is written after all, nobody awaits them.
  for (const answer of Object.values(answers)) answer.catch(() => undefined)
  return answers
}

/**
 * Writes prepared content to the end of the session's log, with its search index and row. Entries whose external id the
 * session has, or the batch had before, are left out; `isNew` says which were written. The requests, of entries left
 * out too, are returned as `reports`: the caller merges them.
 */
export const writeSession = async (
  transaction: SqlTransaction,
  labels: Labels,
  row: SessionRow,
  content: PreparedContent,
): Promise<WrittenSession> => {
  const { written, done } = await beginWriting(
    transaction,
    labels,
    row,
    content,
    askAboutSession(transaction, content, row.isNew),
  )
  await done
  return written
}

/**
 * Writes as {@link writeSession} does, with the answers of {@link askAboutSession}. Resolves when all statements are
 * issued, with what was written, and with `done`, which resolves when they are carried out, or rejects, never
 * unhandled. Rejects itself with BlockRemoved where a block that the content refers to is gone.
 */
export const beginWriting = async (
  transaction: SqlTransaction,
  labels: Labels,
  row: SessionRow,
  content: PreparedContent,
  answers: SessionAnswers,
): Promise<{ readonly written: WrittenSession; readonly done: Promise<unknown> }> => {
  const [known, ids, pack, workspaceId] = await Promise.all([
    answers.known,
    answers.ids,
    answers.pack,
    row.workspace_id === 0 ? labels.workspace(content.session.workspace) : row.workspace_id,
  ])
  const isNew = newOf(content.writes, known)
  const entries = newEntries(row, content, isNew, ids)
  const messages = entries.filter(({ write }) => write.entry.kind === 'message')
  // A prepared segment holds the messages of all writes.
  const segment =
    entries.length === content.writes.length ? content.indexed.segmentAt?.(row.id, row.next_seq) : undefined
  const added = entries.map(({ write }) => write)
  const done = Promise.all([
    writePack(transaction, row.id, content, pack),
    insertEntries(transaction, row, content, entries, pack?.packId),
    segment === undefined
      ? addToTail(transaction, tailRows(row, content, messages, workspaceId))
      : addSegment(transaction, workspaceId, 0, segment),
    updateSession(transaction, labels, row, content.session, added),
  ])
  // Whoever awaits it hears of it; nobody does where something else has failed before.
  done.catch(() => undefined)
  const reports = reportsOf(row, content, isNew)
  return { written: { isNew, newMessages: messages.length, reports, packId: pack?.packId, workspaceId }, done }
}

/** What identifies an entry within its session; null: nothing does. */
const externalIdOf = (write: EntryWrite): string | null => {
  const id = write.externalId ?? (write.entry.kind === 'message' ? write.entry.id : undefined)
  return id === undefined ? null : storableText(id)
}

/** The external ids of these writes that the session has already. Empty for a session that is not stored. */
const knownIds = async (
  transaction: SqlTransaction,
  { session, writes }: PreparedContent,
): Promise<ReadonlySet<string>> => {
  const idOf = { table: tables.session, column: 'key' }
  const stored = await transaction.lookup<{ external_id: string }>(
    tables.entry,
    {
      columns: ['external_id'],
      key: 'external_id',
      scope: { column: 'session_id', value: storableText(session.id), idOf },
    },
    writes.map(externalIdOf).filter((id) => id !== null),
  )
  return new Set(stored.map(({ external_id: id }) => id))
}

/**
 * Which entries are neither in the session yet nor repeated within the batch. A message's external id is its
 * own where none is given; another entry without one always is new. `stored`: the external ids that are in the session.
 */
const newOf = (writes: readonly EntryWrite[], stored: ReadonlySet<string>): readonly boolean[] => {
  const known = new Set(stored)
  return writes.map((write) => {
    const id = externalIdOf(write)
    if (id === null) return true
    if (known.has(id)) return false
    known.add(id)
    return true
  })
}

const ENTRY_COLUMNS = [
  'id',
  'session_id',
  'seq',
  'at',
  'kind',
  'role',
  'external_id',
  'pack_id',
  'offset',
  'length',
  'body',
  'checksum',
] as const satisfies readonly (keyof typeof tables.entry.columns)[]

/** The entries that are new, with their ids. They are numbered from the end of the session's log on. In their order. */
const newEntries = (
  row: SessionRow,
  { writes }: PreparedContent,
  isNew: readonly boolean[],
  ids: readonly number[],
): readonly NewEntry[] =>
  writes
    .flatMap((write, index) => (isNew[index] === true ? [{ write, index }] : []))
    .map((added, position) => ({
      ...added,
      id: required(ids[position], 'the id of an entry'),
      seq: row.next_seq + position,
    }))

/**
 * Inserts the entries; returns how many. `packId` is the pack of those whose text is not in their row. In one
 * statement, with checksums.
 */
const insertEntries = (
  transaction: SqlTransaction,
  row: SessionRow,
  content: PreparedContent,
  entries: readonly NewEntry[],
  packId: number | undefined,
): Promise<number> =>
  insertRows(
    transaction,
    tables.entry,
    ENTRY_COLUMNS,
    entries.map(({ write, index, id, seq }) => {
      const values = {
        session_id: row.id,
        seq,
        at: write.entry.at,
        kind: kindCode(write.entry.kind),
        role: write.entry.kind === 'message' ? roleCode(write.entry.role) : null,
        external_id: externalIdOf(write),
        ...bodyColumns(content, packId, index),
      }
      return { id, ...values, checksum: rowChecksum(tables.entry, values) }
    }),
  )

/** Where the body of an entry is: in its row when it is small, else in the pack. */
const bodyColumns = (
  { inline, pack }: PreparedContent,
  packId: number | undefined,
  index: number,
): Readonly<Record<'pack_id' | 'offset' | 'length' | 'body', SqlValue>> => {
  if (pack === undefined)
    return { pack_id: null, offset: null, length: null, body: required(inline?.[index], 'the body of an entry') }
  const { offset, length } = required(pack.slices[index], 'the body of an entry')
  return { pack_id: required(packId, 'the pack of an entry'), offset, length, body: null }
}

/** The messages, which must all be new entries of kind `message`, as rows of the index's tail: one each. */
const tailRows = (
  row: SessionRow,
  content: PreparedContent,
  messages: readonly NewEntry[],
  workspaceId: number,
): readonly TailRow[] =>
  messages.flatMap(({ index, id, seq }) => {
    const data = content.indexed.tailOf(index)
    return data === undefined ? [] : [{ entryId: id, sessionId: row.id, seq, workspaceId, data }]
  })

/** The requests of the writes, as reports. A repeated entry adds no text, but may carry the request's final numbers. */
const reportsOf = (row: SessionRow, content: PreparedContent, isNew: readonly boolean[]): readonly StoredReport[] =>
  content.writes.flatMap((write, index): StoredReport[] =>
    write.request === undefined
      ? []
      : [
          {
            sessionId: content.session.id,
            row: row.id,
            agent: content.session.agent,
            fact: { ...workspaceAndBranch(content.session), ...write.request },
            visibleCharacters: isNew[index] === true ? (write.visibleCharacters ?? 0) : 0,
          },
        ],
  )

/** The defaults of a request that does not name its workspace or branch: those of its session. */
const workspaceAndBranch = ({ workspace, branch }: SessionFacts): Pick<SessionFacts, 'workspace' | 'branch'> => ({
  ...(workspace === undefined ? {} : { workspace }),
  ...(branch === undefined ? {} : { branch }),
})
