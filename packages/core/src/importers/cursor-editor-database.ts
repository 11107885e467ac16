/**
 * What is new in Cursor's database. A session's row is rewritten with each of its changes and then has a higher row id,
 * so the sessions that have changed are those beyond the highest one that was seen; of these the messages that come after
 * the last one that was taken.
 */
import { CairnError } from '../errors.ts'
import { arrayOf, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { DatabaseSnapshot } from '../ports/database-file.ts'
import {
  assertCursor,
  changedComposers,
  composerRow,
  isThere,
  messageOf,
  type ComposerRow,
} from './cursor-editor-rows.ts'
import { findWorkspaces } from './cursor-editor-workspaces.ts'
import { optional, type RecordBatch, type RecordRequest } from './importer.ts'
import { titleFrom } from './line-values.ts'
import { UNFINISHED } from './record-batches.ts'

/** Messages and sessions that end a batch. */
const BATCH_MESSAGES = 200
const BATCH_SESSIONS = 100
/** Sessions of which is remembered how far they were taken; of others what is known is not repeated in the store. */
const MOST_REMEMBERED = 1_000
/** So many sessions may wait for a reply to be finished. */
const MOST_WAITING = 1_000
/** After so long, ms, nobody goes on with a reply that was not finished. */
const ABANDONED_MS = 24 * 60 * 60_000
/** A larger database is not copied, as it would have to be where its program ended without closing it. */
const LARGEST_COPY_GIB = 2

/** How far a session was taken. */
interface Taken {
  /** Its messages, and the last of them. */
  readonly count: number
  readonly last: string
  /** Its title as it was last told: one that was given here since then stays. */
  readonly title: string | undefined
}

interface Progress {
  /** The highest row id of a session's row that was seen. */
  readonly row: number
  readonly sessions: ReadonlyMap<string, Taken>
  /** Sessions of which a reply was on its way. */
  readonly waiting: readonly string[]
}

/** A session to look at, and the row id of its row; 0 where it was seen before. */
interface Changed {
  readonly id: string
  readonly row: number
}

/**
 * The messages that came since the last import (`state`), session by session, in their order; those of a running reply
 * wait for the next import, a day at most. Each batch has the state to go on from; when nothing changed, one empty
 * batch. A session that went back to a checkpoint may give messages again. `rest` says why something is held back.
 * @throws CairnError `read-failed` for one over 2 GiB that Cursor has not closed; `invalid-input` if it is not Cursor's
 */
export async function* cursorRecords({ path, fileSystem, state, now }: RecordRequest): AsyncGenerator<RecordBatch> {
  await assertReadable(path, fileSystem)
  const before = parseProgress(state)
  const changed = await fileSystem.readDatabase(path, (database) => {
    assertCursor(database, path)
    const fresh = changedComposers(database, before.row)
    const known = new Set(fresh.map(({ id }) => id))
    return [...before.waiting.filter((id) => !known.has(id)).map((id): Changed => ({ id, row: 0 })), ...fresh]
  })
  const workspaces = changed.length === 0 ? new Map<string, string>() : await findWorkspaces(path, fileSystem)
  let progress: Progress = { ...before, waiting: [] }
  for (let start = 0; start < changed.length;) {
    const batch = await fileSystem.readDatabase(path, (database) =>
      readBatch(database, changed.slice(start, start + BATCH_SESSIONS), progress, workspaces, now),
    )
    start += batch.done
    progress = batch.progress
    // Those that are still to be looked at are found again by their row ids, or wait as before.
    const left = changed.slice(start).flatMap(({ id, row }) => (row === 0 ? [id] : []))
    const rest = start >= changed.length && progress.waiting.length > 0 ? { rest: UNFINISHED } : {}
    const state = progressState({ ...progress, waiting: [...progress.waiting, ...left] })
    yield { records: batch.records, notices: batch.notices, state, ...rest }
  }
  if (changed.length === 0) yield { records: [], state: progressState(before) }
}

/**
 * Rejects with `read-failed` for a database over 2 GiB that Cursor has not closed: its log is there without an index.
 */
const assertReadable = async (path: string, fileSystem: RecordRequest['fileSystem']): Promise<void> => {
  const [database, log, index] = await Promise.all(
    [path, `${path}-wal`, `${path}-shm`].map((file) => fileSystem.stat(file)),
  )
  if ((log?.size ?? 0) > 0 && index === undefined && (database?.size ?? 0) > LARGEST_COPY_GIB * 2 ** 30)
    throw new CairnError(
      'read-failed',
      `${path}: Cursor has ended without closing it, and it is over ${LARGEST_COPY_GIB} GiB; start and quit Cursor, then import again`,
    )
}

interface ReadBatch {
  readonly records: readonly Uint8Array[]
  readonly notices: readonly string[]
  readonly progress: Progress
  /** Sessions that were read to their end. */
  readonly done: number
}

/**
 * The records of the changed sessions in order, and how far they were read, until 200 messages are reached. A session
 * whose row is not valid JSON gives only a notice. `done` counts the sessions read to their end; the next one is to be
 * gone on with. `workspaces`: folders by session id. `now` in ms.
 */
const readBatch = (
  database: DatabaseSnapshot,
  changed: readonly Changed[],
  before: Progress,
  workspaces: ReadonlyMap<string, string>,
  now: number,
): ReadBatch => {
  const records: JsonObject[] = []
  const notices: string[] = []
  const sessions = new Map(before.sessions)
  const waiting = [...before.waiting]
  let { row } = before
  let done = 0
  for (const each of changed) {
    if (records.length >= BATCH_MESSAGES) break
    const composer = composerRow(database, each.id)
    if (composer === undefined) notices.push(`the session ${each.id}, which is not valid JSON`)
    else {
      const limit = BATCH_MESSAGES - records.length
      const part = readComposer(database, composer, sessions.get(each.id), workspaces.get(each.id), { now, limit })
      records.push(...part.records)
      notices.push(...part.notices)
      sessions.delete(each.id)
      sessions.set(each.id, part.taken)
      // Its other messages are read in the next batch.
      if (!part.isDone) break
      if (part.isWaiting && waiting.length < MOST_WAITING) waiting.push(each.id)
    }
    row = Math.max(row, each.row)
    done++
  }
  const encoder = new TextEncoder()
  return {
    records: records.map((record) => encoder.encode(JSON.stringify(record))),
    notices,
    progress: { row, sessions: new Map([...sessions].slice(-MOST_REMEMBERED)), waiting },
    done,
  }
}

interface ComposerPart {
  readonly records: readonly JsonObject[]
  readonly notices: readonly string[]
  readonly taken: Taken
  readonly isDone: boolean
  /** What is not finished of it is left for the next import. */
  readonly isWaiting: boolean
}

/**
 * What is new of a session after the messages in `before`, up to what is not finished yet (`isWaiting`), at most
 * `limit` messages; `isDone` if none is left but those. A changed title alone gives a record without a message.
 * Messages that are no valid JSON are left out with a notice each, those that are gone without one.
 */
const readComposer = (
  database: DatabaseSnapshot,
  composer: ComposerRow,
  before: Taken | undefined,
  workspace: string | undefined,
  { now, limit }: { readonly now: number; readonly limit: number },
): ComposerPart => {
  const start = startOf(composer, before)
  const end =
    composer.isRunning && now - composer.changedAt < ABANDONED_MS
      ? lastTurn(database, composer)
      : composer.messages.length
  const ids = composer.messages.slice(start, Math.min(end, start + limit))
  const found = ids.map((id) => messageOf(database, composer, id))
  const messages = found.filter((message) => message !== undefined)
  const damaged = ids.filter((id, index) => found[index] === undefined && isThere(database, composer, id))
  const title = titleFrom(composer.name ?? '') ?? before?.title ?? firstWords(messages)
  const session = sessionOf(composer, workspace, title === before?.title ? undefined : title)
  const count = Math.max(start + ids.length, 0)
  const isRenamed = messages.length === 0 && count > 0 && session.title !== undefined
  return {
    records: isRenamed ? [{ session }] : messages.map((message) => ({ session, message })),
    notices: damaged.map(() => 'a message that is not valid JSON'),
    taken: { count, last: composer.messages[count - 1] ?? '', title: count === 0 ? before?.title : title },
    isDone: start + limit >= end,
    isWaiting: end < composer.messages.length,
  }
}

/**
 * What a record has of its session. The database's own workspace goes before the one given; what is not known is left
 * out.
 */
const sessionOf = (composer: ComposerRow, workspace: string | undefined, title: string | undefined): JsonObject => ({
  id: composer.id,
  ...optional('parent', composer.parent),
  ...optional('workspace', composer.workspace ?? workspace),
  ...optional('branch', composer.branch),
  ...optional('mode', composer.mode),
  ...optional('model', composer.model),
  ...optional('title', title),
})

/**
 * The index of the first message to take: after the last one that was taken; where that is gone, as after going back to
 * a checkpoint, 0.
 */
const startOf = ({ messages }: ComposerRow, before: Taken | undefined): number => {
  if (before === undefined || before.count === 0) return 0
  return messages[before.count - 1] === before.last ? before.count : messages.lastIndexOf(before.last) + 1
}

/**
 * The index after the user's last message, 0 if there is none: while a reply is on its way, its messages are rewritten,
 * so the messages from there on wait.
 */
const lastTurn = (database: DatabaseSnapshot, composer: ComposerRow): number => {
  for (let index = composer.messages.length - 1; index >= 0; index--)
    if (messageOf(database, composer, composer.messages[index] ?? '')?.type === 1) return index + 1
  return 0
}

/** A title made of the first message of the user's; undefined without one, or if it has no words. */
const firstWords = (messages: readonly JsonObject[]): string | undefined =>
  titleFrom(stringOf(messages.find(({ type }) => type === 1)?.text) ?? '')

/** The progress as JSON, for `parseProgress`. */
const progressState = ({ row, sessions, waiting }: Progress): JsonValue => ({
  row,
  waiting,
  sessions: [...sessions].map(([id, { count, last, title }]) => [id, count, last, title ?? null]),
})

/** Reads stored progress; from the beginning if there is none, without the parts that are damaged. */
const parseProgress = (state: JsonValue | undefined): Progress => {
  const { row, sessions, waiting } = objectOf(state)
  return {
    row: typeof row === 'number' ? row : 0,
    waiting: arrayOf(waiting).filter((id) => typeof id === 'string'),
    sessions: new Map(
      arrayOf(sessions).flatMap((value): readonly (readonly [string, Taken])[] => {
        const [id, count, last, title] = arrayOf(value)
        return typeof id === 'string' && typeof count === 'number' && typeof last === 'string'
          ? [[id, { count, last, title: stringOf(title) }]]
          : []
      }),
    ),
  }
}
