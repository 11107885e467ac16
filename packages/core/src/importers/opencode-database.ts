/**
 * What is new in OpenCode's database, from 1.2 on. It is found by the messages' row ids, which grow. OpenCode takes the
 * last messages away when a turn is undone, and then gives their row ids again, so the ids of the last messages are
 * remembered with them.
 */
import { arrayOf, countOf, objectOf, type JsonValue } from '../json.ts'
import type { DatabaseSnapshot } from '../ports/database-file.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { RecordBatch, RecordRequest } from './importer.ts'
import { isUntitled } from './opencode-messages.ts'
import { compareHeads, finishedCount, sessionRecord, type SessionRecord } from './opencode-records.ts'
import {
  assertOpenCode,
  idAt,
  newestRows,
  readMessage,
  rowsAfter,
  rowsFrom,
  sessionRow,
  unreadSessions,
  type MessageRow,
} from './opencode-rows.ts'
import { UNFINISHED } from './record-batches.ts'

/**
 * So long after its last change, ms, a log's content is taken for what a reader sees: what is committed is written to it,
 * waited for to be on disk, and only then shown to readers, which changes the log no more.
 */
const SETTLED_MS = 5_000
/** Bytes and messages that end a batch. */
const BATCH_BYTES = 1 << 20
const BATCH_MESSAGES = 200
/** So many of the last messages are remembered: more are hardly undone at once. */
const REMEMBERED_ROWS = 32
/** So many sessions without a title are asked for it again; and so many may wait for a message to be finished. */
const MOST_UNTITLED = 500
const MOST_WAITING = 1_000

type MessageKey = Pick<MessageRow, 'session' | 'id' | 'time'>
type RowId = Pick<MessageRow, 'row' | 'id'>

/** How far a database was read. */
interface Progress {
  /** The last messages by row id, the newest first: all up to the first of them were looked at. */
  readonly newest: readonly RowId[]
  /** The first message of each session that was not finished. */
  readonly waiting: readonly MessageKey[]
  /** Sessions without a title of their own. */
  readonly untitled: readonly string[]
  /** Sessions in a form that is not read, of which the user was told. */
  readonly unread: number
  /** What an import has done that did not come to its end. */
  readonly interrupted?: Interruption
}

interface Interruption {
  /** The messages up to this row id were sorted by session and time, and taken up to `through`. */
  readonly until: RowId
  readonly through: MessageKey
  /** The first message of each session that was not finished then. */
  readonly waiting: readonly MessageKey[]
}

/** What an import takes, as found in one look. */
interface Plan {
  readonly fresh: readonly MessageRow[]
  readonly sessions: ReadonlyMap<string, SessionRecord>
  readonly waiting: readonly MessageKey[]
  readonly newest: readonly RowId[]
  /** Sessions that have got a title since. */
  readonly titled: readonly SessionRecord[]
  readonly untitled: readonly string[]
  readonly unread: number
}

/**
 * The file's facts with the size of its write-ahead log added, and the later time of both, so that a change of either
 * shows. Without a log the facts as given.
 */
export const databaseFacts = async (facts: FileFacts, fileSystem: Pick<FileSystem, 'stat'>): Promise<FileFacts> => {
  const log = await fileSystem.stat(`${facts.path}-wal`)
  if (log?.kind !== 'file') return facts
  return { ...facts, size: facts.size + log.size, modifiedAt: Math.max(facts.modifiedAt, log.modifiedAt) }
}

/**
 * The messages that were finished since the last import, in batches, each with the state to go on from; then the
 * sessions that have got a title. Without anything new there is one empty batch. Sessions that can't be read yet are
 * told in a notice.
 * @throws CairnError `read-failed`, `invalid-input` for a database that is none of OpenCode's
 */
