/** What each type of line in a pi file means. */
import { countOf, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { visibleCharacters, type ContentBlock, type Role } from '../messages.ts'
import { recordedCost } from '../money.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import { isProgramContent, isRequest, userAuthoredText } from '../user-words/user-words.ts'
import { optional, type ParsedLine } from './importer.ts'
import { oddUsage, parseTime, titleFrom } from './line-values.ts'
import { contentOf } from './pi-content.ts'
import type { PiSession } from './pi-session.ts'

/** Parses a line of one type under its id; undefined when the line says nothing that the log keeps. */
type LineHandler = (session: PiSession, line: JsonObject, id: string) => ParsedLine | undefined

/** Begins the session in its record; no entries. */
const sessionLine: LineHandler = (session, line) => {
  session.begin(line)
  return undefined
}

const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['toolResult', 'tool'],
  ['bashExecution', 'user'],
  ['custom', 'user'],
  ['hookMessage', 'user'],
])

const SUMMARY_KINDS: ReadonlySet<string> = new Set(['compactionSummary', 'branchSummary'])
/** Written by the program, or printed by a command that the user ran. */
const PROGRAM_KINDS: ReadonlySet<string> = new Set(['custom', 'hookMessage', 'bashExecution'])

/**
 * The message, a reply with its request, and a notice where the reply failed. The user's words may title the session.
 * Unknown roles are the user's.
 */
const messageLine: LineHandler = (session, line, id) => {
  const body = objectOf(line.message)
  const kind = stringOf(body.role) ?? 'user'
  const at = parseTime(line.timestamp) ?? parseTime(body.timestamp)
  const content = contentOf(kind, body)
  const role = ROLES.get(kind) ?? 'user'
  const origin = originOf(kind, content)
  const request = role === 'assistant' ? requestOf(body, at, session.workspace) : undefined
  const write: EntryWrite = {
    entry: {
      kind: 'message',
      id,
      at,
      role,
      content,
      ...optional('model', role === 'assistant' ? stringOf(body.model) : undefined),
      ...optional('origin', origin),
    },
    externalId: id,
    ...(request === undefined ? {} : { request, visibleCharacters: visibleCharacters(content) }),
  }
  const failure = stringOf(body.errorMessage)
  return {
    ...optional('skip', role === 'assistant' ? oddUsageOf(objectOf(body.usage)) : undefined),
    session: kind === 'user' && origin === undefined ? titledByText(session, content) : session.facts,
    entries:
      failure === undefined
        ? [write]
        : [write, { entry: { kind: 'notice', at, level: 'error', text: failure }, externalId: `${id}.error` }],
  }
}

/** Whether a message is a summary or the program's; undefined for anybody's own. */
const originOf = (kind: string, content: readonly ContentBlock[]): 'summary' | 'meta' | undefined => {
  if (SUMMARY_KINDS.has(kind)) return 'summary'
  return PROGRAM_KINDS.has(kind) || (kind === 'user' && isProgramContent(content)) ? 'meta' : undefined
}

/**
 * The session's facts, titled by the user's text where the session has no title yet; a bare command gives none. A title
 * by a request is noted in the session, one by a greeting is replaced later.
 */
const titledByText = (session: PiSession, content: readonly ContentBlock[]): SessionFacts => {
  if (session.isTitled) return session.facts
  const words = userAuthoredText({ role: 'user', content })
  const title = words === undefined || /^\/\w+$/.test(words) ? undefined : titleFrom(words)
  if (words === undefined || title === undefined) return session.facts
  // Greetings give way to the first request.
  session.setTitled(isRequest(words))
  return { ...session.facts, title }
}

/** A change of model; "unknown" if the line names none. */
const modelLine: LineHandler = (session, line, id) => ({
  session: session.facts,
  entries: [
    {
      entry: {
        kind: 'model',
        at: parseTime(line.timestamp),
        model: stringOf(line.modelId) ?? 'unknown',
        ...optional('provider', stringOf(line.provider)),
      },
      externalId: id,
    },
  ],
})

/**
 * A compaction, and the summary as a message where there is one. Nothing tells who triggered it: it counts as `auto`.
 */
