/** What a message and a request of CLIO mean. */
import { arrayOf, countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, Role } from '../messages.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import { isProgramContent } from '../user-words/user-words.ts'
import { NO_ENTRIES, optional, type FileParser, type LineContext, type ParsedLine } from './importer.ts'
import { oddUsage, parseTime } from './line-values.ts'
import { todoWrites } from './todo-writes.ts'
import { repositoryByPath } from './workspace.ts'

/** The name under which CLIO's sessions are stored. */
export const CLIO = 'clio'

/** Where CLIO says that a message is of the main conversation. */
const PRIMARY = 'primary'
const ROLES: ReadonlySet<JsonValue | undefined> = new Set(['user', 'assistant', 'system', 'tool'])

/** Parses the records of any session: each tells all that is needed to read it, so there is no state (null). */
export const clioParser: FileParser = {
  /**
   * Parses a message or request that `records` made.
   * @returns with `skip` for what is no object
   */
  parse: (record, context) => {
    if (!isJsonObject(record)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
    const known = objectOf(record.session)
    const session = sessionFacts(known)
    if (isJsonObject(record.message)) return messageLine(session, record.message, context)
    if (isJsonObject(record.request)) return requestLine(session, record.request, countOf(record.number), known)
    return { session, entries: NO_ENTRIES }
  },
  state: () => null,
}

/** The session's facts; a workspace inside a repository is that repository. */
const sessionFacts = ({ id, workspace, title }: JsonObject): SessionFacts => {
  const externalId = stringOf(id) ?? 'unknown'
  const folder = stringOf(workspace)
  return {
    id: `${CLIO}:${externalId}`,
    agent: CLIO,
    externalId,
    ...optional('workspace', folder === undefined ? undefined : repositoryByPath(folder)),
    ...optional('title', stringOf(title)),
  }
}

/**
 * A message as an entry; a skip for a role that is not known, no entry for an empty one. A message of another source
 * than the main one is a subagent's; in the main conversation a reply's todo lists follow it.
 */
const messageLine = (session: SessionFacts, given: JsonObject, context: LineContext): ParsedLine => {
  // An early version wrote the whole message in the place of its role.
  const message = isJsonObject(given.role) ? { ...given, ...given.role } : given
  const { role, metadata } = message
  if (!isRole(role)) return { session, entries: NO_ENTRIES, skip: 'a message whose role is not known' }
  const content = contentOf(role, message)
  if (content.length === 0) return { session, entries: NO_ENTRIES }
  const id = stringOf(message.id) ?? context.identity()
  const at = parseTime(objectOf(metadata).unix_timestamp) ?? parseTime(message.timestamp)
  const source = stringOf(objectOf(metadata).source)
  const subagent = source === PRIMARY ? undefined : source
  const isProgram = role === 'system' || (role === 'user' && isProgramContent(content))
  const write: EntryWrite = {
    entry: {
      kind: 'message',
      id,
      at,
      role,
      content,
      ...optional('subagent', subagent),
      ...optional('origin', isProgram ? ('meta' as const) : undefined),
    },
    externalId: id,
  }
  return {
    session,
    entries: [write, ...(role === 'assistant' && subagent === undefined ? todoWrites(id, at, content) : [])],
  }
}

const isRole = (role: JsonValue | undefined): role is Role => ROLES.has(role)

/** The blocks of a message: of a tool its result, of which only the texts are kept, else reasoning, text and calls. */
const contentOf = (role: Role, message: JsonObject): readonly ContentBlock[] => {
  const texts = textBlocks(message.content)
  const callId = stringOf(message.tool_call_id)
  if (role === 'tool')
    return callId === undefined
      ? texts
      : [{ type: 'tool_result', callId, content: texts.filter((block) => block.type === 'text') }]
  return [...thinkingBlocks(message), ...texts, ...arrayOf(message.tool_calls).map(callBlock)]
}

/** The blocks of a content; empty for ''. Parts without text are kept as they are. */
const textBlocks = (content: JsonValue | undefined): readonly ContentBlock[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  // Input of the terminal that came here by mistake.
  if (isJsonObject(content)) return [{ type: 'other', value: content }]
  return arrayOf(content).map((part): ContentBlock => {
    const { text } = objectOf(part)
    return typeof text === 'string' ? { type: 'text', text } : { type: 'other', value: part }
  })
}

/** The reasoning, whole or in parts; empty if there is none. Details count only where there is no whole. */
const thinkingBlocks = ({
  reasoning_content: whole,
  reasoning_details: details,
}: JsonObject): readonly ContentBlock[] => {
  const text = stringOf(whole)
  if (text !== undefined) return [{ type: 'thinking', text }]
  return arrayOf(details).flatMap((detail): readonly ContentBlock[] => {
    const { text: full, summary } = objectOf(detail)
    const part = stringOf(full) ?? stringOf(summary)
    return part === undefined ? [] : [{ type: 'thinking', text: part }]
  })
}

/** A call as a block; one without an id is kept as it is. Without a name it is called `unknown`. */
const callBlock = (call: JsonValue): ContentBlock => {
  const { id, function: called } = objectOf(call)
  const { name, arguments: input } = objectOf(called)
  const callId = stringOf(id)
  return callId === undefined
    ? { type: 'other', value: call }
    : { type: 'tool_call', id: callId, name: stringOf(name) ?? 'unknown', input: input ?? {} }
}

/**
 * A request as an entry of kind `model`; none for one without tokens. All tokens count as uncached, and it is unpriced.
 * `skip` says that a count is odd. `known`: the session's record, whose model stands in for a missing one.
 */
const requestLine = (session: SessionFacts, request: JsonObject, number: number, known: JsonObject): ParsedLine => {
  const { model: named, prompt_tokens: input, completion_tokens: output, timestamp } = request
  const skip = oddUsage([input, output])
  const [inputTokens, outputTokens] = [countOf(input), countOf(output)]
  if (inputTokens + outputTokens === 0) return { session, entries: NO_ENTRIES, ...optional('skip', skip) }
  const model = modelOf(named) ?? modelOf(known.model) ?? 'unknown'
  const at = parseTime(timestamp)
  return {
    session,
    ...optional('skip', skip),
    entries: [
      {
        entry: { kind: 'model', at, model },
        externalId: `request.${number}`,
        request: {
          callId: `${session.externalId}:${number}`,
          at,
          model,
          inputTokens,
          cacheReadTokens: 0,
          cacheWrite5mTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens,
          costNano: null,
          costState: 'unpriced',
        },
      },
    ],
  }
}

/** A model's name without its provider's (`provider/model`); undefined for none, an empty one and `unknown`. */
const modelOf = (name: JsonValue | undefined): string | undefined => {
  const model = stringOf(name)?.split('/').at(-1)
  return model === undefined || model === '' || model === 'unknown' ? undefined : model
}
