/**
 * OpenCode's storage up to 1.1: a file for each session, message and part, below `storage/session/<project>`,
 * `storage/message/<session>` and `storage/part/<message>`. The session's file stands for all of it.
 */
import {
  isJsonObject,
  objectOf,
  parseJson,
  parseJsonObject,
  stringOf,
  type JsonObject,
  type JsonValue,
} from '../json.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import { baseName, optional, type RecordBatch, type RecordFileSystem, type RecordRequest } from './importer.ts'
import { parseTime } from './line-values.ts'
import { isUntitled } from './opencode-messages.ts'
import {
  MOST_ANCESTORS,
  SESSION_ID,
  compareHeads,
  createPartList,
  finishedCount,
  messageRecord,
  sessionRecord,
  type MessageHead,
  type SessionRecord,
} from './opencode-records.ts'
import { UNFINISHED } from './record-batches.ts'
import { isInside } from './workspace.ts'

/** Bytes and records that end a batch. */
const BATCH_BYTES = 1 << 20
const BATCH_RECORDS = 100
/** A longer message is left out: its parts lie in other files. */
const INFO_BYTES = 24 << 20

/** An id of a message as it is safe in a path. */
const MESSAGE_ID = /^msg_[^/\\]+$/
const JSON_NAME = /\.json$/

/** The path of a session's file, at any depth. */
export const SESSION_FILE = /^(.*[/\\]storage)[/\\]session[/\\][^/\\]+[/\\](ses_[^/\\]+)\.json$/

/** A message of which its file was read. */
interface StoredHead extends MessageHead {
  readonly text: string
}

/** How far a session was read. */
interface Position {
  /** The last message taken. */
  readonly through?: Pick<MessageHead, 'id' | 'time'>
  /** It had no title of its own then. */
  readonly isUntitled: boolean
}

/** The storage's folder and the session's id, of the path of a session's file; the storage is '' for any other path. */
const foldersOf = (path: string): { readonly storage: string; readonly session: string } => {
  const [, storage = '', session = baseName(path)] = SESSION_FILE.exec(path) ?? []
  return { storage, session }
}

/**
 * The session's file with its time or that of the folder of its messages, whichever changed later; a folder that is not
 * there counts as never changed.
 */
export const storedSessionFacts = async (
  facts: FileFacts,
  fileSystem: Pick<FileSystem, 'stat'>,
): Promise<FileFacts> => {
  const { storage, session } = foldersOf(facts.path)
  const messages = await fileSystem.stat(`${storage}/message/${session}`)
  return { ...facts, modifiedAt: Math.max(facts.modifiedAt, messages?.modifiedAt ?? 0) }
}

/**
 * The messages of a session that were finished since the last import, in batches, in order, each with the state to go
 * on from; the last may be empty. From the first unfinished message on all is left for the next import (`rest`). A
 * session that got its title since gives a record without a message, if no message is new. Messages and parts that are
 * too large or no JSON are told in notices. Rejects as the file system does.
 */
export async function* storedSessionRecords(request: RecordRequest): AsyncGenerator<RecordBatch> {
  const { path, fileSystem, now } = request
  const { storage, session: id } = foldersOf(path)
  const before = parsePosition(request.state)
  const session = await readSession(path, id, fileSystem)
  const { heads, notices } = await readHeads(`${storage}/message/${id}`, storage, fileSystem)
  const count = finishedCount(heads, now)
  const { through } = before
  const isNew = (head: MessageHead): boolean => through === undefined || compareHeads(head, through) > 0
  const fresh = heads.slice(0, count).filter(isNew)
  let position: Position = { ...before, isUntitled: isUntitled(session.title) }
  let records: Uint8Array[] =
    before.isUntitled && !position.isUntitled && fresh.length === 0 ? [sessionRecord(session)] : []
  let bytes = 0
  let leftOut: string[] = heads.some(isNew) ? [...notices] : []
  for (const head of fresh) {
    const parts = await readParts(`${storage}/part/${head.id}`, storage, fileSystem)
    leftOut.push(...parts.notices)
    if (head.role === undefined) leftOut.push(`${head.id}.json, a message that is not valid JSON`)
    else {
      const asked =
        head.summaryOf === undefined
          ? undefined
          : await readParts(`${storage}/part/${head.summaryOf}`, storage, fileSystem)
      const record = messageRecord(session, {
        id: head.id,
        isFirst: head === heads[0],
        info: head.text,
        parts: parts.texts,
        ...optional('asked', asked?.texts),
      })
      records.push(record)
      bytes += record.length
    }
    position = { ...position, through: { id: head.id, time: head.time } }
    if (bytes < BATCH_BYTES && records.length < BATCH_RECORDS) continue
    yield { records, state: stateOf(position), notices: leftOut, rest: UNFINISHED }
    records = []
    leftOut = []
    bytes = 0
  }
  yield { records, state: stateOf(position), notices: leftOut, ...(count < heads.length ? { rest: UNFINISHED } : {}) }
}