const compactionLine: LineHandler = (session, line, id) => {
  const at = parseTime(line.timestamp)
  const tokens = countOf(line.tokensBefore)
  const summary = stringOf(line.summary)
  const first = stringOf(line.firstKeptEntryId)
  const compaction: EntryWrite = {
    entry: {
      kind: 'compaction',
      at,
      trigger: 'auto',
      ...optional('tokensBefore', tokens > 0 ? tokens : undefined),
      ...optional('keptFrom', first === undefined ? undefined : session.messageFrom(first)),
    },
    externalId: `${id}.compaction`,
  }
  return {
    session: session.facts,
    entries: summary === undefined ? [compaction] : [compaction, summaryMessage(id, at, summary)],
  }
}

/** The summary of a branch that was left, as a user's message with origin `summary`; undefined if it has no text. */
const branchSummaryLine: LineHandler = (session, line, id) => {
  const summary = stringOf(line.summary)
  if (summary === undefined) return undefined
  return { session: session.facts, entries: [summaryMessage(id, parseTime(line.timestamp), summary)] }
}

/** A message that an extension of the agent added; it is not the user's own. */
const customMessageLine: LineHandler = (session, line, id) => ({
  session: session.facts,
  entries: [
    {
      entry: {
        kind: 'message',
        id,
        at: parseTime(line.timestamp),
        role: 'user',
        content: contentOf('custom', line),
        origin: 'meta',
      },
      externalId: id,
    },
  ],
})

/** A name that the user gave the session, which then stays its title; an empty one is ignored. */
const sessionInfoLine: LineHandler = (session, line, id) => {
  const title = titleFrom(stringOf(line.name) ?? '')
  if (title === undefined) return undefined
  session.setTitled(true)
  return {
    session: { ...session.facts, title },
    entries: [{ entry: { kind: 'title', at: parseTime(line.timestamp), title }, externalId: id }],
  }
}

/** How to parse a line, by its type; lines of other types give no entries. */
export const LINE_HANDLERS: ReadonlyMap<JsonValue | undefined, LineHandler> = new Map<JsonValue, LineHandler>([
  ['session', sessionLine],
  ['message', messageLine],
  ['model_change', modelLine],
  ['compaction', compactionLine],
  ['branch_summary', branchSummaryLine],
  ['custom_message', customMessageLine],
  ['session_info', sessionInfoLine],
])

/** Types of lines that become a message with the line's own id. */
export const MESSAGE_TYPES: ReadonlySet<JsonValue | undefined> = new Set([
  'message',
  'custom_message',
  'branch_summary',
])

/** A summary as a message in the user's turn. As if the user had said it. */
const summaryMessage = (id: string, at: number | null, text: string): EntryWrite => ({
  entry: { kind: 'message', id, at, role: 'user', content: [{ type: 'text', text }], origin: 'summary' },
  externalId: id,
})

const oddUsageOf = ({ input, cacheRead, cacheWrite, output, cost }: JsonObject): string | undefined =>
  oddUsage([input, cacheRead, cacheWrite, output], objectOf(cost).total)

/**
 * The request of a reply; undefined when no token was counted (aborted before the provider answered). A cost that is
 * not recorded leaves it unpriced.
 */
const requestOf = (body: JsonObject, lineAt: number | null, workspace: string | undefined): RequestFact | undefined => {
  const usage = objectOf(body.usage)
  const tokens = {
    inputTokens: countOf(usage.input),
    cacheReadTokens: countOf(usage.cacheRead),
    cacheWrite5mTokens: countOf(usage.cacheWrite),
    cacheWrite1hTokens: 0,
    outputTokens: countOf(usage.output),
  }
  if (tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWrite5mTokens + tokens.outputTokens === 0)
    return undefined
  const model = stringOf(body.model) ?? 'unknown'
  const provider = stringOf(body.provider)
  const recorded = recordedCost(objectOf(usage.cost).total)
  const counted = `${tokens.inputTokens},${tokens.cacheReadTokens},${tokens.cacheWrite5mTokens},${tokens.outputTokens}`
  return {
    // A fork's file repeats the reply under another line id, but with the reply's own time: so that is in the key.
    callId: `${parseTime(body.timestamp) ?? lineAt ?? ''}:${provider ?? ''}/${model}:${counted}`,
    at: lineAt,
    model,
    ...tokens,
    ...optional('provider', provider),
    ...optional('workspace', workspace),
    costNano: recorded,
    costState: recorded === null ? 'unpriced' : 'recorded',
  }
}
