/** What a message of Cursor means. */
import { isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import { isProgramContent } from '../user-words/user-words.ts'
import { NO_ENTRIES, optional, type FileParser, type LineContext, type ParsedLine } from './importer.ts'
import { parseTime } from './line-values.ts'
import { todoWrites } from './todo-writes.ts'
import { repositoryByPath } from './workspace.ts'

/** The name under which Cursor's sessions are stored. */
export const CURSOR = 'cursor'

/** What Cursor numbers its messages by. */
const USER = 1
const ASSISTANT = 2

/** Parses the records of any session: each tells all that is needed to read it, so there is no state (null). */
export const cursorParser: FileParser = {
  /**
   * Parses a message that `records` made.
   * @returns with `skip` for what is no object
   */
  parse: (record, context) => {
    if (!isJsonObject(record)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
    const known = objectOf(record.session)
    const session = sessionFacts(known)
    return isJsonObject(record.message)
      ? messageLine(session, known, record.message, context)
      : { session, entries: NO_ENTRIES }
  },
  state: () => null,
}

/**
 * The facts of the session. A subagent's messages belong to the session that started it, of which only the id is told.
 */
const sessionFacts = ({ id, parent, workspace, branch, title }: JsonObject): SessionFacts => {
  const owner = stringOf(parent)
  const externalId = owner ?? stringOf(id) ?? 'unknown'
  const facts = { id: `${CURSOR}:${externalId}`, agent: CURSOR, externalId }
  if (owner !== undefined) return facts
  const folder = stringOf(workspace)
  return {
    ...facts,
    ...optional('workspace', folder === undefined ? undefined : repositoryByPath(folder)),
    ...optional('branch', stringOf(branch)),
    ...optional('title', stringOf(title)),
  }
}

/**
 * The entries of a message: the user's; or the reply, the result of its tool and its todo lists. Without content there
 * are none. A skip for a role that is not known. `known`: the session's record, with mode, model and parent.
 */
const messageLine = (
  session: SessionFacts,
  known: JsonObject,
  message: JsonObject,
  context: LineContext,
): ParsedLine => {
  const { type } = message
  if (type !== USER && type !== ASSISTANT)
    return { session, entries: NO_ENTRIES, skip: 'a message whose role is not known' }
  const id = stringOf(message.id) ?? context.identity()
  const at = parseTime(message.at)
  const common = {
    at,
    ...optional('subagent', stringOf(known.parent) === undefined ? undefined : stringOf(known.id)),
    ...optional('mode', modeOf(known.mode)),
  }
  const entries: EntryWrite[] = []
  const add = (
    entryId: string,
    role: 'user' | 'assistant' | 'tool',
    content: readonly ContentBlock[],
    more = {},
  ): void => {
    if (content.length === 0) return
    entries.push({ entry: { kind: 'message', id: entryId, role, content, ...common, ...more }, externalId: entryId })
  }
  if (type === USER) {
    const content = textBlocks(message.text)
    add(id, 'user', content, isProgramContent(content) ? { origin: 'meta' } : {})
    return { session, entries }
  }
  const content = replyContent(id, message)
  add(id, 'assistant', content, optional('model', modelOf(known.model)))
  add(`${id}.result`, 'tool', resultContent(id, objectOf(message.tool)))
  return { session, entries: [...entries, ...todoWrites(id, at, content)] }
}

/** A reply's reasoning, text and tool call, as far as it has them. Empty where it has none of them. */
const replyContent = (id: string, { thinking, text, tool }: JsonObject): readonly ContentBlock[] => {
  const { name, input } = objectOf(tool)
  const reasoning = stringOf(thinking)
  return [
    ...(reasoning === undefined ? [] : [{ type: 'thinking', text: reasoning } as const]),
    ...textBlocks(text),
    ...(stringOf(name) === undefined
      ? []
      : [{ type: 'tool_call', id: callId(id, tool), name: stringOf(name) ?? '', input: input ?? {} } as const]),
  ]
}

/** The result of a reply's tool; none where there is none yet. */
const resultContent = (id: string, tool: JsonObject): readonly ContentBlock[] => {
  const result = stringOf(tool.result)
  if (result === undefined || stringOf(tool.name) === undefined) return []
  const isError = tool.status === 'error' ? { isError: true } : {}
  return [{ type: 'tool_result', callId: callId(id, tool), content: [{ type: 'text', text: result }], ...isError }]
}

/** Early versions gave calls no ids. */
const callId = (id: string, tool: JsonValue | undefined): string => stringOf(objectOf(tool).id) ?? `call-${id}`

/** A text as a block; none for what is no text or empty. */
const textBlocks = (value: JsonValue | undefined): readonly ContentBlock[] => {
  const text = stringOf(value)
  return text === undefined ? [] : [{ type: 'text', text }]
}

const modeOf = (mode: JsonValue | undefined): string | undefined => (mode === 'agent' ? 'act' : stringOf(mode))

/** `default` leaves the choice to Cursor, which does not tell it. */
const modelOf = (model: JsonValue | undefined): string | undefined =>
  model === 'default' ? undefined : stringOf(model)
