/** What a message of OpenCode means, from whichever of its storages: `info` and `parts`, with the session that it is of. */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { visibleCharacters, type ContentBlock } from '../messages.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import { isProgramContent, userAuthoredText } from '../user-words/user-words.ts'
import {
  NO_ENTRIES,
  optional,
  type FileParser,
  type LineContext,
  type ParsedLine,
  type ParserInput,
  type WrongCost,
} from './importer.ts'
import { parseTime, titleFrom } from './line-values.ts'
import { replySteps, userContent, type ReplyStep } from './opencode-content.ts'
import { SESSION_ID } from './opencode-records.ts'
import { replyUsage } from './opencode-usage.ts'
import { todoWrites } from './todo-writes.ts'
import { repositoryByPath, workspaceAt } from './workspace.ts'

/** The name under which OpenCode's sessions are stored. */
export const OPENCODE = 'opencode'

/** What OpenCode calls a session until its model has found a title. */
const UNTITLED = /^(?:New|Child) session - \d{4}-\d\d-\d\dT/

/** Whether a session still has the title that all begin with. */
export const isUntitled = (title: JsonValue | undefined): boolean =>
  typeof title !== 'string' || title.trim() === '' || UNTITLED.test(title)

/**
 * Parses the messages of one file; `context` has the session of a file that does not repeat it in each message. What is
 * no object is a skip. Its state is null: nothing is carried to a later import.
 */
export const messageParser = ({ context }: ParserInput): FileParser => {
  let previous: JsonValue | undefined
  return {
    parse: (line, at) => {
      if (!isJsonObject(line)) return NO_OBJECT
      // In an export the message before a summary is the one that asked for it.
      const asked = line.asked ?? previous
      previous = line.parts
      return parseRecord(line, asked, objectOf(context), at)
    },
    state: () => null,
  }
}

const NO_OBJECT: ParsedLine = { entries: NO_ENTRIES, skip: 'not a JSON object' }

/**
 * The session's facts with the entries of a record, and its ancestors; no entries for one without a message (`info`),
 * and a skip if it names no session or its role is unknown. `asked`: the parts of the message that asked for a summary;
 * they say whether its compaction was manual. `known`: the session (as `record.session`) of a file whose records do not
 * repeat it.
 */
const parseRecord = (
  record: JsonObject,
  asked: JsonValue | undefined,
  known: JsonObject,
  context: LineContext,
): ParsedLine => {
  const info = objectOf(record.info)
  const session = isJsonObject(record.session) ? record.session : known
  const sessionId = stringOf(session.id) ?? stringOf(info.sessionID)
  if (sessionId === undefined) return { entries: NO_ENTRIES, skip: 'names no session' }
  const facts = sessionFacts(session, sessionId, info)
  const ancestors = arrayOf(session.ancestors).filter((id) => typeof id === 'string')
  return { ...parseMessage(record, asked, session, facts, context), ...(ancestors.length === 0 ? {} : { ancestors }) }
}

/**
 * Parses a record of the session with these facts: the facts alone if it has no message; a skip for an unknown role.
 * @param asked the parts of the message that asked for a summary, if it is one
 */
const parseMessage = (
  record: JsonObject,
  asked: JsonValue | undefined,
  session: JsonObject,
  facts: SessionFacts,
  context: LineContext,
): ParsedLine => {
  const info = objectOf(record.info)
  if (record.info === undefined) return { session: facts, entries: NO_ENTRIES }
  const message: OpenCodeMessage = {
    id: stringOf(record.id) ?? stringOf(info.id) ?? context.identity(),
    info,
    parts: arrayOf(record.parts),
    at: parseTime(objectOf(info.time).created),
    facts,
    isSubagent: stringOf(session.parentID) !== undefined,
  }
  if (info.role === 'user') {
    const isFirst = record.isFirst === true || (record.isFirst === undefined && context.number === 1)
    return userMessage(message, isFirst && facts.title === undefined)
  }
  if (info.role === 'assistant') return assistantMessage(message, arrayOf(asked))
  return { session: facts, entries: NO_ENTRIES, skip: 'a message whose role is not known' }
}

