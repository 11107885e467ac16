/**
 * What each row of a chat of Gemini CLI means. A reply's row is written again, with the same id, when its tokens are known
 * and when its calls have ended; so a reply's text, each call and each result are entries of their own, under ids that do
 * not depend on when they came.
 */
import { arrayOf, countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { visibleCharacters, type ContentBlock } from '../messages.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import type { MessageEntry } from '../session-log.ts'
import { isProgramContent, isRequest, userAuthoredText } from '../user-words/user-words.ts'
import {
  messageParts,
  recordedCall,
  recordedResult,
  thoughtBlocks,
  type RecordedCall,
  type RecordedResult,
} from './gemini-content.ts'
import type { ListedMessage } from './gemini-history.ts'
import { TITLE_RANKS, type GeminiSession } from './gemini-session.ts'
import { NO_ENTRIES, optional, type LineContext, type ParsedLine } from './importer.ts'
import { oddUsage, parseTime } from './line-values.ts'
import { todoWrites } from './todo-writes.ts'

/**
 * The entries that a row of a chat means, or an element of an older document's list of messages; the session is told
 * what it says of it. No entries for a row of a form that is not known.
 */
export const parseRow = (session: GeminiSession, row: JsonObject, context: LineContext): ParsedLine => {
  if (isJsonObject(row.$set)) return { entries: changeWrites(session, row.$set, context) }
  if (typeof row.$rewindTo === 'string') return { entries: rewindWrites(session, row.$rewindTo, context) }
  if (isHeader(row)) session.begin(row)
  else if (typeof row.type === 'string') return messageRow(session, row, context)
  return { entries: NO_ENTRIES }
}

/** Whether a row begins a chat, or says that the agent goes on with it: it names a session and a project or a start. */
export const isHeader = (row: JsonObject): boolean =>
  typeof row.sessionId === 'string' && (typeof row.projectHash === 'string' || typeof row.startTime === 'string')

/**
 * The entries of a message, each once; the session's history lists it if it is the user's or the model's, and the
 * session takes title and folder from a user's. `skip` says that a token count is odd.
 */
const messageRow = (session: GeminiSession, row: JsonObject, context: LineContext): ParsedLine => {
  const message = readMessage(row, context.identity())
  const writes = messageWrites(session, message, row.type === 'user' ? originOf(message) : undefined)
  if (isSpoken(message)) session.history.list(message.id)
  if (row.type === 'user') learnFromUser(session, message, row.displayContent)
  return { entries: uniqueWrites(writes), ...optional('skip', oddUsageOf(objectOf(row.tokens))) }
}

interface GeminiMessage {
  readonly id: string
  readonly at: number | null
  readonly type: string
  readonly blocks: readonly ContentBlock[]
  readonly calls: readonly RecordedCall[]
  readonly results: readonly RecordedResult[]
  readonly tokens?: JsonObject
  readonly model?: string
}

/**
 * Reads one message in any version's form. Calls recorded beside the content count before those in it, which may repeat
 * them. An unknown type is `info`, a message without an id gets the row's.
 */
const readMessage = (row: JsonObject, identity: string): GeminiMessage => {
  const id = stringOf(row.id) ?? identity
  const { blocks, calls, results } = messageParts(row.content)
  const recorded = arrayOf(row.toolCalls).map(objectOf)
  return {
    id,
    at: parseTime(row.timestamp),
    type: stringOf(row.type) ?? 'info',
    blocks: [...thoughtBlocks(row.thoughts), ...blocks],
    // The content has the same calls where the agent wrote its list again.
    calls: recorded.length > 0 ? recorded.map(recordedCall) : calls,
    results: [...recorded.flatMap((call) => recordedResult(call) ?? []), ...results],
    ...(isJsonObject(row.tokens) ? { tokens: row.tokens } : {}),
    ...optional('model', stringOf(row.model)),
  }
}

/** Whether a message is the user's or the model's, as opposed to a notice of the program. */
const isSpoken = ({ type }: GeminiMessage): boolean => type === 'user' || type === 'gemini'

const originOf = ({ blocks }: Pick<GeminiMessage, 'blocks'>): 'meta' | undefined =>
  isProgramContent(blocks) ? 'meta' : undefined

const WORKSPACE = /\*\*Workspace Directories:\*\*\s*\n\s*-\s+(.+)/

/**
 * Takes title and folder from a user's message. `displayContent` is what was typed, where the program put files into
 * it. Files that the program put in don't count for the title.
 */
const learnFromUser = (
  session: GeminiSession,
  { blocks }: GeminiMessage,
  displayContent: JsonValue | undefined,
): void => {
  const [first] = blocks
  const folder = first?.type === 'text' && !session.hasWorkspace ? WORKSPACE.exec(first.text)?.[1]?.trim() : undefined
  if (folder !== undefined) session.setWorkspace(folder)
  const shown = messageParts(displayContent).blocks
  const words = userAuthoredText({ role: 'user', content: shown.length > 0 ? shown : blocks })
  if (words !== undefined) session.setTitle(words, isRequest(words) ? TITLE_RANKS.request : TITLE_RANKS.greeting)
}

/**
 * The entries of a message: its text, its calls, its results; they are noted in the session's history. One of the
 * program's that is only text is a notice; other words of the program's are a user's message with origin `meta`.
 */
const messageWrites = (
  session: GeminiSession,
  message: GeminiMessage,
  origin: 'summary' | 'meta' | undefined,
): readonly EntryWrite[] => {
  const { id, at, type, blocks } = message
  if (type === 'gemini') return replyWrites(session, message, origin)
  const isNotice = type !== 'user' && blocks.every((block) => block.type === 'text')
  if (isNotice) return noticeWrites(session, message)
  const own = blocks.length === 0 ? [] : [userWrite(session, { id, at, blocks }, isSpoken(message) ? origin : 'meta')]
  return [...own, ...resultWrites(session, message)]
}

/**
 * A user's message as an entry, noted in the session's history so that its repetition is recognised. Without an origin
 * a person said it.
 */
const userWrite = (
  session: GeminiSession,
  { id, at, blocks }: Pick<GeminiMessage, 'id' | 'at' | 'blocks'>,
  origin: 'summary' | 'meta' | undefined,
): EntryWrite => {
  session.history.add(id, id, textHash(session, 'user', blocks))
  return messageWrite(session, { id, at, role: 'user', content: blocks, ...optional('origin', origin) })
}

/** A notice; none for an empty one, and a subagent's. */
const noticeWrites = (session: GeminiSession, { id, at, type, blocks }: GeminiMessage): readonly EntryWrite[] => {
  const text = textOf(blocks)
  const level = type === 'error' || type === 'warning' ? type : 'info'
  return text === '' || session.subagent !== undefined
    ? []
    : [{ entry: { kind: 'notice', at, level, text }, externalId: id }]
}

/**
 * A reply's text, calls and results as entries, in this order; its request goes with them. Without a text the reply is
 * its calls.
 */
const replyWrites = (
  session: GeminiSession,
  message: GeminiMessage,
  origin: 'summary' | 'meta' | undefined,
): readonly EntryWrite[] => {
  const { id, at, model, blocks, calls } = message
  const base = {
    at,
    role: 'assistant',
    responseId: id,
    ...optional('model', model),
    ...optional('origin', origin),
  } as const
  const text = blocks.length === 0 ? [] : [messageWrite(session, { ...base, id, content: blocks })]
  if (text.length > 0) session.history.add(id, id, textHash(session, 'gemini', blocks))
  const called = calls.flatMap((call, index) => callWrites(session, message, call, index, base))
  const request = requestOf(session, message)
  return [...withRequest([...text, ...called], request, message), ...resultWrites(session, message)]
}

/**
 * A call as an entry that is noted in the session's history, then its todo list if it sets one and is not a subagent's.
 * Without an id a call is named by its position in the message.
 */
const callWrites = (
  session: GeminiSession,
  { id, at }: GeminiMessage,
  call: RecordedCall,
  index: number,
  base: Omit<MessageContent, 'id' | 'content'>,
): readonly EntryWrite[] => {
  const callId = call.id ?? `${id}.${index}`
  const entryId = `${id}.${callId}`
  session.history.noteCaller(callId, id)
  session.history.add(id, entryId)
  const content: readonly ContentBlock[] = [{ type: 'tool_call', id: callId, name: call.name, input: call.input }]
  const write = messageWrite(session, { ...base, id: entryId, content })
  return session.subagent === undefined ? [write, ...todoWrites(entryId, at, content)] : [write]
}

/**
 * The results of a message as entries of role `tool`, named after the message that made the call, and noted in the
 * history. Without an id a call is named by its position.
 */
const resultWrites = (session: GeminiSession, { id, at, results }: GeminiMessage): readonly EntryWrite[] =>
  results.map((result, index) => {
    const callId = result.callId ?? `${id}.${index}`
    const caller = session.history.callerOf(callId) ?? id
    const entryId = `${caller}.${callId}.result`
    session.history.add(id, entryId)
    const { content, isError } = result
    return messageWrite(session, {
      id: entryId,
      at: result.at ?? at,
      role: 'tool',
      content: [{ type: 'tool_result', callId, content, ...(isError ? { isError: true } : {}) }],
    })
  })

type MessageContent = Omit<MessageEntry, 'kind' | 'seq' | 'subagent'>

/** A message as an entry, of the subagent if the session is one's. */
const messageWrite = ({ subagent }: GeminiSession, message: MessageContent): EntryWrite => ({
  entry: { kind: 'message', ...message, ...optional('subagent', subagent) },
  externalId: message.id,
})

/**
 * Adds the request to each message of a reply, which is the same request to the store. If the reply made no entry, one
 * of kind `model` carries it.
 */
const withRequest = (
  writes: readonly EntryWrite[],
  request: RequestFact | undefined,
  { id, at }: GeminiMessage,
): readonly EntryWrite[] => {
  if (request === undefined) return writes
  if (writes.length === 0)
    return [{ entry: { kind: 'model', at, model: request.model }, externalId: `${id}.request`, request }]
  return writes.map((write) =>
    write.entry.kind === 'message'
      ? { ...write, request, visibleCharacters: visibleCharacters(write.entry.content.filter(isCounted)) }
      : write,
  )
}

/** Reasoning is only told as summaries, which say nothing of its tokens. */
const isCounted = ({ type }: ContentBlock): boolean => type !== 'thinking'

/**
 * The request of a reply; undefined when no token was counted. Tool tokens count as input, reasoning as output;
 * unpriced.
 */
const requestOf = (session: GeminiSession, { id, at, model, tokens }: GeminiMessage): RequestFact | undefined => {
  if (tokens === undefined) return undefined
  const [input, output, cached, thoughts] = [tokens.input, tokens.output, tokens.cached, tokens.thoughts].map(countOf)
  const prompt = (input ?? 0) + toolTokens(tokens)
  const read = Math.min(cached ?? 0, prompt)
  const reasoning = thoughts ?? 0
  const outputTokens = (output ?? 0) + reasoning
  if (prompt + outputTokens === 0) return undefined
  return {
    callId: id,
    at,
    model: model ?? 'unknown',
    provider: 'google',
    inputTokens: prompt - read,
    cacheReadTokens: read,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens,
    ...optional('reasoningTokens', reasoning > 0 ? reasoning : undefined),
    ...optional('subagent', session.subagent),
    costNano: null,
    costState: 'unpriced',
  }
}

/** What the provider's own tools put into the prompt; it is input of its own where the total says so. */
const toolTokens = ({ input, output, thoughts, tool, total }: JsonObject): number => {
  const sum = [input, output, thoughts, tool].reduce<number>((all, count) => all + countOf(count), 0)
  return countOf(total) >= sum ? countOf(tool) : 0
}

const oddUsageOf = ({ input, output, cached, thoughts, tool }: JsonObject): string | undefined =>
  oddUsage([input, output, cached, thoughts, tool])

/**
 * The entries of `{"$set": ...}`: a `summary` becomes the session's title without an entry, `messages` are all of its
 * messages again (see `listWrites`).
 */
const changeWrites = (session: GeminiSession, change: JsonObject, context: LineContext): readonly EntryWrite[] => {
  if (typeof change.summary === 'string') session.setTitle(change.summary, TITLE_RANKS.summary)
  return Array.isArray(change.messages)
    ? uniqueWrites(listWrites(session, arrayOf(change.messages), parseTime(change.lastUpdated), context))
    : NO_ENTRIES
}

/**
 * The entries of a list that the agent wrote again: a compaction where it left something out, and what is new in it.
 * The list replaces the one in the session's history. Where something was left out and the user's messages are new, new
 * ones have origin `summary`.
 */
const listWrites = (
  session: GeminiSession,
  list: readonly JsonValue[],
  at: number | null,
  context: LineContext,
): readonly EntryWrite[] => {
  const messages = list.map((value, index) => readMessage(objectOf(value), `${context.identity()}.${index}`))
  const found = messages.map((message) => ({ message, known: knownEntries(session, message) }))
  const fresh = found.filter(({ known }) => known === undefined).map(({ message }) => message)
  const kept = session.history.replace(found.map(({ message, known }) => listedMessage(message, known)))
  const isCompressed = kept !== undefined && fresh.some(({ type, blocks }) => type === 'user' && blocks.length > 0)
  const writes = fresh.flatMap((message) =>
    messageWrites(session, message, originOf(message) ?? (isCompressed ? 'summary' : undefined)),
  )
  for (const message of fresh) if (message.type === 'user') learnFromUser(session, message, undefined)
  return [...compactionWrites(session, kept, { at, id: context.identity(), isCompressed }), ...writes]
}

const listedMessage = ({ id }: GeminiMessage, known: readonly string[] | undefined): ListedMessage =>
  known === undefined ? { id, entries: [], isNew: true } : { id, entries: known, isNew: false }

/**
 * The ids of the log's entries that say the same as a message of the list, found by id or by equal text; undefined
 * where not all of it is in the log.
 */
const knownEntries = (session: GeminiSession, message: GeminiMessage): readonly string[] | undefined => {
  const { history } = session
  const { id, type, blocks, calls, results } = message
  const own = history.entriesOf(id)
  if (!isSpoken(message)) return own.length > 0 ? own : undefined
  const hash = textHash(session, type, blocks)
  const repeated = hash === undefined ? undefined : history.entryWith(hash)
  const entries = [
    ...(blocks.length === 0 ? [] : [own.includes(id) ? id : repeated]),
    ...calls.map((call) => entryOfCall(session, call.id ?? '', '')),
    ...results.map(({ callId = '' }) => entryOfCall(session, callId, '.result')),
  ]
  const known = entries.filter((entry) => entry !== undefined)
  return known.length === entries.length && known.length > 0 ? known : undefined
}

/** The id of the entry that a call or its result has; undefined for a call that is not known. */
const entryOfCall = ({ history }: GeminiSession, callId: string, suffix: '' | '.result'): string | undefined => {
  const caller = history.callerOf(callId)
  return caller === undefined ? undefined : `${caller}.${callId}${suffix}`
}

/**
 * A compaction that keeps these entries, as a list of one; empty where nothing changed (`kept` undefined), and in a
 * subagent.
 */
const compactionWrites = (
  session: GeminiSession,
  kept: readonly string[] | undefined,
  { at, id, isCompressed }: { readonly at: number | null; readonly id: string; readonly isCompressed: boolean },
): readonly EntryWrite[] =>
  // Compaction entries concern the main conversation only.
  kept === undefined || session.subagent !== undefined
    ? []
    : [
        {
          entry: { kind: 'compaction', at, trigger: isCompressed ? 'unknown' : 'rewind', kept },
          externalId: `${id}.compaction`,
        },
      ]

/**
 * Goes back in the session's history to before a message, to its beginning where that is not in the list; the entry is
 * a compaction (`rewind`) with what is kept. None in a subagent.
 */
const rewindWrites = (session: GeminiSession, id: string, context: LineContext): readonly EntryWrite[] =>
  compactionWrites(session, session.history.rewind(id), { at: null, id: context.identity(), isCompressed: false })

/** A hash of the author and the text of some blocks; undefined without a text. */
const textHash = (session: GeminiSession, author: string, blocks: readonly ContentBlock[]): string | undefined => {
  const text = textOf(blocks)
  return text === '' ? undefined : session.hashOf(author, text)
}

const textOf = (blocks: readonly ContentBlock[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')

/** Each entry once: a list may name a message twice, and a row the same result twice. The first stays. */
const uniqueWrites = (writes: readonly EntryWrite[]): readonly EntryWrite[] => {
  const ids = new Set<string>()
  return writes.filter(({ externalId = '' }) => {
    const isNew = !ids.has(externalId)
    ids.add(externalId)
    return isNew
  })
}
