/**
 * Claude Code: `projects/<folder>/<session>.jsonl`, a line a content block or event. Subagents write
 * files of their own (`subagents/agent-*.jsonl`, older: beside the session) and are repeated in the
 * parent's `progress` lines; all of it belongs to the parent's session.
 */
import { countOf, isCountOrAbsent, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { visibleCharacters } from '../messages.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import { contentBlocks, onlyToolResults } from './anthropic-content.ts'
import {
  NO_ENTRIES,
  baseName,
  optional,
  pathParts,
  type FileParser,
  type Importer,
  type LineContext,
  type ParsedLine,
  type ParserInput,
} from './importer.ts'
import { isProgramContent, isRequest, userAuthoredText } from '../user-words/user-words.ts'
import { parseTime, titleFrom } from './line-values.ts'
import { createClaudeTasks } from './claude-tasks.ts'
import { todoWrites } from './todo-writes.ts'
import { workspaceAt } from './workspace.ts'

const AGENT = 'claude-code'

/** How sure a title is: a person's own beats the model's, that beats a summary, that the first request; greetings have 0. */
const TITLE_RANKS = { 'first-text': 1, summary: 2, 'ai-title': 3, 'custom-title': 4 } as const

interface State {
  readonly session: string
  /** Whether a line named the session or held a message of it; before, there may be none (files of mere summaries). */
  readonly confirmed: boolean
  /** A title that stood before the session's first line. */
  readonly pendingTitle?: string
  readonly workspace?: string
  readonly branch?: string
  readonly mode?: string
  readonly forkedFrom?: string
  readonly titleRank: number
}

const SIDECARS =
  /(?:^|[/\\])(?:sessions-index\.json|[^/\\]+\.meta\.json|tool-results[/\\][^/\\]+|memory[/\\][^/\\]+\.md|MEMORY\.md|CLAUDE\.md|settings(?:\.local)?\.json)$/
const SESSION_FILE =
  /(?:^|[/\\])(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|agent-[^/\\]+)\.jsonl(?:\.gz)?$/
/** Cursor names files alike, in a folder of its own. */
const OF_CURSOR = /(?:^|[/\\])\.cursor[/\\]/
const IN_PROJECT = /(?:^|[/\\])projects[/\\][^/\\]+[/\\]/

/** The importer of Claude Code's transcripts. */
export const claudeCodeImporter: Importer = {
  agent: AGENT,
  workspaces: 'folder',
  transcriptFolders: ({ home, variables }) => {
    const configured = stringOf(variables.CLAUDE_CONFIG_DIR)
    // Several folders may be given, separated by commas.
    const roots =
      configured === undefined
        ? [`${home}/.claude`, `${home}/.config/claude`]
        : configured
            .split(',')
            .map((root) => root.trim())
            .filter((root) => root !== '')
    return roots.map((root) => `${root}/projects`)
  },
  recognise: (path) => {
    if (OF_CURSOR.test(path)) return 'unknown'
    if (SESSION_FILE.test(path) && IN_PROJECT.test(path)) return 'transcript'
    return SIDECARS.test(path) ? 'sidecar' : 'unknown'
  },
  sniff: (line) =>
    isJsonObject(line) &&
    ((typeof line.sessionId === 'string' &&
      typeof line.type === 'string' &&
      ('uuid' in line || 'operation' in line || 'prNumber' in line || 'permissionMode' in line)) ||
      (line.type === 'summary' && typeof line.leafUuid === 'string') ||
      (line.type === 'file-history-snapshot' && typeof line.messageId === 'string')),
  format: () => 'lines',
  parser: (input) => createParser(input),
}

const createParser = ({ path, state }: ParserInput): FileParser => {
  const former = objectOf(state)
  const file = fileIdentity(path)
  let now: State = {
    session: stringOf(former.session) ?? file.session,
    confirmed: former.confirmed === true,
    ...optional('pendingTitle', stringOf(former.pendingTitle)),
    titleRank: countOf(former.titleRank),
    ...optional('workspace', stringOf(former.workspace)),
    ...optional('branch', stringOf(former.branch)),
    ...optional('mode', stringOf(former.mode)),
    ...optional('forkedFrom', stringOf(former.forkedFrom)),
  }
  let facts = sessionFacts(now)
  let tasks = createClaudeTasks(former.tasks)

  /** Takes what a line says of its session over into the state. */
  const follow = (line: JsonObject): void => {
    const session = stringOf(line.sessionId)
    if (session !== undefined && session !== now.session) {
      const waiting = now.confirmed ? undefined : now.pendingTitle
      now = {
        session,
        confirmed: true,
        titleRank: waiting === undefined ? 0 : now.titleRank,
        ...optional('mode', now.mode),
        ...optional('pendingTitle', waiting),
      }
      facts = sessionFacts(now)
      tasks = createClaudeTasks(undefined)
    } else if (!now.confirmed && (session !== undefined || isJsonObject(line.message)))
      now = { ...now, confirmed: true }
    const folder = stringOf(line.cwd)
    if (folder !== undefined && now.workspace === undefined) {
      now = { ...now, workspace: workspaceAt(undefined, folder) }
      facts = sessionFacts(now)
    }
    const branch = branchOf(line)
    if (branch !== undefined && branch !== now.branch) {
      now = { ...now, branch }
      facts = sessionFacts(now)
    }
    const origin = stringOf(objectOf(line.forkedFrom).sessionId)
    if (origin !== undefined && origin !== now.session && origin !== now.forkedFrom) {
      now = { ...now, forkedFrom: origin }
      facts = sessionFacts(now)
    }
    const permissions = stringOf(line.permissionMode)
    if (permissions !== undefined) {
      const mode = permissions === 'plan' ? 'plan' : 'act'
      if (mode !== now.mode) now = { ...now, mode }
    }
  }

  const titled = (title: string, rank: number): SessionFacts => {
    now = { ...now, titleRank: rank }
    return { ...facts, title }
  }

  const subagentOf = (line: JsonObject): string | undefined =>
    stringOf(line.agentId) ?? file.subagent ?? (line.isSidechain === true ? 'sidechain' : undefined)

  const message = (
    line: JsonObject,
    position: JsonObject,
    subagent: string | undefined,
    context: LineContext,
  ): ParsedLine => {
    const body = objectOf(line.message)
    const content = contentBlocks(body.content)
    const assistant = body.role === 'assistant' || line.type === 'assistant'
    const id = stringOf(line.uuid) ?? context.identity()
    const at = parseTime(line.timestamp ?? position.timestamp)
    const model = stringOf(body.model)
    const synthetic = model === '<synthetic>'
    const origin: 'summary' | 'meta' | undefined =
      line.isCompactSummary === true
        ? 'summary'
        : isMarkedProgram(line) || synthetic || (!assistant && isProgramContent(content))
          ? 'meta'
          : undefined
    const words = assistant || origin !== undefined ? undefined : userAuthoredText({ role: 'user', content })
    const folder = stringOf(position.cwd)
    const request =
      assistant && !synthetic && isJsonObject(body.usage)
        ? requestOf(line, body, body.usage, at, id, subagent, folder)
        : undefined
    const write: EntryWrite = {
      entry: {
        kind: 'message',
        id,
        at,
        role: assistant ? 'assistant' : onlyToolResults(content) ? 'tool' : body.role === 'system' ? 'system' : 'user',
        content,
        ...optional('subagent', subagent),
        ...optional('responseId', assistant ? stringOf(body.id) : undefined),
        ...optional('model', synthetic ? undefined : model),
        ...optional('mode', now.mode),
        ...optional('origin', origin),
      },
      externalId: id,
      ...optional('request', request),
      ...(request === undefined ? {} : { visibleCharacters: visibleCharacters(content) }),
    }
    const title = now.titleRank === 0 && subagent === undefined && words !== undefined ? titleFrom(words) : undefined
    return {
      session:
        title === undefined
          ? facts
          : titled(title, words !== undefined && isRequest(words) ? TITLE_RANKS['first-text'] : 0),
      entries: [
        write,
        ...(subagent === undefined
          ? [...(assistant ? todoWrites(id, at, content) : []), ...tasks.take(id, at, content, line.toolUseResult)]
          : []),
      ],
      ...(request !== undefined && isJsonObject(body.usage) && hasOddCount(body.usage) ? { skip: ODD_COUNT } : {}),
    }
  }

  const requestOf = (
    line: JsonObject,
    body: JsonObject,
    usage: JsonObject,
    at: number | null,
    id: string,
    subagent: string | undefined,
    folder: string | undefined,
  ): RequestFact => {
    const writes = isJsonObject(usage.cache_creation) ? usage.cache_creation : undefined
    const details = objectOf(usage.output_tokens_details)
    const reasoning = countOf(details.thinking_tokens)
    const workspace =
      folder === undefined
        ? now.workspace
        : workspaceAt(now.workspace === undefined ? undefined : { first: now.workspace }, folder)
    return {
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
      ...optional('mode', now.mode),
      ...optional('subagent', subagent),
      ...optional('workspace', workspace),
      ...optional('branch', now.branch),
      costNano: null,
      costState: 'unpriced',
    }
  }

  const parse = (value: JsonValue, context: LineContext): ParsedLine => {
    if (!isJsonObject(value)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
    follow(value)
    const parsed = parseKind(value, context)
    if (now.pendingTitle === undefined || !now.confirmed || parsed.session === undefined) return parsed
    const { pendingTitle, ...rest } = now
    now = rest
    return { ...parsed, session: { ...parsed.session, title: pendingTitle } }
  }

  const parseKind = (line: JsonObject, context: LineContext): ParsedLine => {
    switch (line.type) {
      case 'user':
      case 'assistant':
        return message(line, line, subagentOf(line), context)
      case 'progress': {
        const data = objectOf(line.data)
        if (data.type !== 'agent_progress' || !isJsonObject(data.message)) break
        return message(
          data.message,
          line,
          stringOf(data.agentId) ?? stringOf(line.agentId) ?? stringOf(line.parentToolUseID) ?? 'sidechain',
          context,
        )
      }
      case 'system':
        return { session: facts, entries: [systemEntry(line, subagentOf(line), context)] }
      case 'summary':
      case 'ai-title':
      case 'custom-title': {
        const title = titleFrom(
          stringOf(line.summary) ?? stringOf(line.aiTitle) ?? stringOf(line.customTitle) ?? stringOf(line.title) ?? '',
        )
        const rank = TITLE_RANKS[line.type]
        if (title === undefined || rank < now.titleRank) break
        if (!now.confirmed) {
          now = { ...now, titleRank: rank, pendingTitle: title }
          return { entries: NO_ENTRIES }
        }
        const externalId = context.identity()
        return {
          session: titled(title, rank),
          entries: [{ entry: { kind: 'title', at: parseTime(line.timestamp), title }, externalId }],
        }
      }
    }
    return now.confirmed ? { session: facts, entries: NO_ENTRIES } : { entries: NO_ENTRIES }
  }

  return { parse, state: () => ({ ...now, tasks: tasks.state() }) }
}

/** A subagent's compaction is a notice: the log's compactions are of the main conversation. */
const systemEntry = (line: JsonObject, subagent: string | undefined, context: LineContext): EntryWrite => {
  const at = parseTime(line.timestamp)
  const externalId = stringOf(line.uuid) ?? context.identity()
  const subtype = stringOf(line.subtype) ?? 'system'
  if (subagent === undefined && (subtype === 'compact_boundary' || subtype === 'microcompact_boundary')) {
    const partial = subtype === 'microcompact_boundary'
    const details = objectOf(partial ? line.microcompactMetadata : line.compactMetadata)
    const tokens = countOf(details.preTokens)
    return {
      entry: {
        kind: 'compaction',
        at,
        trigger: stringOf(details.trigger) ?? 'unknown',
        ...optional('tokensBefore', tokens > 0 ? tokens : undefined),
        ...(partial ? { partial: true, ...optional('cleared', textsOf(details.compactedToolIds)) } : {}),
      },
      externalId,
    }
  }
  const error = objectOf(line.error)
  const cause = objectOf(line.cause)
  const detail =
    stringOf(line.content) ??
    stringOf(error.message) ??
    stringOf(objectOf(objectOf(error.error).error).message) ??
    stringOf(cause.code) ??
    stringOf(error.code)
  const level =
    line.level === 'error' || subtype === 'api_error' ? 'error' : line.level === 'warning' ? 'warning' : 'info'
  const name = subtype.replaceAll('_', ' ')
  return {
    entry: {
      kind: 'notice',
      at,
      level,
      text: detail === undefined ? name : level === 'error' ? `${name}: ${detail}` : detail,
    },
    externalId,
  }
}

const textsOf = (value: JsonValue | undefined): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item: JsonValue) => typeof item === 'string') : undefined