/** A message with its session. */
interface OpenCodeMessage {
  readonly id: string
  readonly info: JsonObject
  readonly parts: readonly JsonValue[]
  /** When it was made, ms; null: not known. */
  readonly at: number | null
  readonly facts: SessionFacts
  /** Its session is a child of another. */
  readonly isSubagent: boolean
}

/**
 * The session's facts, in the workspace of its folder. A title that OpenCode made up counts as none; a child session is
 * a fork of its parent.
 */
const sessionFacts = (session: JsonObject, externalId: string, info: JsonObject): SessionFacts => {
  const folder = stringOf(session.directory) ?? stringOf(objectOf(info.path).cwd)
  const parent = stringOf(session.parentID)
  const title = isUntitled(session.title) ? undefined : titleFrom(stringOf(session.title) ?? '')
  return {
    id: `${OPENCODE}:${externalId}`,
    agent: OPENCODE,
    externalId,
    ...optional('workspace', folder === undefined ? undefined : repositoryByPath(folder)),
    ...optional('branch', stringOf(session.branch)),
    ...optional('title', title),
    ...optional('forkedFrom', parent !== undefined && SESSION_ID.test(parent) ? `${OPENCODE}:${parent}` : undefined),
  }
}

/** The mode of a message, else its agent; undefined if it names neither. */
const modeOf = ({ mode, agent }: JsonObject): string | undefined => stringOf(mode) ?? stringOf(agent)

/**
 * A user's message; what OpenCode put beside the user's words is a message of its own. Without words of the user's own
 * it is the program's message. With `isTitling` the user's words give the session its title, if there are any.
 */
const userMessage = ({ id, info, parts, at, facts }: OpenCodeMessage, isTitling: boolean): ParsedLine => {
  const { own, added } = userContent(parts)
  /** An entry with a message of the user's role; `isMeta`: the person did not write it. */
  const write = (externalId: string, content: readonly ContentBlock[], isMeta: boolean): EntryWrite => ({
    entry: {
      kind: 'message',
      id: externalId,
      at,
      role: 'user',
      content,
      ...optional('mode', modeOf(info)),
      ...(isMeta ? { origin: 'meta' as const } : {}),
    },
    externalId,
  })
  const isProgram = own.length === 0 || isProgramContent(own)
  // One message of the log has one author, so what OpenCode put beside the user's words is a message of its own.
  const entries =
    own.length === 0
      ? [write(id, added, true)]
      : [write(id, own, isProgram), ...(added.length === 0 ? [] : [write(`${id}.added`, added, true)])]
  const words = isTitling && !isProgram ? userAuthoredText({ role: 'user', content: own }) : undefined
  const title = words === undefined ? undefined : titleFrom(words)
  return { session: title === undefined ? facts : { ...facts, title }, entries }
}

/**
 * The entries of a reply: several messages where it holds several requests, each with its own; before them a compaction
 * for a summary, behind them a notice for a reply that failed. What is wrong with its numbers is told as a skip.
 */
const assistantMessage = (message: OpenCodeMessage, asked: readonly JsonValue[]): ParsedLine => {
  const { id, info, parts, at, facts } = message
  const steps = replySteps(parts)
  const skips = new Set<string>()
  const wrongCosts: WrongCost[] = []
  const writes = steps.flatMap((step, index) => {
    const stepId = index === 0 ? id : `${id}.${index}`
    // A single reply has the message's own counts; where there are several, the message has only those of the last.
    const own = steps.length === 1 ? replyUsage(info.tokens, info.cost) : undefined
    const usage = own ?? replyUsage(step.finish?.tokens, step.finish?.cost)
    if (usage?.odd !== undefined) skips.add(usage.odd)
    if (usage?.wrongCost !== undefined) wrongCosts.push(usage.wrongCost)
    const request = usage === undefined ? undefined : requestOf(message, usage, index)
    return stepWrites(message, stepId, step, request)
  })
  const failure = failureText(info.error)
  const isCompaction = info.summary === true && failure === undefined
  const compaction = isCompaction ? [compactionWrite(message, asked)] : []
  const notices: readonly EntryWrite[] =
    failure === undefined
      ? []
      : [{ entry: { kind: 'notice', at, level: 'error', text: failure }, externalId: `${id}.error` }]
  return {
    session: facts,
    entries: [...compaction, ...writes, ...notices],
    ...optional('skip', skips.size === 0 ? undefined : [...skips].join('; ')),
    ...(wrongCosts.length === 0 ? {} : { wrongCosts }),
  }
}

