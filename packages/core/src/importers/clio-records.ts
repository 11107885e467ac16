/** What is new in a session file of CLIO, as records: a message or a request, with the facts of its session. */
import { CairnError } from '../errors.ts'
import { arrayOf, isJsonObject, objectOf, parseJson, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { userWords } from '../user-words/user-words.ts'
import { baseName, optional, type RecordBatch, type RecordRequest } from './importer.ts'
import { NESTED_DEEPLY, parseTime, titleFrom } from './line-values.ts'

/** Larger files are no sessions of a terminal, and would have to be held in memory several times. */
const LARGEST_MIB = 256
/** Messages in a batch. */
const BATCH = 500
/** Characters of a message's id that are remembered; ids are UUIDs. */
const KEY_CHARACTERS = 13
/** Of a message without an id, so many characters of its text tell it from others. */
const TEXT_CHARACTERS = 60
const KEY_LONGEST = 200

/** How far a file was read. */
interface Progress {
  /** Keys of the messages that were taken. */
  readonly messages: ReadonlySet<string>
  /** Requests that were taken. */
  readonly requests: number
  /** The session's title as it was last told: one that was given here since then stays. */
  readonly title: string | undefined
}

/** A record and the time that puts it in order, ms; those without a time follow the one before. */
interface TimedRecord {
  readonly at: number
  readonly value: JsonObject
  /** Undefined for a request. */
  readonly key?: string
}

/**
 * The messages and requests that came since the last import, each once, in the order of time, in batches with the state
 * to go on from; at least one batch, also without any. A changed title comes with them. Rejects with `invalid-input`
 * for a file that is no session, or over 256 MiB.
 */
export async function* clioRecords({ path, fileSystem, state }: RecordRequest): AsyncGenerator<RecordBatch> {
  const { document, isCut } = await readDocument(path, fileSystem)
  const before = parseProgress(state)
  const title = titleOf(document)
  const session = {
    id: baseName(path),
    ...optional('workspace', stringOf(document.working_directory)),
    ...optional('title', title === before.title ? undefined : title),
    ...optional('model', stringOf(document.selected_model) ?? stringOf(objectOf(document.api_config).model)),
  }
  const requests = arrayOf(objectOf(document.billing).requests)
  const records = inOrder([
    ...newMessages(document, session.id, before.messages),
    // A file that was begun again under the same name has fewer.
    ...(requests.length < before.requests ? [] : timedRequests(requests, before.requests)),
  ])
  const messages = new Set(before.messages)
  const notices = isCut ? [NESTED_DEEPLY] : []
  for (let start = 0; start === 0 || start < records.length; start += BATCH) {
    const batch = records.slice(start, start + BATCH)
    for (const { key } of batch) if (key !== undefined) messages.add(key)
    const isLast = start + BATCH >= records.length
    yield {
      records: batch.map(({ value }) => new TextEncoder().encode(JSON.stringify({ session, ...value }))),
      state: {
        messages: [...messages],
        requests: isLast ? requests.length : takenRequests(before.requests, records, start + BATCH),
        ...optional('title', title),
      },
      ...(start === 0 ? { notices } : {}),
    }
  }
}

/** The name that CLIO has given the session, or what the user asked for first; undefined without either. */
const titleOf = ({ session_name: name, history }: JsonObject): string | undefined =>
  titleFrom(stringOf(name) ?? '') ??
  arrayOf(history)
    .map((message) => objectOf(message))
    .flatMap(({ role, content }) => (role === 'user' ? [titleFrom(userWords([stringOf(content) ?? '']) ?? '')] : []))
    .find((words) => words !== undefined)

/** The number of requests taken once the first `end` records are, `before` included. */
const takenRequests = (before: number, records: readonly TimedRecord[], end: number): number =>
  before + records.slice(0, end).filter(({ key }) => key === undefined).length

/**
 * A file as one document; rejects with `invalid-input` for one that is over 256 MiB, no JSON or no session of CLIO.
 * `isCut`: it is nested too deeply, and what lies deeper is kept as text.
 */
const readDocument = async (
  path: string,
  fileSystem: RecordRequest['fileSystem'],
): Promise<{ readonly document: JsonObject; readonly isCut: boolean }> => {
  const facts = await fileSystem.stat(path)
  if ((facts?.size ?? 0) > LARGEST_MIB << 20)
    throw new CairnError('invalid-input', `${path}: over ${LARGEST_MIB} MiB, and can only be read as a whole`)
  const parsed = parseJson((await fileSystem.readText(path)) ?? '')
  if (parsed === undefined) throw new CairnError('invalid-input', `${path}: not valid JSON`)
  if (!isJsonObject(parsed.value) || !Array.isArray(parsed.value.history))
    throw new CairnError('invalid-input', `${path}: not a session of CLIO`)
  return { document: parsed.value, isCut: parsed.isCut }
}

/**
 * The messages whose keys are not in `known`: of all that there ever were (`yarn`), then of those that only the history
 * has. One without a time gets that of the one before, the first 0.
 */
const newMessages = (
  { yarn, history }: JsonObject,
  session: string,
  known: ReadonlySet<string>,
): readonly TimedRecord[] => {
  const threads = objectOf(yarn)
  const archived = arrayOf(threads[session] ?? Object.values(threads)[0])
  const seen = new Set(known)
  let at = 0
  return [...archived, ...arrayOf(history)].flatMap((message): readonly TimedRecord[] => {
    if (!isJsonObject(message)) return []
    at = timeOf(message) ?? at
    const key = keyOf(message)
    if (seen.has(key)) return []
    seen.add(key)
    return [{ at, key, value: { message } }]
  })
}

/** The requests from index `from` on, each with its number; 0 as the time if it has none. */
const timedRequests = (requests: readonly JsonValue[], from: number): readonly TimedRecord[] =>
  requests.slice(from).map((request, index) => ({
    at: parseTime(objectOf(request).timestamp) ?? 0,
    value: { request, number: from + index },
  }))

/** The records by time; of equal times, which are whole seconds, the order that they are given in holds. */
const inOrder = (records: readonly TimedRecord[]): readonly TimedRecord[] =>
  records.toSorted((left, right) => left.at - right.at)

/** The time of a message, ms; null where none is known. */
const timeOf = ({ metadata, timestamp }: JsonObject): number | null =>
  parseTime(objectOf(metadata).unix_timestamp) ?? parseTime(timestamp)

/**
 * A key to recognise a message by: the beginning of its id, else a text of its length, role, time and beginning, at
 * most `KEY_LONGEST` characters.
 */
const keyOf = (message: JsonObject): string => {
  const id = stringOf(message.id)
  if (id !== undefined) return id.slice(0, KEY_CHARACTERS)
  const { role = null, timestamp = null, tool_call_id: call = null, content = null, tool_calls: calls = null } = message
  const text = JSON.stringify([content, calls])
  return JSON.stringify([text.length, role, timestamp, call, text.slice(0, TEXT_CHARACTERS)]).slice(0, KEY_LONGEST)
}

/** How far it was read, of a state; from the beginning where that is damaged. */
const parseProgress = (state: JsonValue | undefined): Progress => {
  const { messages, requests, title } = objectOf(state)
  return {
    messages: new Set(arrayOf(messages).filter((key) => typeof key === 'string')),
    requests: typeof requests === 'number' ? requests : 0,
    title: stringOf(title),
  }
}