const ODD_COUNT = 'a token count that is no whole number; it counts as 0, or is rounded down'
const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

const hasOddCount = (usage: JsonObject): boolean => {
  const writes = objectOf(usage.cache_creation)
  return ![
    ...COUNTS.map((name) => usage[name]),
    writes.ephemeral_5m_input_tokens,
    writes.ephemeral_1h_input_tokens,
  ].every(isCountOrAbsent)
}

/** Whether the line itself says that the program wrote it; newer versions name who did. */
const isMarkedProgram = (line: JsonObject): boolean => {
  const kind = stringOf(objectOf(line.origin).kind)
  return (
    line.isMeta === true ||
    line.isSynthetic === true ||
    line.isVisibleInTranscriptOnly === true ||
    (kind !== undefined && kind !== 'human' && kind !== 'user')
  )
}

const branchOf = (line: JsonObject): string | undefined => {
  const branch = stringOf(line.gitBranch)
  return branch === 'HEAD' ? undefined : branch
}

const sessionFacts = (state: State): SessionFacts => ({
  id: `${AGENT}:${state.session}`,
  agent: AGENT,
  externalId: state.session,
  ...optional('workspace', state.workspace),
  ...optional('branch', state.branch),
  ...optional('forkedFrom', state.forkedFrom === undefined ? undefined : `${AGENT}:${state.forkedFrom}`),
})

/** What the file's name says: its session (a subagent's is the parent's folder), and the subagent. */
const fileIdentity = (path: string): { readonly session: string; readonly subagent?: string } => {
  const parts = pathParts(path)
  const name = baseName(path)
  if (!name.startsWith('agent-')) return { session: name }
  const parent = parts.at(-2) === 'subagents' ? parts.at(-3) : undefined
  return { session: parent ?? name, subagent: name.slice('agent-'.length) }
}
