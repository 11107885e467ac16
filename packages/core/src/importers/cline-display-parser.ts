/**
 * Parses a task's `ui_messages.json`: requests with their recorded cost, and errors. Where the task has no history, the
 * messages are taken from here, too.
 */
import { countOf, isJsonObject, objectOf, parseJsonObject, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { recordedCost } from '../money.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import { modelUseAt, parseEnvironment, parseTaskContext, type ModelUse } from './cline-context.ts'
import { createShownMessages, NO_REPLY_SHOWN } from './cline-display.ts'
import {
  NO_ENTRIES,
  optional,
  type FileParser,
  type LineContext,
  type ParsedLine,
  type ParserInput,
} from './importer.ts'
import { oddUsage, parseTime, titleFrom } from './line-values.ts'
import { createNumberedIds, type NumberedIds } from './numbered-ids.ts'

/** Parses the elements of a task's display into requests and notices of the session that `facts` name. */
export const displayParser = (facts: SessionFacts, input: ParserInput): FileParser => new DisplayParser(facts, input)

class DisplayParser implements FileParser {
  readonly #facts: SessionFacts
  readonly #uses: readonly ModelUse[]
  readonly #folder: string | undefined
  readonly #ids: NumberedIds = createNumberedIds()
  readonly #shown: ReturnType<typeof createShownMessages>
  /** `beside`: the history has the messages; `alone`: the display has them; `empty`: it shows no reply. */
  readonly #display: JsonValue | undefined
  #title: string | undefined
  #titled: boolean

  constructor(facts: SessionFacts, input: ParserInput) {
    this.#facts = facts
    const { uses, workspace } = parseTaskContext(input.context)
    this.#uses = uses
    this.#folder = workspace
    this.#display = objectOf(input.context).display
    this.#shown = createShownMessages(this.#uses)
    this.#titled = facts.title !== undefined
  }

  /**
   * One element of the displayed messages: a message if there is no history beside it, a request with its cost, or an
   * error. An empty display gives nothing but, once, the reason.
   */
  parse(value: JsonValue, context: LineContext): ParsedLine {
    if (this.#display === 'empty')
      return { entries: NO_ENTRIES, ...(context.number === 1 ? { skip: NO_REPLY_SHOWN } : {}) }
    const session = this.#facts
    if (!isJsonObject(value)) return { session, entries: NO_ENTRIES, skip: 'not a JSON object' }
    const at = parseTime(value.ts)
    const message = this.#display === 'alone' ? this.#shown(value, at) : undefined
    if (message !== undefined) return this.#messageLine(message)
    if (value.say === 'api_req_started' || value.say === 'deleted_api_reqs')
      return this.#requestLine(value, at, context)
    return { session, entries: errorWrites(value, at, context) }
  }

  folder(): string | undefined {
    return this.#folder
  }

  /** Nothing: the whole file is read again after each change. */
  state(): JsonValue {
    return null
  }

  /** A displayed message; the first text gives the session its title, unless it has one. */
  #messageLine(message: EntryWrite): ParsedLine {
    const first = message.entry.kind === 'message' ? message.entry.content[0] : undefined
    if (!this.#titled && first?.type === 'text') this.#title = titleFrom(first.text)
    this.#titled ||= this.#title !== undefined
    return {
      session: this.#title === undefined ? this.#facts : { ...this.#facts, title: this.#title },
      entries: [message],
    }
  }

  /**
   * A request's entry, as `#requestWrites` makes it. Damaged figures count as 0, and numbers that can't be right are
   * reported as a skip.
   */
  #requestLine(line: JsonObject, at: number | null, context: LineContext): ParsedLine {
    const told = parseJsonObject(stringOf(line.text) ?? '')
    const { tokensIn, cacheReads, cacheWrites, tokensOut, cost } = told
    return {
      session: this.#facts,
      entries: this.#requestWrites(line, told, at, context),
      ...optional('skip', oddUsage([tokensIn, cacheReads, cacheWrites, tokensOut], cost)),
    }
  }

  /**
   * The request as an entry of kind `model`, with the recorded cost in nano-USD, `unpriced` if there is none; no entry
   * if it has neither tokens nor cost, as it was never answered.
   */
  #requestWrites(line: JsonObject, told: JsonObject, at: number | null, context: LineContext): readonly EntryWrite[] {
    const usage = usageOf(told)
    const recorded = recordedCost(told.cost)
    const tokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.outputTokens
    // Still running, or cancelled before the provider answered.
    if (tokens === 0 && recorded === null) return NO_ENTRIES
    const ordinal = this.#ids(at === null ? context.identity() : String(at))
    const { model, provider, mode } = this.#modelOf(line, told, at)
    // An aggregate row (deleted_api_reqs) stands for requests that were made with whatever model was in use.
    return [
      {
        entry: { kind: 'model', at, model, ...optional('provider', provider), ...optional('mode', mode) },
        externalId: `request:${ordinal}`,
        request: {
          callId: `${this.#facts.externalId}:${ordinal}`,
          at,
          model,
          ...usage,
          ...optional('provider', provider),
          ...optional('mode', mode),
          ...optional('workspace', this.#facts.workspace),
          costNano: recorded,
          costState: recorded === null ? 'unpriced' : 'recorded',
        },
      },
    ]
  }

  /**
   * The model, provider and mode of a request: from the row itself, else from the environment block of its request,
   * else by time. A model that is not known is `unknown`.
   */
  #modelOf(line: JsonObject, told: JsonObject, at: number | null) {
    const info = objectOf(line.modelInfo)
    const environment = parseEnvironment(stringOf(told.request) ?? '')
    const use = modelUseAt(this.#uses, at)
    return {
      model: stringOf(info.modelId) ?? environment?.model ?? use.model ?? 'unknown',
      provider: stringOf(info.providerId) ?? use.provider,
      mode: stringOf(info.mode) ?? environment?.mode ?? use.mode,
    }
  }
}

/** The usage that a row tells; what is no count is 0. Cache writes count as those of five minutes. */
const usageOf = (told: JsonObject) => ({
  inputTokens: countOf(told.tokensIn),
  cacheReadTokens: countOf(told.cacheReads),
  cacheWrite5mTokens: countOf(told.cacheWrites),
  cacheWrite1hTokens: 0,
  outputTokens: countOf(told.tokensOut),
})

const ERROR_KINDS: ReadonlySet<JsonValue | undefined> = new Set(['error', 'diff_error', 'api_req_retry_delayed'])

/** A notice of an error; none for other rows, and one that is still being written. */
const errorWrites = (line: JsonObject, at: number | null, context: LineContext): readonly EntryWrite[] => {
  const failed = ERROR_KINDS.has(line.say) || line.ask === 'api_req_failed'
  const text = stringOf(line.text)
  if (!failed || line.partial === true || text === undefined) return NO_ENTRIES
  return [{ entry: { kind: 'notice', at, level: 'error', text }, externalId: context.identity() }]
}
