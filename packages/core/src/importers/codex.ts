/**
 * Codex: `sessions/YYYY/MM/DD/rollout-*.jsonl`, lines `{timestamp, type, payload}`. Usage stands in
 * `token_count` events after each response. A subagent's rollout belongs to its parent's session; a
 * fork is a session of its own, whose copied requests keep the keys they have in the parent's file.
 */
import { arrayOf, countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { visibleCharacters } from '../messages.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import {
  counterKey,
  isInherited,
  parseLineage,
  lineageState,
  extendLineage,
  requestOwner,
  type Lineage,
} from './codex-lineage.ts'
import { itemMessage, type ItemMessage } from './codex-items.ts'
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
import { isRequest, userWords } from '../user-words/user-words.ts'
import { textsIn, parseTime, titleFrom } from './line-values.ts'
import { todoWrites } from './todo-writes.ts'
import { workspaceAt } from './workspace.ts'

const AGENT = 'codex'

/** The key under which cursors in existing stores keep the ids of messages by their hash. */
const MESSAGE_IDS = 'said'

interface State {
  readonly lineage: Lineage
  readonly workspace?: string
  readonly folder?: string
  readonly branch?: string
  readonly model?: string
  readonly provider?: string
  readonly mode?: string
  readonly turn?: string
  readonly titled: boolean
  /** Counters of the last `token_count`, to tell one that only repeats them. */
  readonly lastTotal?: string
  /** The last input plus output counted, i.e. the size of the context. */
  readonly contextTokens: number
  /** Characters of output seen since the last `token_count`. */
  readonly visible: number
  /** Ids of messages that were not the model's, by their hash: a compaction repeats those that it keeps. */
  readonly [MESSAGE_IDS]: Readonly<Record<string, string>>
}

const ROLLOUT = /(?:^|[/\\])rollout-[^/\\]*\.jsonl(?:\.gz)?$/
const SIDECARS =
  /(?:^|[/\\])(?:history\.jsonl|session_index\.jsonl|[^/\\]+\.sqlite(?:-wal|-shm)?|auth\.json|config\.toml|models_cache\.json|version\.json)$/
const LINE_TYPES = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted'])

/** The importer of Codex's rollouts. */
export const codexImporter: Importer = {
  agent: AGENT,
  workspaces: 'folder',
  transcriptFolders: ({ home, variables }) => {
    const root = stringOf(variables.CODEX_HOME) ?? `${home}/.codex`
    return [`${root}/sessions`, `${root}/archived_sessions`]
  },
  recognise: (path) => (ROLLOUT.test(path) ? 'transcript' : SIDECARS.test(path) ? 'sidecar' : 'unknown'),
  sniff: (line) =>
    isJsonObject(line) && typeof line.type === 'string' && LINE_TYPES.has(line.type) && isJsonObject(line.payload),
  format: () => 'lines',
  parser: (input) => createParser(input),
}

