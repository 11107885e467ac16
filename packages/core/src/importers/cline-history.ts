/**
 * Parses a task's `api_conversation_history.json`: the messages that the model is sent. What a condensing replaced by a
 * summary is recovered from the display file (see cline-summarised.ts).
 */
import { isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import { isProgramContent, isRequest, userAuthoredText } from '../user-words/user-words.ts'
import { contentBlocks, onlyToolResults } from './anthropic-content.ts'
import { modelUseAt, parseTaskContext, type ModelUse } from './cline-context.ts'
import {
  parseSummarisedMessages,
  summarisedBlock,
  summarisedUntil,
  type SummarisedMessage,
} from './cline-summarised.ts'
import { createNumberedIds, type NumberedIds } from './numbered-ids.ts'
import {
  NO_ENTRIES,
  optional,
  type FileParser,
  type LineContext,
  type ParsedLine,
  type ParserInput,
} from './importer.ts'
import { parseTime, titleFrom } from './line-values.ts'
import { todoWrites } from './todo-writes.ts'

/** Parses the elements of a task's history into messages of the session that `facts` name. */
export const historyParser = (facts: SessionFacts, input: ParserInput): FileParser => new HistoryParser(facts, input)

class HistoryParser implements FileParser {
  readonly #facts: SessionFacts
  readonly #uses: readonly ModelUse[]
  readonly #folder: string | undefined
  readonly #ids: NumberedIds = createNumberedIds()
  /** Messages before this time (ms) that a summary replaced are in the session from an earlier import. */
  readonly #knownUntil: number
  /** Messages that a summary replaced, in order of time; taken out as the summaries are met. */
  readonly #replaced: SummarisedMessage[]
  readonly #isWhole: boolean
  #newestAt = -Infinity
  #title: string | undefined
  #titled: boolean

  /**
   * Begins a file. `input.context`: what other files of the task tell; `input.earlier`: how far an earlier import came.
   * Of the replaced messages only those after that are kept.
   */
  constructor(facts: SessionFacts, input: ParserInput) {
    const { lost, isWhole } = objectOf(input.context)
    this.#facts = facts
    const { uses, workspace } = parseTaskContext(input.context)
    this.#uses = uses
    this.#folder = workspace
    this.#knownUntil = summarisedUntil(input.earlier)
    this.#replaced = parseSummarisedMessages(lost).filter((message) => message.at > this.#knownUntil)
    this.#isWhole = isWhole === true
    this.#titled = facts.title !== undefined || objectOf(input.state).titled === true
  }

  /**
   * One message of the history, with the todo lists that a reply sets. A summary comes after the messages that it
   * replaced and its compaction. Anything but an object is skipped with a reason.
   */
  parse(value: JsonValue, context: LineContext): ParsedLine {
    if (!isJsonObject(value)) return { entries: NO_ENTRIES, skip: 'not a JSON object' }
    const at = parseTime(value.ts)
    const isSummary = value.isSummary === true
    const assistant = value.role === 'assistant'
    const content = contentBlocks(value.content)
    if (at !== null && !isSummary) this.#newestAt = Math.max(this.#newestAt, at)
    // Only newer versions write ids, and saved messages are marked later on (condensed, truncated), so the text does
    // not identify a message. Time and role do, with a count for those that share both.
    const stamp = stringOf(value.id) ?? (at === null ? context.identity() : `${at}:${assistant ? 'assistant' : 'user'}`)
    const id = this.#ids(stamp)
    if (!assistant && !isSummary) this.#takeTitle(content)
    const message = this.#messageWrite(value, id, at, content)
    const entries = isSummary
      ? [...this.#summarisedBefore(at), compactionWrite(id, at), message]
      : assistant
        ? [message, ...todoWrites(id, at, content)]
        : [message]
    return { session: this.#title === undefined ? this.#facts : { ...this.#facts, title: this.#title }, entries }
  }

  folder(): string | undefined {
    return this.#folder
  }

  /**
   * What the next run needs: whether a title is known, and times in ms up to which messages are known, null for none.
   */
  state(): JsonValue {
    const time = (at: number): number | null => (at === -Infinity ? null : at)
    return {
      titled: this.#titled,
      summarisedUntil: time(this.#knownUntil),
      reading: this.#isWhole ? time(this.#newestAt) : null,
    }
  }

  /** Takes the title from a user's message; a greeting's is replaced by later ones, a request's stays. */
  #takeTitle(content: readonly ContentBlock[]): void {
    const words = this.#titled ? undefined : userAuthoredText({ role: 'user', content })
    if (words === undefined) return
    this.#title = titleFrom(words) ?? this.#title
    // Greetings give way to the first request.
    this.#titled = this.#title !== undefined && isRequest(words)
  }

  /**
   * A message as an entry, with model and mode from the task's record where it does not name them. A user's message of
   * nothing but results is the tool's.
   */
  #messageWrite(value: JsonObject, id: string, at: number | null, content: readonly ContentBlock[]): EntryWrite {
    const use = modelUseAt(this.#uses, at)
    const info = objectOf(value.modelInfo)
    const assistant = value.role === 'assistant'
    return {
      entry: {
        kind: 'message',
        id,
        at,
        role: assistant ? 'assistant' : onlyToolResults(content) ? 'tool' : 'user',
        content,
        ...optional('model', assistant ? (stringOf(info.modelId) ?? use.model) : undefined),
        ...optional('mode', stringOf(info.mode) ?? use.mode),
        ...optional('origin', originOf(value, content)),
      },
      externalId: id,
    }
  }

  /**
   * The messages that a summary of that time (ms) replaced, as entries, all that are left where it has no time. They
   * are taken out, so they are given once.
   */
  #summarisedBefore(at: number | null): readonly EntryWrite[] {
    const before = this.#replaced.findIndex((message) => at === null || message.at >= at)
    return this.#replaced
      .splice(0, before === -1 ? this.#replaced.length : before)
      .flatMap((message) => this.#summarisedWrites(message))
  }

  /** A message that a summary replaced, as an entry, with the todo list in it if it is a reply. */
  #summarisedWrites(message: SummarisedMessage): readonly EntryWrite[] {
    const { at, role, kind, isProgram } = message
    const id = this.#ids(`ui:${at}:${kind}`)
    const { model, mode } = modelUseAt(this.#uses, at)
    const content = [summarisedBlock(message)]
    const write: EntryWrite = {
      entry: {
        kind: 'message',
        id,
        at,
        role,
        content,
        ...optional('model', role === 'assistant' ? model : undefined),
        ...optional('mode', mode),
        ...(isProgram ? { origin: 'meta' as const } : {}),
      },
      externalId: id,
    }
    return role === 'assistant' ? [write, ...todoWrites(id, at, content)] : [write]
  }
}

/** Where a message comes from when no person or model said it; undefined for all others. */
const originOf = (value: JsonObject, content: readonly ContentBlock[]): 'summary' | 'meta' | undefined => {
  if (value.isSummary === true) return 'summary'
  return value.role !== 'assistant' && isProgramContent(content) ? 'meta' : undefined
}

/** The compaction that stands before a summary. Its id is the summary's with `.compaction`. */
const compactionWrite = (id: string, at: number | null): EntryWrite => ({
  entry: { kind: 'compaction', at, trigger: 'condense' },
  externalId: `${id}.compaction`,
})
