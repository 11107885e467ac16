/** What each type of line and event in a Codex rollout means. */
import { arrayOf, countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { visibleCharacters } from '../messages.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import { isRequest, userWords } from '../user-words/user-words.ts'
import { itemMessage, type ItemMessage } from './codex-items.ts'
import type { CodexSession, TokenRequest } from './codex-session.ts'
import { NO_ENTRIES, optional, type LineContext, type ParsedLine } from './importer.ts'
import { oddUsage, titleFrom } from './line-values.ts'
import { todoWrites } from './todo-writes.ts'

/** A line without its envelope. */
interface RolloutLine {
  readonly payload: JsonObject
  /** Time, ms; null if the line has none. */
  readonly at: number | null
  readonly context: LineContext
}

/** Takes a line into the session; returns the session's facts with the line's entries, or undefined if it adds none. */
type LineHandler = (session: CodexSession, line: RolloutLine) => ParsedLine | undefined

/** Takes the line's facts over into the session; no entries. */
const sessionMeta: LineHandler = (session, { payload, at }) => {
  session.addMeta(payload, at)
  return undefined
}

/** Begins the line's turn in the session; no entries. */
const turnContext: LineHandler = (session, { payload }) => {
  session.startTurn(payload)
  return undefined
}

/** The session's facts with the item's entries. */
const responseItem: LineHandler = (session, line) => ({ session: session.facts, entries: itemWrites(session, line) })

/**
 * The entries of an item; nothing for one without content, and for a history that a subagent was given. Counts the
 * model's visible output in the session, and remembers there the ids of what users and programs said.
 */
const itemWrites = (session: CodexSession, { payload, at, context }: RolloutLine): readonly EntryWrite[] => {
  const inherited = session.isInherited(at)
  // What a subagent was given of its parent's history is in the parent's session already.
  if (inherited && session.isSubagent) return NO_ENTRIES
  const message = itemMessage(payload)
  if (message === undefined) return NO_ENTRIES
  const { role, content, origin } = message
  const { subagent } = session
  const assistant = role === 'assistant'
  if (assistant && !inherited) session.addVisible(visibleCharacters(content), at)
  const id = context.identity()
  if (!assistant && role !== 'tool' && subagent === undefined) session.remember(message, id)
  return [
    {
      entry: {
        kind: 'message',
        id,
        at,
        role,
        content,
        ...optional('subagent', subagent),
        ...optional('model', assistant ? session.model : undefined),
        ...optional('mode', session.mode),
        ...optional('origin', origin),
      },
      externalId: id,
    },
    ...(assistant && subagent === undefined ? todoWrites(id, at, content) : []),
  ]
}

/**
 * The session's facts with the request that a count of tokens adds, after one that was missed, if there is one; none
 * where the count only repeats. A skip for odd counts.
 */
const tokenCount: LineHandler = (session, line) => {
  const { info } = line.payload
  const requests = isJsonObject(info) ? session.countTokens(info, line.at) : []
  return {
    session: session.facts,
    entries: requestWrites(session, line, requests),
    ...optional('skip', oddUsageOf(objectOf(objectOf(info).last_token_usage))),
  }
}

/** What is wrong with the numbers of a usage, for a skip; undefined if nothing is. */
const oddUsageOf = (usage: JsonObject): string | undefined =>
  oddUsage([
    usage.input_tokens,
    usage.cached_input_tokens,
    usage.cache_write_input_tokens,
    usage.output_tokens,
    usage.reasoning_output_tokens,
  ])

/** The session's facts with the request of a usage record; without entries if it was counted already. */
const usageRecord: LineHandler = (session, line) => ({
  session: session.facts,
  entries: requestWrites(session, line, session.countRecord(line.payload, line.at)),
})

/**
 * The requests that a line tells of, each as an entry of kind `model`; those before the last are ones that the
 * transcript missed.
 */
const requestWrites = (
  session: CodexSession,
  { at, context }: RolloutLine,
  requests: readonly TokenRequest[],
): readonly EntryWrite[] =>
  requests.map((request, index) => {
    const model = request.model ?? 'unknown'
    const id = context.identity()
    return {
      entry: {
        kind: 'model',
        at,
        model,
        ...optional('provider', session.provider),
        ...optional('mode', request.mode),
      },
      // The line's own request is the last one.
      externalId: index === requests.length - 1 ? id : `${id}.missing`,
      visibleCharacters: request.visible,
      request: requestOf(session, request, model),
    }
  })

/** A request; its classes are never more than its input. Unpriced; cache writes count as kept for 30 minutes. */
const requestOf = (session: CodexSession, { callId, at, mode, usage }: TokenRequest, model: string): RequestFact => {
  const input = countOf(usage.input_tokens)
  const cached = Math.min(countOf(usage.cached_input_tokens), input)
  const written = Math.min(countOf(usage.cache_write_input_tokens), input - cached)
  const reasoning = countOf(usage.reasoning_output_tokens)
  return {
    callId,
    at,
    model,
    ...optional('provider', session.provider),
    inputTokens: input - cached - written,
    cacheReadTokens: cached,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    // What OpenAI keeps a prefix for where nothing else is asked; Codex asks for nothing.
    ...optional('cacheWrite30mTokens', written > 0 ? written : undefined),
    outputTokens: countOf(usage.output_tokens),
    ...optional('reasoningTokens', reasoning > 0 ? reasoning : undefined),
    ...optional('mode', mode),
    ...optional('subagent', session.subagent),
    ...optional('workspace', session.requestWorkspace),
    ...optional('branch', session.branch),
    costNano: null,
    costState: 'unpriced',
  }
}

/** Ends the turn before, and begins another in the session; no entries. */
const taskStarted: LineHandler = (session, { payload, at }) => {
  session.endTurn(at)
  session.setTurn(stringOf(payload.turn_id))
  return undefined
}

/** Ends the turn in the session; no entries. */
const turnAborted: LineHandler = (session, { at }) => {
  session.endTurn(at)
  return undefined
}

/**
 * The session's facts with a title from the user's words in a text, without entries: the message itself comes as a
 * response item. Undefined for a text without such words, for a subagent, and once a request has given the title, which
 * is noted in the session. A greeting ("hi", "ok") gives a title, too, but the next message replaces it.
 */
const titleLine = (session: CodexSession, text: string): ParsedLine | undefined => {
  if (!session.needsTitle) return undefined
  const words = userWords([text])
  const title = words === undefined ? undefined : titleFrom(words)
  if (words === undefined || title === undefined) return undefined
  // Greetings give way to the first request.
  session.setTitled(isRequest(words))
  return { session: { ...session.facts, title }, entries: NO_ENTRIES }
}

/** The title from a user's message, see `titleLine`. */
const userMessage: LineHandler = (session, { payload }) => titleLine(session, stringOf(payload.message) ?? '')

/**
 * The title from a user's message, see `titleLine`; undefined for other items. Codex 0.169 has an event for every
 * finished item of a turn, and no `user_message` any more.
 */
const itemCompleted: LineHandler = (session, { payload }) => {
  const item = objectOf(payload.item)
  if (item.type !== 'UserMessage') return undefined
  const texts = arrayOf(item.content).map((part) => stringOf(objectOf(part).text) ?? '')
  return titleLine(session, texts.filter((text) => text !== '').join('\n'))
}

/**
 * A notice of this level; undefined without a text. Undefined also for what a subagent was given of its parent's
 * history.
 */
const notice =
  (level: 'warning' | 'error'): LineHandler =>
  (session, { payload, at, context }) => {
    const text = stringOf(payload.message)
    if (text === undefined || (session.isInherited(at) && session.isSubagent)) return undefined
    return {
      session: session.facts,
      entries: [{ entry: { kind: 'notice', at, level, text }, externalId: context.identity() }],
    }
  }

const EVENT_HANDLERS: ReadonlyMap<JsonValue | undefined, LineHandler> = new Map<JsonValue, LineHandler>([
  ['token_count', tokenCount],
  ['task_started', taskStarted],
  ['turn_aborted', turnAborted],
  ['user_message', userMessage],
  ['item_completed', itemCompleted],
  ['error', notice('error')],
  ['stream_error', notice('error')],
  ['warning', notice('warning')],
])

/** What an event means, by its type; undefined for other types. */
const eventMessage: LineHandler = (session, line) => EVENT_HANDLERS.get(line.payload.type)?.(session, line)

/** The session's facts with the entries of a compaction. */
const compacted: LineHandler = (session, line) => ({
  session: session.facts,
  entries: compactionWrites(session, line),
})

/**
 * A compaction, with what stays, then the summary that stands for the rest; in a subagent's rollout the summary alone,
 * and nothing for what it was given of its parent's history.
 */
const compactionWrites = (session: CodexSession, { payload, at, context }: RolloutLine): readonly EntryWrite[] => {
  if (session.isInherited(at) && session.isSubagent) return NO_ENTRIES
  const id = context.identity()
  // The whole new history; older versions only have the summary.
  const history = arrayOf(payload.replacement_history).flatMap((value) => itemMessage(objectOf(value)) ?? [])
  const known = history.map((message) => session.idOf(message))
  const kept = known.filter((message) => message !== undefined)
  const summaries =
    history.length > 0 ? history.filter((_, index) => known[index] === undefined) : summaryMessages(payload)
  const { subagent, contextTokens } = session
  const written = summaries.map(({ role, content }, index): EntryWrite => {
    const summaryId = `${id}.${index + 1}`
    return {
      entry: {
        kind: 'message',
        id: summaryId,
        at,
        role,
        content,
        origin: 'summary',
        ...optional('subagent', subagent),
      },
      externalId: summaryId,
    }
  })
  // Compaction entries concern the main conversation only.
  if (subagent !== undefined) return written
  const compaction: EntryWrite = {
    entry: {
      kind: 'compaction',
      at,
      trigger: 'auto',
      ...optional('tokensBefore', contextTokens > 0 ? contextTokens : undefined),
      ...optional('kept', kept.length > 0 ? kept : undefined),
    },
    externalId: id,
  }
  return [compaction, ...written]
}

/** The summary that an older version wrote, as a user's message; none if it is empty. */
const summaryMessages = (payload: JsonObject): readonly ItemMessage[] => {
  const text = stringOf(payload.message) ?? ''
  return text === '' ? [] : [{ role: 'user', content: [{ type: 'text', text }] }]
}

/** How to parse a line, by its type; lines of other types give no entries. */
export const LINE_HANDLERS: ReadonlyMap<JsonValue | undefined, LineHandler> = new Map<JsonValue, LineHandler>([
  ['session_meta', sessionMeta],
  ['turn_context', turnContext],
  ['response_item', responseItem],
  ['event_msg', eventMessage],
  ['compacted', compacted],
  ['token_usage_record', usageRecord],
])
