/** Parses the sections of a chat history of Aider into sessions, one for each time that it was started. */
import { isJsonObject, stringOf } from '../json.ts'
import { visibleCharacters } from '../messages.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import type { MessageEntry } from '../session-log.ts'
import { isAnswer } from './aider-sections.ts'
import { parseReport, type UsageReport } from './aider-usage.ts'
import { NO_ENTRIES, optional, pathParts, type FileParser, type ParserInput } from './importer.ts'
import { oddUsage, parseTime } from './line-values.ts'
import { workspaceAt } from './workspace.ts'

/** The name under which Aider's chats are stored. */
export const AIDER = 'aider'

/**
 * The parser of a history's sections; each section tells all that is needed of those before it, so there is no state.
 * What is no section is skipped, with the reason. A report with a number that can't be right is taken, with a note in
 * `skip`.
 */
export const sectionParser = ({ path }: ParserInput): FileParser => ({
  /**
   * A section of a chat history as entries of its chat, which is the session: the user's words, output of commands, or
   * else a reply with its request. Skipped if it is no section; a reply with an odd usage is kept, with a skip beside
   * it.
   */
  parse: (value) => {
    if (!isJsonObject(value) || typeof value.text !== 'string')
      return { entries: NO_ENTRIES, skip: 'not a section of a chat history' }
    const facts = sessionFacts(path, stringOf(value.chat))
    const section: Section = {
      id: `m${typeof value.number === 'number' ? value.number : 0}`,
      at: chatTime(stringOf(value.chat)),
      text: value.text,
      ...optional('model', stringOf(value.model)),
    }
    const title = stringOf(value.title)
    const session = title === undefined ? facts : { ...facts, title }
    if (value.type === 'user') return { session, entries: userWrites(section) }
    if (value.type === 'output') return { session, entries: outputWrites(section) }
    const usage = stringOf(value.usage)
    const report = usage === undefined ? undefined : parseReport(usage)
    return {
      session,
      entries: replyWrites(section, report === undefined ? undefined : requestOf(facts, section, report)),
      ...optional('skip', report === undefined ? undefined : oddUsage(Object.values(report.tokens), report.cost)),
    }
  },
  state: () => null,
})

interface Section {
  readonly id: string
  readonly at: number | null
  readonly text: string
  readonly model?: string
}

/**
 * The session's facts. A chat is known by its folder's name and the second in which it began: so in a copy of the
 * folder it is the same. An undated one is known by the folder alone.
 */
const sessionFacts = (path: string, chat: string | undefined): SessionFacts => {
  const folder = path.replace(/[/\\]+[^/\\]*$/, '')
  const name = (pathParts(folder).at(-1) ?? '').replace(/[^\p{L}\p{N}.-]+/gu, '-')
  const externalId = `${name === '' ? 'chat' : name}-${chat === undefined ? 'undated' : chat.replace(/[ :]/g, '-')}`
  return {
    id: `${AIDER}:${externalId}`,
    agent: AIDER,
    externalId,
    workspace: workspaceAt(undefined, folder === '' ? '/' : folder),
  }
}

/** When a chat began, by the local clock; its sections have no times of their own. */
const chatTime = (chat: string | undefined): number | null =>
  chat === undefined ? null : parseTime(chat.replace(' ', 'T'))

/**
 * What the user typed in a section, as a message; an answer to a question of the program has the origin `meta`. Nothing
 * for an empty section and for `<blank>`.
 */
const userWrites = (section: Section): readonly EntryWrite[] => {
  const { text } = section
  if (text === '' || text === '<blank>') return NO_ENTRIES
  return [messageWrite(section, isAnswer(text) ? { role: 'user', origin: 'meta' } : { role: 'user' })]
}

/** A reply with its request; where nothing is left of the reply, the request alone. */
const replyWrites = (section: Section, request: RequestFact | undefined): readonly EntryWrite[] => {
  const { id, at, text, model } = section
  if (text !== '') {
    const write = messageWrite(section, { role: 'assistant', ...optional('model', model) })
    const characters = visibleCharacters([{ type: 'text', text }])
    return [request === undefined ? write : { ...write, request, visibleCharacters: characters }]
  }
  return request === undefined
    ? NO_ENTRIES
    : [{ entry: { kind: 'model', at, model: request.model }, externalId: id, request }]
}

/** A section's text as a message, under the section's id. */
const messageWrite = (
  { id, at, text }: Section,
  more: Pick<MessageEntry, 'role' | 'origin' | 'model'>,
): EntryWrite => ({
  entry: { kind: 'message', id, at, content: [{ type: 'text', text }], ...more },
  externalId: id,
})

const EDITED = /^Applied edit to (.+)$/gm

/** What the program printed as a notice, then an entry of kind `file` for each file that it says it edited. */
const outputWrites = ({ id, at, text }: Section): readonly EntryWrite[] => [
  { entry: { kind: 'notice', at, level: 'info', text }, externalId: id },
  ...[...text.matchAll(EDITED)].map(([, path = ''], index): EntryWrite => ({
    entry: { kind: 'file', at, path: path.trim(), operation: 'edit' },
    externalId: `${id}.file.${index}`,
  })),
]

/**
 * The request that a section tells; undefined where it tells no tokens. Without a model it is `unknown`. Its cost is
 * the one told, in nano-USD; null and `unpriced` where none is.
 */
const requestOf = (
  { externalId }: SessionFacts,
  { id, at, model }: Section,
  { tokens, costNano }: UsageReport,
): RequestFact | undefined => {
  const { sent, cacheWrite, cacheHit, received } = tokens
  if (sent + cacheWrite + cacheHit + received === 0) return undefined
  // What was sent holds what the cache took; whether it holds what the cache had depends on the provider.
  const isWhole = sent >= cacheWrite + cacheHit
  return {
    callId: `${externalId}:${id}`,
    at,
    model: model ?? 'unknown',
    inputTokens: isWhole ? sent - cacheWrite - cacheHit : Math.max(0, sent - cacheWrite),
    cacheReadTokens: cacheHit,
    cacheWrite5mTokens: cacheWrite,
    cacheWrite1hTokens: 0,
    outputTokens: received,
    costNano,
    costState: costNano === null ? 'unpriced' : 'recorded',
  }
}