/**
 * The compaction that a summary stands for. `asked` has the parts of the message that asked for it: `manual` where they
 * say so, else `auto`.
 */
const compactionWrite = ({ id, at }: OpenCodeMessage, asked: readonly JsonValue[]): EntryWrite => {
  const part = asked.map(objectOf).find(({ type }) => type === 'compaction')
  return {
    entry: {
      kind: 'compaction',
      at,
      trigger: part?.auto === false ? 'manual' : 'auto',
      ...optional('keptFrom', stringOf(part?.tail_start_id)),
    },
    externalId: `${id}.compaction`,
  }
}

/**
 * A reply, the todo list that it writes, and the results of its tools as a message of their own. The reply has its
 * request, if it has one.
 */
const stepWrites = (
  { info, at }: OpenCodeMessage,
  id: string,
  { content, results, resultsAt }: ReplyStep,
  request: RequestFact | undefined,
): readonly EntryWrite[] => {
  const mode = optional('mode', modeOf(info))
  const reply: EntryWrite = {
    entry: {
      kind: 'message',
      id,
      at,
      role: 'assistant',
      content,
      ...mode,
      ...optional('model', stringOf(info.modelID)),
      ...(info.summary === true ? { origin: 'summary' as const } : {}),
    },
    externalId: id,
    ...(request === undefined ? {} : { request, visibleCharacters: visibleCharacters(content) }),
  }
  const todos = todoWrites(id, at, content)
  if (results.length === 0) return [reply, ...todos]
  const resultId = `${id}.results`
  const resultTime = parseTime(resultsAt) ?? parseTime(objectOf(info.time).completed) ?? at
  return [
    reply,
    ...todos,
    {
      entry: { kind: 'message', id: resultId, at: resultTime, role: 'tool', content: results, ...mode },
      externalId: resultId,
    },
  ]
}

/**
 * The request of one step of a reply (`step` counts from 0). Its id is the same in a forked session, where messages
 * have other ids. Its cost is the recorded one, else null and `unpriced`. `subagent` is the mode of a child session's
 * message.
 */
const requestOf = (
  { info, at, facts, isSubagent }: OpenCodeMessage,
  { tokens, costNano }: NonNullable<ReturnType<typeof replyUsage>>,
  step: number,
): RequestFact => {
  const model = stringOf(info.modelID) ?? 'unknown'
  const provider = stringOf(info.providerID)
  const folder = stringOf(objectOf(info.path).cwd)
  const first = facts.workspace
  const workspace = folder === undefined ? first : workspaceAt(first === undefined ? undefined : { first }, folder)
  const { created, completed } = objectOf(info.time)
  const counts = [tokens.inputTokens, tokens.cacheReadTokens, tokens.cacheWrite5mTokens, tokens.outputTokens].join()
  return {
    // A forked session repeats its parent's messages under other ids, but with their times.
    callId: [parseTime(created) ?? '', parseTime(completed) ?? '', step, `${provider ?? ''}/${model}`, counts].join(
      ':',
    ),
    at,
    model,
    ...tokens,
    ...optional('provider', provider),
    ...optional('mode', modeOf(info)),
    ...optional('subagent', isSubagent ? modeOf(info) : undefined),
    ...optional('workspace', workspace),
    costNano,
    costState: costNano === null ? 'unpriced' : 'recorded',
  }
}

/** Why a reply failed, in words; undefined where it did not. */
const failureText = (error: JsonValue | undefined): string | undefined => {
  if (!isJsonObject(error)) return undefined
  const name = stringOf(error.name) ?? 'Error'
  const detail = stringOf(objectOf(error.data).message) ?? stringOf(error.message)
  return detail === undefined || detail === '' ? name : `${name}: ${detail}`
}
