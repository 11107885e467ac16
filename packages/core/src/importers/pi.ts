/** Pi: `~/.pi/agent/sessions/<folder>/<time>_<session>.jsonl`; a header, then a line an entry of its tree. */
import { arrayOf, countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { visibleCharacters, type ContentBlock, type Role } from '../messages.ts'
import { nanoFromUsd } from '../money.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import {
  NO_ENTRIES,
  baseName,
  optional,
  type FileParser,
  type Importer,
  type LineContext,
  type ParsedLine,
  type ParserInput,
} from './importer.ts'
import { isProgramContent, isRequest, userAuthoredText } from '../user-words/user-words.ts'
import { textsIn, parseTime, titleFrom } from './line-values.ts'
import { workspaceAt } from './workspace.ts'

const AGENT = 'pi'

interface State {
  readonly session: string
  readonly workspace?: string
  readonly forkedFrom?: string
  readonly titled: boolean
  /** Lines without a message, since the last one: a compaction may name one of them for the message that follows. */
  readonly waiting: readonly string[]
  /** The message that follows such a line, by the line's id. */
  readonly following: Readonly<Record<string, string>>
}

/** The importer of pi's sessions. */
export const piImporter: Importer = {
  agent: AGENT,
  workspaces: 'folder',
  transcriptFolders: ({ home, variables }) => [
    `${stringOf(variables.PI_CODING_AGENT_DIR) ?? `${home}/.pi/agent`}/sessions`,
  ],
  recognise: (path) =>
    /[/\\]\.pi[/\\]agent[/\\](?:sessions[/\\])?.*\.jsonl(?:\.gz)?$/.test(path) ? 'transcript' : 'unknown',
  sniff: (line) =>
    isJsonObject(line) && line.type === 'session' && typeof line.id === 'string' && typeof line.cwd === 'string',
  format: () => 'lines',
  parser: (input) => createParser(input),
}

