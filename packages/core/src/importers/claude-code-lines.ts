/** What each type of line in a Claude Code file means. */
import { countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { visibleCharacters, type ContentBlock, type Role } from '../messages.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import { SESSION_RESUMED } from '../session-log.ts'
import { isProgramContent, isRequest, userAuthoredText } from '../user-words/user-words.ts'
import { contentBlocks, onlyToolResults } from './anthropic-content.ts'
import { TITLE_RANKS, type ClaudeCodeSession } from './claude-code-session.ts'
import { NO_ENTRIES, optional, type LineContext, type ParsedLine } from './importer.ts'
import { oddUsage, parseTime, titleFrom } from './line-values.ts'
import { todoWrites } from './todo-writes.ts'

/** Parses a line of one type; undefined when the line says nothing that the log keeps. */
export type LineHandler = (session: ClaudeCodeSession, line: JsonObject, context: LineContext) => ParsedLine | undefined

const messageLine: LineHandler = (session, line, context) =>
  parseMessage(session, { line, position: line, subagent: session.subagentOf(line) }, context)

/**
 * A subagent's message as the parent's file repeats it, as an entry of that subagent; or the notice for a hook that
 * tells that the session was resumed. Undefined for any other progress.
 */
const progressLine: LineHandler = (session, line, context) => {
  const data = objectOf(line.data)
  if (data.type === 'hook_progress' && data.hookName === 'SessionStart:resume')
    return resumedLine(session, line, context)
  if (data.type !== 'agent_progress' || !isJsonObject(data.message)) return undefined
  const subagent = stringOf(data.agentId) ?? stringOf(line.agentId) ?? stringOf(line.parentToolUseID) ?? 'sidechain'
  return parseMessage(session, { line: data.message, position: line, subagent }, context)
}

/** A notice that the session was resumed. Each hook of a resumed session has a line, all with one id. */
const resumedLine: LineHandler = (session, line, context) => ({
  session: session.facts,
  entries: [
    {
      entry: { kind: 'notice', at: parseTime(line.timestamp), level: 'info', text: SESSION_RESUMED },
      externalId: `resumed:${stringOf(line.toolUseID) ?? context.identity()}`,
    },
  ],
})

/** A system line as a compaction or a notice. */
const systemLine: LineHandler = (session, line, context) => ({
  session: session.facts,
  entries: [systemEntry(line, session.subagentOf(line), context)],
})

/**
 * Makes the handler of lines with a title of this rank: an entry of kind `title`, and the session titled by it.
 * Undefined where the line has none, or one of a higher rank is known. Before a line has confirmed the session, the
 * title is kept in it and there are no entries.
 */
const titleLine =
  (rank: number): LineHandler =>
  (session, line, context) => {
    const title = titleFrom(
      stringOf(line.summary) ?? stringOf(line.aiTitle) ?? stringOf(line.customTitle) ?? stringOf(line.title) ?? '',
    )
    if (title === undefined || rank < session.titleRank) return undefined
    if (!session.isConfirmed) {
      session.keepTitle(title, rank)
      return { entries: NO_ENTRIES }
    }
    const externalId = context.identity()
    return {
      session: session.titled(title, rank),
      entries: [{ entry: { kind: 'title', at: parseTime(line.timestamp), title }, externalId }],
    }
  }

/** How to parse a line, by its type; lines of other types give no entries. */
export const LINE_HANDLERS: ReadonlyMap<JsonValue | undefined, LineHandler> = new Map<JsonValue, LineHandler>([
  ['user', messageLine],
  ['assistant', messageLine],
  ['progress', progressLine],
  ['system', systemLine],
  ['summary', titleLine(TITLE_RANKS.summary)],
  ['ai-title', titleLine(TITLE_RANKS['ai-title'])],
  ['custom-title', titleLine(TITLE_RANKS['custom-title'])],
])

/** A message and where it was found. */
interface FoundMessage {
  readonly line: JsonObject
  /** The line of the file, for time and folder: the message's own, or the progress line around it. */
  readonly position: JsonObject
  readonly subagent: string | undefined
}

interface Message extends FoundMessage {
  readonly body: JsonObject
  readonly id: string
  readonly at: number | null
  readonly content: readonly ContentBlock[]
  readonly isAssistant: boolean
  /** Written by the program in the model's name. */
  readonly isSynthetic: boolean
}

/**
 * The entries of a message: the message itself with its request and, in the main conversation, the todo lists that it
 * sets. A text of the user in the main conversation titles the session if it has no title. `skip` says that a count is
 * odd.
 */
const parseMessage = (session: ClaudeCodeSession, found: FoundMessage, context: LineContext): ParsedLine => {
  const { line, position, subagent } = found
  const body = objectOf(line.message)
  const message: Message = {
    ...found,
    body,
    id: stringOf(line.uuid) ?? context.identity(),
    at: parseTime(line.timestamp ?? position.timestamp),
    content: contentBlocks(body.content),
    isAssistant: body.role === 'assistant' || line.type === 'assistant',
    isSynthetic: body.model === '<synthetic>',
  }
  const { id, at, content, isAssistant } = message
  const origin = originOf(message)
  const usage = isAssistant && !message.isSynthetic && isJsonObject(body.usage) ? body.usage : undefined
  const write = messageWrite(session, message, origin, usage)
  const isTitle = !isAssistant && origin === undefined && subagent === undefined
  return {
    session: isTitle ? titledByText(session, content) : session.facts,
    entries:
      subagent === undefined
        ? [
            write,
            ...(isAssistant ? todoWrites(id, at, content) : []),
            ...session.tasks.take(id, at, content, line.toolUseResult),
          ]
        : [write],
    ...optional('skip', usage === undefined ? undefined : oddUsageOf(usage)),
  }
}

/**
 * The message as an entry; with a usage, together with its request. One that the program wrote in the model's name has
 * no model.
 */
const messageWrite = (
  session: ClaudeCodeSession,
  message: Message,
  origin: 'summary' | 'meta' | undefined,
  usage: JsonObject | undefined,
): EntryWrite => {
  const { body, id, at, content, isAssistant, isSynthetic, subagent } = message
  return {
    entry: {
      kind: 'message',
      id,
      at,
      role: roleOf(message),
      content,
      ...optional('subagent', subagent),
      ...optional('responseId', isAssistant ? stringOf(body.id) : undefined),
      ...optional('model', isSynthetic ? undefined : stringOf(body.model)),
      ...optional('mode', session.mode),
      ...optional('thinking', isAssistant ? undefined : thinkingOf(message.line.thinkingMetadata)),
      ...optional('origin', origin),
    },
    externalId: id,
    ...(usage === undefined
      ? {}
      : { request: requestOf(session, message, usage), visibleCharacters: visibleCharacters(content) }),
  }
}

/**
 * How much thinking a prompt asked for: older versions noted a level, later ones a number of tokens. Undefined where
 * nothing was noted; `off` for none.
 */
const thinkingOf = (noted: JsonValue | undefined): string | undefined => {
  if (!isJsonObject(noted)) return undefined
  const { maxThinkingTokens: tokens } = noted
  if (noted.disabled === true || noted.level === 'none' || tokens === 0) return 'off'
  return typeof tokens === 'number' ? String(tokens) : stringOf(noted.level)
}

/** The role of a message: `tool` for one of nothing but results, `system` where it says so; `user` for any other. */
const roleOf = ({ isAssistant, content, body }: Message): Role => {
  if (isAssistant) return 'assistant'
  if (onlyToolResults(content)) return 'tool'
  return body.role === 'system' ? 'system' : 'user'
}

/** Where a message comes from when no person or model said it; undefined for all others. */
const originOf = ({ line, content, isAssistant, isSynthetic }: Message): 'summary' | 'meta' | undefined => {
  if (line.isCompactSummary === true) return 'summary'
  return isMarkedProgram(line) || isSynthetic || (!isAssistant && isProgramContent(content)) ? 'meta' : undefined
}

/**
 * The session's facts, titled by the user's text where the session has no title yet. A greeting's title lasts only
 * until the first request.
 */
const titledByText = (session: ClaudeCodeSession, content: readonly ContentBlock[]): SessionFacts => {
  if (session.titleRank !== 0) return session.facts
  const words = userAuthoredText({ role: 'user', content })
  const title = words === undefined ? undefined : titleFrom(words)
  if (words === undefined || title === undefined) return session.facts
  // Greetings give way to the first request.
  return session.titled(title, isRequest(words) ? TITLE_RANKS['first-text'] : 0)
}

/**
 * The request of a reply; the lines of one response have one id. The cost is unpriced; without a model it is `unknown`.
 */
const requestOf = (session: ClaudeCodeSession, message: Message, usage: JsonObject): RequestFact => {
  const { line, body, at, id, subagent, position } = message
  const writes = isJsonObject(usage.cache_creation) ? usage.cache_creation : undefined
  const reasoning = countOf(objectOf(usage.output_tokens_details).thinking_tokens)
  return {
    // A reply is split over several lines; with the response's id they count as one request.
    callId: stringOf(body.id) ?? stringOf(line.requestId) ?? id,
    at,
    model: stringOf(body.model) ?? 'unknown',
    provider: 'anthropic',
    inputTokens: countOf(usage.input_tokens),
    cacheReadTokens: countOf(usage.cache_read_input_tokens),
    cacheWrite5mTokens:
      writes === undefined ? countOf(usage.cache_creation_input_tokens) : countOf(writes.ephemeral_5m_input_tokens),
    cacheWrite1hTokens: writes === undefined ? 0 : countOf(writes.ephemeral_1h_input_tokens),
    outputTokens: countOf(usage.output_tokens),
    ...optional('reasoningTokens', reasoning > 0 ? reasoning : undefined),
    ...optional('mode', session.mode),
    ...optional('subagent', subagent),
    ...optional('workspace', session.workspaceOf(stringOf(position.cwd))),
    ...optional('branch', session.branch),
    costNano: null,
    costState: 'unpriced',
  }
}

const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/** What is wrong with a reply's counts; undefined where nothing is. Its text is the reason of a skip. */
const oddUsageOf = (usage: JsonObject): string | undefined => {
  const writes = objectOf(usage.cache_creation)
  return oddUsage([
    ...COUNTS.map((name) => usage[name]),
    writes.ephemeral_5m_input_tokens,
    writes.ephemeral_1h_input_tokens,
  ])
}

/** Whether the line itself says that the program wrote it; newer versions name the author. */
const isMarkedProgram = (line: JsonObject): boolean => {
  const kind = stringOf(objectOf(line.origin).kind)
  return (
    line.isMeta === true ||
    line.isSynthetic === true ||
    line.isVisibleInTranscriptOnly === true ||
    (kind !== undefined && kind !== 'human' && kind !== 'user')
  )
}

/**
 * A system line as a compaction or a notice. A subagent's compaction becomes a notice, because compaction entries
 * concern the main conversation only.
 */
const systemEntry = (line: JsonObject, subagent: string | undefined, context: LineContext): EntryWrite => {
  const externalId = stringOf(line.uuid) ?? context.identity()
  const subtype = stringOf(line.subtype) ?? 'system'
  const isCompaction = subtype === 'compact_boundary' || subtype === 'microcompact_boundary'
  return {
    entry: subagent === undefined && isCompaction ? compactionEntry(line, subtype) : noticeEntry(line, subtype),
    externalId,
  }
}

/** A compaction; a micro-compaction only cleared results. Sizes that are not told are absent. */
const compactionEntry = (
  line: JsonObject,
  subtype: 'compact_boundary' | 'microcompact_boundary',
): EntryWrite['entry'] => {
  const partial = subtype === 'microcompact_boundary'
  const details = objectOf(partial ? line.microcompactMetadata : line.compactMetadata)
  const tokens = countOf(details.preTokens)
  const saved = countOf(details.tokensSaved)
  return {
    kind: 'compaction',
    at: parseTime(line.timestamp),
    trigger: stringOf(details.trigger) ?? 'unknown',
    ...optional('tokensBefore', tokens > 0 ? tokens : undefined),
    ...(partial
      ? {
          partial: true,
          ...optional('tokensCleared', saved > 0 ? saved : undefined),
          ...optional('cleared', textsOf(details.compactedToolIds)),
        }
      : {}),
  }
}

/**
 * What the program told, with its level; the text is of whichever field has one. Without one it is the kind of line.
 */
const noticeEntry = (line: JsonObject, subtype: string): EntryWrite['entry'] => {
  const error = objectOf(line.error)
  const detail =
    stringOf(line.content) ??
    stringOf(error.message) ??
    stringOf(objectOf(objectOf(error.error).error).message) ??
    stringOf(objectOf(line.cause).code) ??
    stringOf(error.code)
  const level =
    line.level === 'error' || subtype === 'api_error' ? 'error' : line.level === 'warning' ? 'warning' : 'info'
  const name = subtype.replaceAll('_', ' ')
  const text = detail === undefined ? name : level === 'error' ? `${name}: ${detail}` : detail
  return { kind: 'notice', at: parseTime(line.timestamp), level, text }
}

/** The texts of a list; undefined for what is no list. */
const textsOf = (value: JsonValue | undefined): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item: JsonValue) => typeof item === 'string') : undefined