const createParser = ({ path, hasher, state }: ParserInput): FileParser => {
  const fallback =
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(baseName(path))?.[0] ?? baseName(path)
  let now = parseState(state)
  let facts = sessionFacts(now, fallback)

  const update = (changes: Partial<State>): void => {
    now = { ...now, ...changes }
  }
  const subagent = (): string | undefined =>
    now.lineage.parentThread === undefined ? undefined : (now.lineage.chain[0]?.id ?? fallback)

  const moveTo = (folder: string | undefined): void => {
    if (folder === undefined || folder === now.folder) return
    update({ folder, workspace: now.workspace ?? workspaceAt(undefined, folder) })
    facts = sessionFacts(now, fallback)
  }

  const meta = (payload: JsonObject, at: number | null): void => {
    const first = now.lineage.chain.length === 0
    update({ lineage: extendLineage(now.lineage, payload, at) })
    if (first) {
      update({
        ...optional('branch', stringOf(objectOf(payload.git).branch)),
        ...optional('provider', stringOf(payload.model_provider)),
      })
      moveTo(stringOf(payload.cwd))
    }
    facts = sessionFacts(now, fallback)
  }

  const turnContext = (payload: JsonObject): void => {
    const mode = stringOf(objectOf(payload.collaboration_mode).mode)
    update({
      ...optional('turn', stringOf(payload.turn_id)),
      ...optional('model', stringOf(payload.model)),
      ...optional('mode', mode === undefined ? undefined : mode === 'plan' ? 'plan' : 'act'),
    })
    // A fork's copied turns tell where the parent worked.
    if (!isInherited(now.lineage, now.turn, null)) moveTo(stringOf(payload.cwd))
  }

  const item = (payload: JsonObject, at: number | null, context: LineContext): readonly EntryWrite[] => {
    const inherited = isInherited(now.lineage, now.turn, at)
    // What a subagent was handed of its parent's history stands in the parent's session already.
    if (inherited && now.lineage.parentThread !== undefined) return NO_ENTRIES
    const message = itemMessage(payload)
    if (message === undefined) return NO_ENTRIES
    const assistant = message.role === 'assistant'
    if (assistant && !inherited) update({ visible: now.visible + visibleCharacters(message.content) })
    const id = context.identity()
    if (!assistant && message.role !== 'tool' && subagent() === undefined) remember(message, id)
    return [
      {
        entry: {
          kind: 'message',
          id,
          at,
          role: message.role,
          content: message.content,
          ...optional('subagent', subagent()),
          ...optional('model', assistant ? now.model : undefined),
          ...optional('mode', now.mode),
          ...optional('origin', message.origin),
        },
        externalId: id,
      },
      ...(assistant && subagent() === undefined ? todoWrites(id, at, message.content) : []),
    ]
  }

  const hashOf = ({ role, content }: Pick<ItemMessage, 'role' | 'content'>): string =>
    hasher.sha256(JSON.stringify([role, content])).slice(0, 16)

  const remember = (message: ItemMessage, id: string): void => {
    const hash = hashOf(message)
    const others = Object.entries(now[MESSAGE_IDS]).filter(([known]) => known !== hash)
    update({ [MESSAGE_IDS]: Object.fromEntries([...others, [hash, id] as const].slice(-MAX_REMEMBERED_MESSAGES)) })
  }

  const tokenCount = (payload: JsonObject, at: number | null, context: LineContext): readonly EntryWrite[] => {
    if (!isJsonObject(payload.info)) return NO_ENTRIES
    const last = objectOf(payload.info.last_token_usage)
    const total = counterKey(payload.info.total_token_usage)
    const seen = isJsonObject(payload.info.total_token_usage) && now.lastTotal === total
    const inherited = isInherited(now.lineage, now.turn, at)
    const visible = inherited ? 0 : now.visible
    update({
      lastTotal: total,
      visible: seen ? now.visible : 0,
      contextTokens: countOf(last.input_tokens) + countOf(last.output_tokens),
    })
    if (seen || (countOf(last.input_tokens) === 0 && countOf(last.output_tokens) === 0)) return NO_ENTRIES
    const model = now.model ?? 'unknown'
    const owner = requestOwner(now.lineage, now.turn, inherited) || fallback
    const cached = Math.min(countOf(last.cached_input_tokens), countOf(last.input_tokens))
    const written = Math.min(countOf(last.cache_write_input_tokens), countOf(last.input_tokens) - cached)
    const reasoning = countOf(last.reasoning_output_tokens)
    return [
      {
        entry: {
          kind: 'model',
          at,
          model,
          ...optional('provider', now.provider),
          ...optional('mode', now.mode),
        },
        externalId: context.identity(),
        visibleCharacters: visible,
        request: {
          callId: hasher.sha256(`${owner}\n${total}\n${counterKey(payload.info.last_token_usage)}`).slice(0, 32),
          at,
          model,
          ...optional('provider', now.provider),
          inputTokens: countOf(last.input_tokens) - cached - written,
          cacheReadTokens: cached,
          cacheWrite5mTokens: written,
          cacheWrite1hTokens: 0,
          outputTokens: countOf(last.output_tokens),
          ...optional('reasoningTokens', reasoning > 0 ? reasoning : undefined),
          ...optional('mode', now.mode),
          ...optional('subagent', subagent()),
          ...optional('workspace', requestWorkspace()),
          ...optional('branch', now.branch),
          costNano: null,
          costState: 'unpriced',
        },
      },
    ]
  }

  const requestWorkspace = (): string | undefined =>
    now.folder === undefined
      ? now.workspace
      : workspaceAt(now.workspace === undefined ? undefined : { first: now.workspace }, now.folder)

  const event = (payload: JsonObject, at: number | null, context: LineContext): ParsedLine => {
    switch (payload.type) {
      case 'token_count':
        return { session: facts, entries: tokenCount(payload, at, context) }
      case 'task_started':
        update({ ...optional('turn', stringOf(payload.turn_id)) })
        break
      case 'user_message': {
        if (now.titled || now.lineage.parentThread !== undefined) break
        const words = userWords([stringOf(payload.message) ?? ''])
        const title = words === undefined ? undefined : titleFrom(words)
        if (words === undefined || title === undefined) break
        // Greetings give way to the first request.
        update({ titled: isRequest(words) })
        return { session: { ...facts, title }, entries: NO_ENTRIES }
      }
      case 'error':
      case 'stream_error':
      case 'warning': {
        const text = stringOf(payload.message)
        if (text === undefined || (isInherited(now.lineage, now.turn, at) && now.lineage.parentThread !== undefined))
          break
        const level = payload.type === 'warning' ? 'warning' : 'error'
        return {
          session: facts,
          entries: [{ entry: { kind: 'notice', at, level, text }, externalId: context.identity() }],
        }
      }
    }
    return { session: facts, entries: NO_ENTRIES }
  }

  const compacted = (payload: JsonObject, at: number | null, context: LineContext): readonly EntryWrite[] => {
    if (isInherited(now.lineage, now.turn, at) && now.lineage.parentThread !== undefined) return NO_ENTRIES
    const id = context.identity()
    // The new history as a whole; older versions only tell the summary.
    const history = arrayOf(payload.replacement_history).flatMap((value) => itemMessage(objectOf(value)) ?? [])
    const known = history.map((message) => now[MESSAGE_IDS][hashOf(message)])
    const kept = known.filter((message) => message !== undefined)
    const summary = stringOf(payload.message) ?? ''
    const made = history.filter((_, index) => known[index] === undefined)
    const summaries: readonly Pick<ItemMessage, 'role' | 'content'>[] =
      history.length > 0 ? made : summary === '' ? [] : [{ role: 'user', content: [{ type: 'text', text: summary }] }]
    const compaction: EntryWrite = {
      entry: {
        kind: 'compaction',
        at,
        trigger: 'auto',
        ...optional('tokensBefore', now.contextTokens > 0 ? now.contextTokens : undefined),
        ...optional('kept', kept.length > 0 ? kept : undefined),
      },
      externalId: id,
    }
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
          ...optional('subagent', subagent()),
        },
        externalId: summaryId,
      }
    })
    // The log's compactions are of the main conversation.
    return subagent() === undefined ? [compaction, ...written] : written
  }

  const parse = (value: JsonValue, context: LineContext): ParsedLine => {
    if (!isJsonObject(value)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
    // The oldest rollouts have the items bare, without an envelope.
    const payload = isJsonObject(value.payload) ? value.payload : value
    const at = parseTime(value.timestamp)
    switch (value.type) {
      case 'session_meta':
        meta(payload, at)
        return { session: facts, entries: NO_ENTRIES }
      case 'turn_context':
        turnContext(payload)
        return { session: facts, entries: NO_ENTRIES }
      case 'response_item':
        return { session: facts, entries: item(payload, at, context) }
      case 'event_msg':
        return event(payload, at, context)
      case 'compacted':
        return { session: facts, entries: compacted(payload, at, context) }
    }
    return { session: facts, entries: NO_ENTRIES }
  }

  return { parse, state: () => ({ ...now, lineage: lineageState(now.lineage) }) }
}