const createParser = ({ path, state }: ParserInput): FileParser => {
  const former = objectOf(state)
  let now: State = {
    session: stringOf(former.session) ?? sessionOfName(path),
    titled: former.titled === true,
    waiting: arrayOf(former.waiting).filter((item) => typeof item === 'string'),
    following: textsIn(former.following),
    ...optional('workspace', stringOf(former.workspace)),
    ...optional('forkedFrom', stringOf(former.forkedFrom)),
  }
  let facts = sessionFacts(now)

  const header = (line: JsonObject): ParsedLine => {
    const folder = stringOf(line.cwd)
    const parent = stringOf(line.parentSession) ?? stringOf(line.branchedFrom)
    now = {
      session: stringOf(line.id) ?? now.session,
      titled: now.titled,
      waiting: [],
      following: {},
      ...optional('workspace', folder === undefined ? undefined : workspaceAt(undefined, folder)),
      ...optional('forkedFrom', parent === undefined ? undefined : sessionOfName(parent)),
    }
    facts = sessionFacts(now)
    return { session: facts, entries: NO_ENTRIES }
  }

  const message = (line: JsonObject, context: LineContext): ParsedLine => {
    const body = objectOf(line.message)
    const kind = stringOf(body.role) ?? 'user'
    const at = parseTime(line.timestamp) ?? parseTime(body.timestamp)
    const id = stringOf(line.id) ?? context.identity()
    const content = contentOf(kind, body)
    const role = ROLES[kind] ?? 'user'
    const origin: 'summary' | 'meta' | undefined =
      kind === 'compactionSummary' || kind === 'branchSummary'
        ? 'summary'
        : PROGRAM_KINDS.has(kind) || (kind === 'user' && isProgramContent(content))
          ? 'meta'
          : undefined
    const request = role === 'assistant' ? requestOf(body, at, now.workspace) : undefined
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
    const words = kind === 'user' && origin === undefined ? userAuthoredText({ role, content }) : undefined
    const title = now.titled || words === undefined || /^\/\w+$/.test(words) ? undefined : titleFrom(words)
    // Greetings give way to the first request.
    if (words !== undefined && title !== undefined) now = { ...now, titled: isRequest(words) }
    const failure = stringOf(body.errorMessage)
    const entries: EntryWrite[] =
      failure === undefined
        ? [write]
        : [write, { entry: { kind: 'notice', at, level: 'error', text: failure }, externalId: `${id}.error` }]
    return { session: title === undefined ? facts : { ...facts, title }, entries }
  }

  /** Compactions name the line where what is kept begins; settings stand between messages, too. */
  const follow = (id: string, isMessage: boolean): void => {
    if (!isMessage) {
      now = { ...now, waiting: [...now.waiting, id].slice(-MAX_PENDING) }
      return
    }
    if (now.waiting.length === 0) return
    const addRow = now.waiting.map((line): [string, string] => [line, id])
    now = {
      ...now,
      waiting: [],
      following: Object.fromEntries([...Object.entries(now.following), ...addRow].slice(-MAX_PENDING)),
    }
  }

  const parse = (value: JsonValue, context: LineContext): ParsedLine => {
    if (!isJsonObject(value)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
    const at = parseTime(value.timestamp)
    const id = stringOf(value.id) ?? context.identity()
    if (value.type !== 'session') follow(id, MESSAGES.has(stringOf(value.type) ?? ''))
    switch (value.type) {
      case 'session':
        return header(value)
      case 'message':
        return message(value, context)
      case 'model_change':
        return {
          session: facts,
          entries: [
            {
              entry: {
                kind: 'model',
                at,
                model: stringOf(value.modelId) ?? 'unknown',
                ...optional('provider', stringOf(value.provider)),
              },
              externalId: id,
            },
          ],
        }
      case 'compaction': {
        const tokens = countOf(value.tokensBefore)
        const summary = stringOf(value.summary)
        const first = stringOf(value.firstKeptEntryId)
        const entries: EntryWrite[] = [
          {
            entry: {
              kind: 'compaction',
              at,
              trigger: 'auto',
              ...optional('tokensBefore', tokens > 0 ? tokens : undefined),
              ...optional('keptFrom', first === undefined ? undefined : (now.following[first] ?? first)),
            },
            externalId: `${id}.compaction`,
          },
        ]
        if (summary !== undefined) entries.push(textMessage(id, at, summary, 'summary'))
        return { session: facts, entries }
      }
      case 'branch_summary': {
        const summary = stringOf(value.summary)
        return {
          session: facts,
          entries: summary === undefined ? NO_ENTRIES : [textMessage(id, at, summary, 'summary')],
        }
      }
      case 'custom_message': {
        const content = contentOf('custom', value)
        return {
          session: facts,
          entries: [{ entry: { kind: 'message', id, at, role: 'user', content, origin: 'meta' }, externalId: id }],
        }
      }
      case 'session_info': {
        const title = titleFrom(stringOf(value.name) ?? '')
        if (title === undefined) break
        now = { ...now, titled: true }
        return {
          session: { ...facts, title },
          entries: [{ entry: { kind: 'title', at, title }, externalId: id }],
        }
      }
    }
    return { session: facts, entries: NO_ENTRIES }
  }

  return { parse, state: () => ({ ...now }) }
}

/** Lines that are messages of the log under their own ids. */
const MESSAGES: ReadonlySet<string> = new Set(['message', 'custom_message', 'branch_summary'])
/** So many lines are kept in mind; what is kept of a conversation begins near its end. */
const MAX_PENDING = 500

const ROLES: Readonly<Record<string, Role>> = {
  user: 'user',
  assistant: 'assistant',
  toolResult: 'tool',
  bashExecution: 'user',
  custom: 'user',
  hookMessage: 'user',
}

/** What the program wrote, or what a command that the user ran printed. */
const PROGRAM_KINDS: ReadonlySet<string> = new Set(['custom', 'hookMessage', 'bashExecution'])

const textMessage = (id: string, at: number | null, text: string, origin: 'summary' | 'meta'): EntryWrite => ({
  entry: { kind: 'message', id, at, role: 'user', content: [{ type: 'text', text }], origin },
  externalId: id,
})

const contentOf = (kind: string, body: JsonObject): readonly ContentBlock[] => {
  if (kind === 'bashExecution')
    return [{ type: 'text', text: `$ ${stringOf(body.command) ?? ''}\n${stringOf(body.output) ?? ''}` }]
  if (typeof body.summary === 'string') return [{ type: 'text', text: body.summary }]
  const parts =
    typeof body.content === 'string'
      ? [{ type: 'text', text: body.content }]
      : Array.isArray(body.content)
        ? (body.content as readonly JsonValue[])
        : []
  const blocks = parts.map(contentBlock)
  const callId = stringOf(body.toolCallId)
  if (kind !== 'toolResult' || callId === undefined) return blocks
  const content = blocks.flatMap((block) =>
    block.type === 'text' || block.type === 'image' || block.type === 'other' ? [block] : [],
  )
  return [
    body.isError === true
      ? { type: 'tool_result', callId, content, isError: true }
      : { type: 'tool_result', callId, content },
  ]
}

const contentBlock = (value: JsonValue): ContentBlock => {
  if (!isJsonObject(value)) return { type: 'other', value }
  if (value.type === 'text' && typeof value.text === 'string') return { type: 'text', text: value.text }
  if (value.type === 'thinking' && typeof value.thinking === 'string') {
    const signature = stringOf(value.thinkingSignature)
    return signature === undefined
      ? { type: 'thinking', text: value.thinking }
      : { type: 'thinking', text: value.thinking, signature }
  }
  if (value.type === 'toolCall' && typeof value.id === 'string' && typeof value.name === 'string') {
    return { type: 'tool_call', id: value.id, name: value.name, input: value.arguments ?? {} }
  }
  if (value.type === 'image' && typeof value.data === 'string')
    return { type: 'image', mediaType: stringOf(value.mimeType) ?? 'image/unknown', data: value.data }
  return { type: 'other', value }
}

/** The request of a reply; none when no token was counted (aborted before the provider answered). */
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
  const cost = objectOf(usage.cost).total
  const recorded = typeof cost === 'number' && Number.isFinite(cost) && cost > 0 ? nanoFromUsd(cost) : null
  const counted = `${tokens.inputTokens},${tokens.cacheReadTokens},${tokens.cacheWrite5mTokens},${tokens.outputTokens}`
  return {
    // A fork's file repeats the reply with its own time of making, whatever the line's ids: that is its key.
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

/** `<time>_<session>.jsonl` → the session. */
const sessionOfName = (path: string): string => {
  const name = baseName(path)
  return /_([0-9a-f-]{36})$/.exec(name)?.[1] ?? name
}

const sessionFacts = (state: State): SessionFacts => ({
  id: `${AGENT}:${state.session}`,
  agent: AGENT,
  externalId: state.session,
  ...optional('workspace', state.workspace),
  ...optional('forkedFrom', state.forkedFrom === undefined ? undefined : `${AGENT}:${state.forkedFrom}`),
})