export async function* databaseRecords({ path, fileSystem, state, now }: RecordRequest): AsyncGenerator<RecordBatch> {
  const before = parseProgress(state)
  const log = await fileSystem.stat(`${path}-wal`)
  const age = log === undefined || log.size === 0 ? SETTLED_MS : now - log.modifiedAt
  const plan = await fileSystem.readDatabase(path, (database) => {
    assertOpenCode(database, path)
    return planOf(database, before, now)
  })
  const [until] = plan.newest
  const notices =
    plan.unread > before.unread
      ? [
          `${plan.unread === 1 ? 'a session' : `${plan.unread} sessions`} in a form of newer versions that can't be read yet`,
        ]
      : []
  const rest = {
    ...(plan.waiting.length === 0 ? {} : { rest: UNFINISHED }),
    ...(age >= 0 && age < SETTLED_MS ? { isUnsettled: true } : {}),
  }
  for (let start = 0; start < plan.fresh.length;) {
    const batch = await fileSystem.readDatabase(path, (database) => readBatch(database, plan, start))
    start += batch.count
    const through = plan.fresh[start - 1]
    if (start >= plan.fresh.length || through === undefined || until === undefined) {
      const titles = plan.titled.map(sessionRecord)
      yield {
        records: [...batch.records, ...titles],
        notices: [...notices, ...batch.notices],
        state: finalState(plan),
        ...rest,
      }
      return
    }
    const interrupted = { until, through: keyOf(through), waiting: plan.waiting }
    yield { ...batch, state: progressState({ ...before, interrupted }), rest: UNFINISHED }
  }
  yield { records: plan.titled.map(sessionRecord), notices, state: finalState(plan), ...rest }
}

/**
 * What is to be read: of the messages beyond those that were looked at, and of those that waited, the finished ones in
 * the order of session and time, and sessions with a new title. A message taken by an interrupted import is not read
 * again. Of each session, all from its first unfinished message on waits.
 */
const planOf = (database: DatabaseSnapshot, before: Progress, now: number): Plan => {
  const last = before.newest.find(({ row, id }) => idAt(database, row) === id)?.row ?? 0
  const rows = [
    ...rowsAfter(database, last),
    ...before.waiting.flatMap((key) => rowsFrom(database, key.session, key, last)),
  ]
  const waiting: MessageKey[] = []
  const fresh: MessageRow[] = []
  for (const heads of bySession(rows)) {
    const count = waiting.length < MOST_WAITING ? finishedCount(heads, now) : heads.length
    const open = heads[count]
    if (open !== undefined) waiting.push(keyOf(open))
    for (const head of heads.slice(0, count)) if (!wasTaken(database, head, before.interrupted)) fresh.push(head)
  }
  const sessions = new Map<string, SessionRecord>()
  for (const { session } of fresh)
    if (!sessions.has(session)) sessions.set(session, sessionRow(database, session) ?? { id: session })
  const asked = before.untitled.filter((id) => !sessions.has(id)).map((id) => sessionRow(database, id))
  const known = [...asked.filter((session) => session !== undefined), ...sessions.values()]
  return {
    fresh,
    sessions,
    waiting,
    newest: newestRows(database, REMEMBERED_ROWS),
    unread: unreadSessions(database),
    titled: known.filter(({ id, title }) => !sessions.has(id) && !isUntitled(title)),
    untitled: known
      .filter(({ title }) => isUntitled(title))
      .map(({ id }) => id)
      .slice(-MOST_UNTITLED),
  }
}

/** The messages of each session in order, the sessions in the order of their ids. */
const bySession = (rows: readonly MessageRow[]): readonly (readonly MessageRow[])[] => {
  const sessions = new Map<string, MessageRow[]>()
  for (const row of rows) {
    const known = sessions.get(row.session)
    if (known === undefined) sessions.set(row.session, [row])
    else known.push(row)
  }
  return [...sessions]
    .sort(([left], [right]) => compareText(left, right))
    .map(([, messages]) => messages.sort(compareHeads))
}

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const compareKeys = (left: MessageKey, right: MessageKey): number =>
  compareText(left.session, right.session) || compareHeads(left, right)

