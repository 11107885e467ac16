/** What each type of event of Copilot CLI means. */
import { countOf, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { visibleCharacters, type ContentBlock } from '../messages.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import { isProgramContent, isRequest, userWords } from '../user-words/user-words.ts'
import { commandText, replyContent, resultBlock, userContent } from './copilot-content.ts'
import { TITLE_RANKS, type CopilotSession } from './copilot-session.ts'
import { tokensOf, type RequestOrigin, type TokenCounts } from './copilot-usage.ts'
import { NO_ENTRIES, optional, type ParsedLine } from './importer.ts'
import { oddUsage } from './line-values.ts'
import { todoWrites } from './todo-writes.ts'

/** An event without its envelope. */
interface CopilotEvent {
  readonly data: JsonObject
  readonly id: string
  readonly at: number | null
  /** The subagent whose event it is; undefined for the main conversation. */
  readonly subagent: string | undefined
}

/** Changes the session by what an event says, and gives its entries; undefined for an event without any. */
type LineHandler = (session: CopilotSession, event: CopilotEvent) => ParsedLine | undefined

/** Begins the session in its record; no entries. */
const sessionStart: LineHandler = (session, { data }) => {
  session.begin(data)
  return undefined
}

/** A session is resumed: folder and model may differ; makes no entry. */
const sessionResume: LineHandler = (session, { data }) => {
  session.moveTo(objectOf(data.context))
  session.setModel(stringOf(data.selectedModel))
  return undefined
}

/** Moves the session to the folder and branch that are told, but for a subagent's; no entries. */
const contextChanged: LineHandler = (session, { data, subagent }) => {
  if (subagent === undefined) session.moveTo(data)
  return undefined
}

/** Takes a title that was made for the session; no entries. */
const titleChanged: LineHandler = (session, { data }) => {
  session.setTitle(stringOf(data.title) ?? '', TITLE_RANKS.made)
  return undefined
}

/** Takes the session's mode, but for a subagent's; no entries. */
const modeChanged: LineHandler = (session, { data, subagent }) => {
  if (subagent === undefined) session.setMode(stringOf(data.newMode))
  return undefined
}

/**
 * Sets the session's model and makes an entry of kind `model`. Undefined for a subagent's change, and without a model:
 * nothing is set then.
 */
const modelChange: LineHandler = (session, { data, id, at, subagent }) => {
  const model = stringOf(data.newModel)
  if (model === undefined || subagent !== undefined) return undefined
  session.setModel(model)
  return { session: session.facts, entries: [{ entry: { kind: 'model', at, model }, externalId: id }] }
}

/**
 * The entry of a message of the main conversation or of a subagent, in the session's mode, under the event's id. `more`
 * adds an origin, model or reply id.
 */
const messageWrite = (
  session: CopilotSession,
  { id, at, subagent }: CopilotEvent,
  role: 'user' | 'assistant' | 'system' | 'tool',
  content: readonly ContentBlock[],
  more: { readonly origin?: 'meta' | 'summary'; readonly model?: string; readonly responseId?: string } = {},
): EntryWrite => ({
  entry: {
    kind: 'message',
    id,
    at,
    role,
    content,
    ...optional('subagent', subagent),
    ...optional('mode', session.mode),
    ...more,
  },
  externalId: id,
})

/**
 * A message of the user, who may change the session's mode by it and give it a title. What the program sent in the
 * user's stead has origin `meta` and gives no title. Undefined for an empty one.
 */
const userMessage: LineHandler = (session, event) => {
  const { data, subagent } = event
  if (subagent === undefined) session.setMode(stringOf(data.agentMode))
  const content = userContent(data)
  if (content.length === 0) return undefined
  const isProgram = isInjected(data) || isProgramContent(content)
  const words = isProgram || subagent !== undefined ? undefined : userWords([stringOf(data.content) ?? ''])
  if (words !== undefined) session.setRequestTitle(words, isRequest(words))
  return {
    session: session.facts,
    entries: [messageWrite(session, event, 'user', content, isProgram ? { origin: 'meta' } : {})],
  }
}

/** Whether the program sent it in the user's stead: a skill's text, another agent's words, "go on" of the autopilot. */
const isInjected = ({ source, isAutopilotContinuation, crossSession }: JsonObject): boolean => {
  const from = stringOf(source)
  return (from !== undefined && from !== 'user') || isAutopilotContinuation === true || crossSession !== undefined
}

/**
 * The instructions for the model as a message of the program's; undefined for other system messages, and without a
 * text. They are sent before the messages, and written again when a session is resumed.
 */
const systemMessage: LineHandler = (session, event) => {
  const text = stringOf(event.data.content)
  if (text === undefined || event.data.role !== 'developer') return undefined
  return {
    session: session.facts,
    entries: [messageWrite(session, event, 'system', [{ type: 'text', text }], { origin: 'meta' })],
  }
}

/** What the program told the model, e.g. that a command in the background has ended. Undefined without a text. */
const notification: LineHandler = (session, event) => {
  const text = stringOf(event.data.content)
  if (text === undefined) return undefined
  return {
    session: session.facts,
    entries: [messageWrite(session, event, 'user', [{ type: 'text', text }], { origin: 'meta' })],
  }
}

/**
 * A reply with its request, and the todo lists that it sets unless it is a subagent's. A reply without content is an
 * entry of kind `model`. The request is noted in the session's usage; of its tokens only the output is told here.
 */
const assistantMessage: LineHandler = (session, event) => {
  const { data, id, at, subagent } = event
  const content = replyContent(data)
  const model = stringOf(data.model)
  const origin = session.origin(at, model, subagent)
  const { callId, hasRecord } = session.usage.addMessage({
    session: session.id,
    messageId: stringOf(data.messageId) ?? id,
    apiCallId: stringOf(data.apiCallId),
    turn: [subagent, stringOf(data.interactionId), stringOf(data.turnId)].join('/'),
    output: typeof data.outputTokens === 'number' ? countOf(data.outputTokens) : undefined,
    origin,
  })
  const tokens = tokensOf({ outputTokens: data.outputTokens ?? 0 })
  // Its tokens are those of the record, or of the shutdown; until then it has no price.
  const request = requestFact(callId, origin, tokens, {})
  const write =
    content.length === 0
      ? modelWrite(session, id, origin)
      : messageWrite(session, event, 'assistant', content, {
          ...optional('model', model),
          // Of a reply in several parts.
          ...optional('responseId', typeof data.chunkCount === 'number' ? callId : undefined),
        })
  return {
    session: session.facts,
    entries: [
      { ...write, request, visibleCharacters: visibleCharacters(content) },
      ...(subagent === undefined ? todoWrites(id, at, content) : []),
    ],
    ...optional('skip', hasRecord ? undefined : oddUsage([data.outputTokens])),
  }
}

/**
 * A tool's result, as a tool's message; that of a command of the user's is a message of the program's (origin `meta`),
 * and the command is forgotten. Undefined where the event names no call.
 */
const toolComplete: LineHandler = (session, event) => {
  const { data } = event
  const result = resultBlock(data)
  if (result === undefined) return undefined
  const isUsers = session.takeCommand(result.callId) || data.isUserRequested === true
  return {
    session: session.facts,
    entries: [
      isUsers
        ? messageWrite(session, event, 'user', result.content, { origin: 'meta' })
        : messageWrite(session, event, 'tool', [result]),
    ],
  }
}

/**
 * A command of the user's, as a message of the program's; its call is remembered, so that its result is not taken for a
 * tool's.
 */
const userCommand: LineHandler = (session, event) => {
  const callId = stringOf(event.data.toolCallId)
  if (callId !== undefined) session.addCommand(callId)
  return {
    session: session.facts,
    entries: [
      messageWrite(session, event, 'user', [{ type: 'text', text: commandText(event.data) }], { origin: 'meta' }),
    ],
  }
}

/**
 * The request of a record, with the model that it names, else the session's. It counts under the message of the reply to
 * the same API call, if there is one, and is noted in the session's usage. `skip` says that a number is odd.
 */
const usageRecord: LineHandler = (session, { data, id, at, subagent }) => {
  const usage = objectOf(data.usage)
  const isSubagents = stringOf(usage.interactionType) === 'conversation-subagent'
  const agent = subagent ?? stringOf(usage.parentToolCallId) ?? (isSubagents ? 'subagent' : undefined)
  const origin = session.origin(at, stringOf(usage.model), agent)
  const tokens = tokensOf(usage)
  const callId = session.usage.addRecord(session.id, id, usage, origin.model, tokens)
  return {
    session: session.facts,
    entries: [{ ...modelWrite(session, id, origin, usage), request: requestFact(callId, origin, tokens, usage) }],
    ...optional('skip', oddUsageOf(usage)),
  }
}

/**
 * The requests that were not recorded one by one, as entries of kind `model`, by what the end of a session tells of
 * them. Totals may come again: only their growth counts. `skip` says that a number is odd.
 */
const shutdown: LineHandler = (session, { data, id, at }) => {
  const metrics = objectOf(data.modelMetrics ?? objectOf(data.accountingSnapshot).modelMetrics)
  const settled = session.usage.settle(metrics, session.id, id, at)
  const odd = Object.values(metrics).map((metric) => oddUsageOf(objectOf(objectOf(metric).usage)))
  return {
    session: session.facts,
    entries: settled.map(({ callId, origin, tokens }, index) => ({
      ...modelWrite(session, `${id}.${index}`, { ...origin, at }),
      request: requestFact(callId, origin, tokens, {}),
    })),
    ...optional(
      'skip',
      odd.find((reason) => reason !== undefined),
    ),
  }
}

/** What is wrong with the numbers of a usage, for a skip; undefined if nothing is. */
const oddUsageOf = (usage: JsonObject): string | undefined =>
  oddUsage([
    usage.inputTokens,
    usage.cacheReadTokens,
    usage.cacheWriteTokens,
    usage.outputTokens,
    usage.reasoningTokens,
  ])

/** An entry of kind `model`, in the session's mode. */
const modelWrite = (
  session: CopilotSession,
  externalId: string,
  { at, model }: RequestOrigin,
  usage: JsonObject = {},
): EntryWrite => ({
  entry: { kind: 'model', at, model, ...optional('provider', providerOf(usage)), ...optional('mode', session.mode) },
  externalId,
})

/**
 * The provider where the user's own key was used; undefined otherwise, as GitHub tells none for its models. Its costs
 * are premium requests.
 */
const providerOf = ({ isByok, modelProvider, providerType }: JsonObject): string | undefined => {
  if (isByok !== true) return undefined
  const provider = stringOf(modelProvider)
  return provider === undefined || provider === 'other' ? stringOf(providerType) : provider
}

/** A request with these tokens, unpriced. Cache writes by how long they are kept. */
const requestFact = (
  callId: string,
  { model, ...origin }: RequestOrigin,
  { input, cacheRead, cacheWrite, output, reasoning }: TokenCounts,
  usage: JsonObject,
): RequestFact => ({
  callId,
  model,
  ...origin,
  ...optional('provider', providerOf(usage)),
  inputTokens: input,
  cacheReadTokens: cacheRead,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  ...cacheWrites(model, cacheWrite, usage.cacheTtlSeconds),
  outputTokens: output,
  ...optional('reasoningTokens', reasoning > 0 ? reasoning : undefined),
  costNano: null,
  costState: 'unpriced',
})

/**
 * Tokens written to the cache in the field of their lifetime: 1 h, 12 h or 30 min where that was asked for, else 5 min;
 * where nothing is told, 30 min for OpenAI's models and 5 min for others. Empty for 0 tokens.
 */
const cacheWrites = (model: string, tokens: number, seconds: JsonValue | undefined): Partial<RequestFact> => {
  if (tokens === 0) return {}
  if (seconds === 3_600) return { cacheWrite1hTokens: tokens }
  if (seconds === 43_200) return { cacheWrite12hTokens: tokens }
  const isOpenai = /^(?:gpt|o\d|codex)/i.test(model.split('/').at(-1) ?? model)
  return seconds === 1_800 || (seconds === undefined && isOpenai)
    ? { cacheWrite30mTokens: tokens }
    : { cacheWrite5mTokens: tokens }
}

/** Makes the handler of an event that becomes a notice with the text in `field`, without which there is no entry. */
const notice =
  (level: 'warning' | 'error', field: 'message' | 'error' = 'message'): LineHandler =>
  (session, { data, id, at }) => {
    const text = stringOf(data[field])
    if (text === undefined) return undefined
    return { session: session.facts, entries: [{ entry: { kind: 'notice', at, level, text }, externalId: id }] }
  }

/** A notice (`info`) with the counts of messages and tokens left out of the context; undefined if both are 0. */
const truncated: LineHandler = (session, { data, id, at }) => {
  const [messages, tokens] = [
    countOf(data.messagesRemovedDuringTruncation),
    countOf(data.tokensRemovedDuringTruncation),
  ]
  if (messages === 0 && tokens === 0) return undefined
  // Which messages they were is not told.
  const text = `${messages} messages with ${tokens} tokens were left out of the context`
  return { session: session.facts, entries: [{ entry: { kind: 'notice', at, level: 'info', text }, externalId: id }] }
}

/**
 * A compaction of the main conversation, with the request for its summary and the summary as a user's message. A failed
 * one is a warning with its request. A subagent's has no entry of kind `compaction`.
 */
const compacted: LineHandler = (session, event) => {
  const { data, id, at, subagent } = event
  const requests = summaryRequest(session, event)
  const skip = oddUsageOf(objectOf(data.compactionTokensUsed))
  if (data.success === false) {
    const failed = notice('warning', 'error')(session, event)?.entries ?? NO_ENTRIES
    return { session: session.facts, entries: [...failed, ...requests], ...optional('skip', skip) }
  }
  const summary = stringOf(data.summaryContent)
  // A compaction entry concerns the main conversation.
  const compaction: readonly EntryWrite[] =
    subagent === undefined ? [compactionWrite(id, at, data.trigger === 'manual' ? 'manual' : 'auto', data)] : []
  return {
    session: session.facts,
    entries: [
      ...compaction,
      ...requests,
      ...(summary === undefined
        ? []
        : [
            messageWrite(session, { ...event, id: `${id}.summary` }, 'user', [{ type: 'text', text: summary }], {
              origin: 'summary',
            }),
          ]),
    ],
    ...optional('skip', skip),
  }
}

/**
 * The request for a compaction's summary as a list of one entry of kind `model`; empty where a usage record told it
 * before, or no tokens were used. It has no record, and the totals of a shutdown don't hold it.
 */
const summaryRequest = (session: CopilotSession, { data, id, at, subagent }: CopilotEvent): readonly EntryWrite[] => {
  const used = objectOf(data.compactionTokensUsed)
  const origin = session.origin(at, stringOf(used.model), subagent)
  // Early versions named the counts otherwise.
  const tokens = tokensOf({
    ...used,
    inputTokens: used.inputTokens ?? used.input,
    outputTokens: used.outputTokens ?? used.output,
    cacheReadTokens: used.cacheReadTokens ?? used.cachedInput,
  })
  const callId = session.usage.addSummary(session.id, id, tokens)
  if (callId === undefined) return NO_ENTRIES
  return [{ ...modelWrite(session, `${id}.request`, origin), request: requestFact(callId, origin, tokens, {}) }]
}

/** A compaction as an entry; `tokensBefore` is absent where it is not told. */
const compactionWrite = (id: string, at: number | null, trigger: string, data: JsonObject): EntryWrite => {
  const tokens = countOf(data.preCompactionTokens)
  return {
    entry: { kind: 'compaction', at, trigger, ...optional('tokensBefore', tokens > 0 ? tokens : undefined) },
    externalId: id,
  }
}

/**
 * The user emptied the context: a manual compaction without a summary, so nothing before it is sent any more. No
 * entries for a subagent's.
 */
const cleared: LineHandler = (session, { id, at, data, subagent }) =>
  subagent === undefined
    ? { session: session.facts, entries: [compactionWrite(id, at, 'manual', data)] }
    : { session: session.facts, entries: NO_ENTRIES }

/** A line that says nothing that is kept. */
const known: LineHandler = () => undefined

/** How to parse an event, by its type; events of other types give no entries. */
export const LINE_HANDLERS: ReadonlyMap<JsonValue | undefined, LineHandler> = new Map<JsonValue, LineHandler>([
  ['session.start', sessionStart],
  ['session.resume', sessionResume],
  ['session.context_changed', contextChanged],
  ['session.title_changed', titleChanged],
  ['session.mode_changed', modeChanged],
  ['session.model_change', modelChange],
  ['session.usage_record', usageRecord],
  ['session.shutdown', shutdown],
  ['session.truncation', truncated],
  ['session.compaction_complete', compacted],
  ['session.context_cleared', cleared],
  ['session.error', notice('error')],
  ['session.warning', notice('warning')],
  ['user.message', userMessage],
  ['system.message', systemMessage],
  ['system.notification', notification],
  ['assistant.message', assistantMessage],
  ['assistant.turn_start', known],
  ['assistant.turn_end', known],
  ['tool.user_requested', userCommand],
  ['tool.execution_start', known],
  ['tool.execution_complete', toolComplete],
  ['subagent.failed', notice('error', 'error')],
  ['hook.start', known],
  ['hook.end', known],
])