/** A session's file as a record; what is missing in it is left out. A file that is gone gives the id alone. */
const readSession = async (path: string, id: string, fileSystem: RecordFileSystem): Promise<SessionRecord> => {
  const { title, directory, parentID, version } = parseJsonObject((await fileSystem.readText(path)) ?? '')
  return {
    id,
    ...optional('title', stringOf(title)),
    ...optional('directory', stringOf(directory)),
    ...optional('parentID', stringOf(parentID)),
    ...optional('ancestors', await ancestorsOf(path, stringOf(parentID), fileSystem)),
    ...optional('version', stringOf(version)),
  }
}

/**
 * The ids of the session's further ancestors, the nearest first, at most `MOST_ANCESTORS`: sessions of one project lie
 * in one folder. Undefined if it has none.
 */
const ancestorsOf = async (
  path: string,
  parent: string | undefined,
  fileSystem: RecordFileSystem,
): Promise<readonly string[] | undefined> => {
  const folder = path.replace(/[/\\][^/\\]*$/, '')
  const found: string[] = []
  for (let id = parent; id !== undefined && SESSION_ID.test(id) && found.length < MOST_ANCESTORS; id = found.at(-1)) {
    const text = await fileSystem.readText(`${folder}/${id}.json`)
    const next = stringOf(parseJsonObject(text ?? '').parentID)
    if (next === undefined) break
    found.push(next)
  }
  return found.length === 0 ? undefined : found
}

/** A session's messages in order of time, finished or not. Those over 24 MiB are left out with a notice. */
const readHeads = async (
  folder: string,
  storage: string,
  fileSystem: RecordFileSystem,
): Promise<{ readonly heads: readonly StoredHead[]; readonly notices: readonly string[] }> => {
  const heads: StoredHead[] = []
  const notices: string[] = []
  for (const facts of await filesIn(folder, storage, fileSystem, notices)) {
    if (facts.size > INFO_BYTES) {
      notices.push(`${baseName(facts.path)}.json, a message over ${INFO_BYTES >> 20} MiB`)
      continue
    }
    const text = await fileSystem.readText(facts.path)
    if (text !== undefined) heads.push(headOf(facts, text, heads.at(-1)?.time ?? 0))
  }
  return { heads: heads.sort(compareHeads), notices }
}

/**
 * A message's file as its head, `role` undefined for what is no JSON object. `before` is the time of the message whose
 * name comes before: names grow, so one without a time is put after it.
 */
const headOf = ({ path, modifiedAt }: FileFacts, text: string, before: number): StoredHead => {
  const value = parseJson(text)?.value
  const info: JsonObject = objectOf(value)
  const time = objectOf(info.time)
  const parent = stringOf(info.parentID)
  return {
    id: baseName(path),
    time: parseTime(time.created) ?? before,
    role: isJsonObject(value) ? (stringOf(info.role) ?? '') : undefined,
    isDone: typeof time.completed === 'number' || isJsonObject(info.error),
    changedAt: modifiedAt,
    ...optional('summaryOf', info.summary === true && MESSAGE_ID.test(String(parent)) ? parent : undefined),
    text,
  }
}

/** The texts of a message's parts in OpenCode's order, which is that of their names; notices tell what was left out. */
const readParts = async (
  folder: string,
  storage: string,
  fileSystem: RecordFileSystem,
): Promise<{ readonly texts: readonly string[]; readonly notices: readonly string[] }> => {
  const list = createPartList()
  const notices: string[] = []
  for (const facts of await filesIn(folder, storage, fileSystem, notices))
    if (list.hasSpace(facts.size)) list.add(await fileSystem.readText(facts.path))
  return { texts: list.parts, notices: [...notices, ...list.notices()] }
}

/**
 * The `.json` files of a folder, without links and what is no plain file, which are told in `notices`. Empty if the
 * folder is missing, and with a notice if it is a link that leads out of the storage.
 */
const filesIn = async (
  folder: string,
  storage: string,
  fileSystem: RecordFileSystem,
  notices: string[],
): Promise<readonly FileFacts[]> => {
  if ((await fileSystem.stat(folder))?.kind !== 'directory') return []
  const root = await fileSystem.realPath(storage)
  if (!isInside(await fileSystem.realPath(folder), root)) {
    notices.push(`${baseName(folder)}, a link that leads out of the storage`)
    return []
  }
  return (await fileSystem.list(folder)).filter(({ path, kind, isLink }) => {
    if (!JSON_NAME.test(path)) return false
    if (kind === 'file' && isLink !== true) return true
    notices.push(`${baseName(path)}.json, which is no plain file`)
    return false
  })
}

/** The position as JSON, for `parsePosition`. */
const stateOf = ({ through, isUntitled: untitled }: Position): JsonValue => ({
  untitled,
  ...(through === undefined ? {} : { through: { ...through } }),
})

/** Reads a stored position; from the beginning if there is none or it is damaged. */
const parsePosition = (state: JsonValue | undefined): Position => {
  const { through, untitled } = objectOf(state)
  const { id, time } = objectOf(through)
  return {
    isUntitled: untitled === true,
    ...(typeof id === 'string' && typeof time === 'number' ? { through: { id, time } } : {}),
  }
}