/**
 * Whether an interrupted import has taken a message; false for any where rows have changed below what it had looked at,
 * so that they are read again.
 */
const wasTaken = (database: DatabaseSnapshot, head: MessageRow, interrupted: Interruption | undefined): boolean => {
  if (interrupted === undefined) return false
  const { until, through, waiting } = interrupted
  if (head.row > until.row || compareKeys(head, through) > 0) return false
  if (waiting.some((key) => key.session === head.session && compareHeads(head, key) >= 0)) return false
  return idAt(database, until.row) === until.id
}

/**
 * The records of the plan's messages from index `start` on, until 200 messages or 1 MiB are reached; what is left out
 * is told in notices. At least one message is read. `count` is by how many messages the plan goes on, including those
 * left out.
 */
const readBatch = (
  database: DatabaseSnapshot,
  { fresh, sessions }: Plan,
  start: number,
): { readonly records: readonly Uint8Array[]; readonly notices: readonly string[]; readonly count: number } => {
  const records: Uint8Array[] = []
  const notices: string[] = []
  let bytes = 0
  let count = 0
  while (start + count < fresh.length && count < BATCH_MESSAGES && bytes < BATCH_BYTES) {
    const head = fresh[start + count]
    count++
    if (head === undefined) continue
    const message = readMessage(database, sessions.get(head.session) ?? { id: head.session }, head)
    notices.push(...message.notices)
    if (message.record === undefined) continue
    records.push(message.record)
    bytes += message.record.length
  }
  return { records, notices, count }
}

const keyOf = ({ session, id, time }: MessageKey): MessageKey => ({ session, id, time })

const finalState = ({ newest, waiting, untitled, unread }: Plan): JsonValue =>
  progressState({ newest, waiting, untitled, unread })

/** The progress as JSON, for `parseProgress`. */
const progressState = ({ newest, waiting, untitled, unread, interrupted }: Progress): JsonValue => ({
  newest: newest.map(({ row, id }) => [row, id]),
  waiting: waiting.map(keyState),
  untitled,
  unread,
  ...(interrupted === undefined
    ? {}
    : {
        interrupted: {
          until: [interrupted.until.row, interrupted.until.id],
          through: keyState(interrupted.through),
          waiting: interrupted.waiting.map(keyState),
        },
      }),
})

const keyState = ({ session, id, time }: MessageKey): JsonValue => [session, id, time]

/** How far it was read, of a state; damaged parts are left out. Nothing was read for any other value. */
const parseProgress = (state: JsonValue | undefined): Progress => {
  const { newest, waiting, untitled, unread, interrupted } = objectOf(state)
  const { until, through, waiting: waitingThen } = objectOf(interrupted)
  const [untilRow] = parseRows([until ?? null])
  const [throughKey] = parseKeys([through ?? null])
  return {
    newest: parseRows(newest),
    waiting: parseKeys(waiting),
    untitled: arrayOf(untitled).filter((id) => typeof id === 'string'),
    unread: countOf(unread),
    ...(untilRow === undefined || throughKey === undefined
      ? {}
      : { interrupted: { until: untilRow, through: throughKey, waiting: parseKeys(waitingThen) } }),
  }
}

/** Reads stored row ids, without damaged ones. */
const parseRows = (value: JsonValue | undefined): readonly RowId[] =>
  arrayOf(value).flatMap((each) => {
    const [row, id] = arrayOf(each)
    return typeof row === 'number' && typeof id === 'string' ? [{ row, id }] : []
  })

/** Reads stored keys of messages, without damaged ones. */
const parseKeys = (value: JsonValue | undefined): readonly MessageKey[] =>
  arrayOf(value).flatMap((each) => {
    const [session, id, time] = arrayOf(each)
    return typeof session === 'string' && typeof id === 'string' && typeof time === 'number'
      ? [{ session, id, time }]
      : []
  })