const sessionFacts = (state: State, fallback: string): SessionFacts => {
  const { lineage } = state
  const own = lineage.chain[0]?.id ?? fallback
  const externalId = lineage.parentThread ?? own
  // A subagent's folder and branch are not its parent session's.
  if (lineage.parentThread !== undefined) return { id: `${AGENT}:${externalId}`, agent: AGENT, externalId }
  return {
    id: `${AGENT}:${externalId}`,
    agent: AGENT,
    externalId,
    ...optional('workspace', state.workspace),
    ...optional('branch', state.branch),
    ...optional('forkedFrom', lineage.forkedFrom === undefined ? undefined : `${AGENT}:${lineage.forkedFrom}`),
  }
}

/** Messages that are kept in mind; a compaction keeps the last ones. */
const MAX_REMEMBERED_MESSAGES = 500

const parseState = (value: JsonValue | undefined): State => {
  const object = objectOf(value)
  return {
    lineage: parseLineage(object.lineage),
    titled: object.titled === true,
    contextTokens: countOf(object.contextTokens),
    visible: countOf(object.visible),
    [MESSAGE_IDS]: textsIn(object[MESSAGE_IDS]),
    ...optional('workspace', stringOf(object.workspace)),
    ...optional('folder', stringOf(object.folder)),
    ...optional('branch', stringOf(object.branch)),
    ...optional('model', stringOf(object.model)),
    ...optional('provider', stringOf(object.provider)),
    ...optional('mode', stringOf(object.mode)),
    ...optional('turn', stringOf(object.turn)),
    ...optional('lastTotal', stringOf(object.lastTotal)),
  }
}
