/**
 * What a Codex rollout says was used. A `token_count` event has the session's running total and the last request's
 * counters. Codex writes none for a request whose turn is aborted while its tools run: the total of the next event
 * holds it. Newer versions also write a `token_usage_record` as soon as a reply has ended, and for requests that never
 * get an event. So a request is counted when it is first told, and what the total has grown by beyond that is one more.
 */
import { countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { optional } from './importer.ts'

/** Counters as Codex names them. The last one is not counted with: estimates of a context's size stand in it, too. */
const FIELDS = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
  'output_tokens',
  'reasoning_output_tokens',
  'total_tokens',
] as const
const NOTHING = FIELDS.map(() => '0').join(',')
/** How many requests told without a `token_count` are kept to recognise the one that it comes with. */
const MAX_TOLD = 16

/** How far a rollout's usage has been counted; plain JSON, kept in the parser's state. Counters are texts: {@link counterKey}. */
export interface UsageLedger {
  /** The running total of the last `token_count`. */
  readonly total?: string
  /** Whether that event is the session's own, not copied from an ancestor. */
  readonly isOwn: boolean
  /** Requests counted since that event, by records alone: their sum, and the newest ones. */
  readonly told: string
  readonly toldRequests: readonly string[]
}

/** What a line adds to the ledger. */
export interface CountedUsage {
  readonly ledger: UsageLedger
  /** The line only repeats the total that was known. */
  readonly isRepeated: boolean
  /** The request that the line tells, unless it was counted before. */
  readonly request?: CountedRequest
  /** What was used before it and told by no line of its own. */
  readonly missing?: CountedRequest
}

/** A request's counters, and the text that tells it from the session's other requests. */
interface CountedRequest {
  readonly key: string
  readonly usage: JsonObject
}

/** What is known of the session where a `token_count` stands. */
interface CountSituation {
  readonly isInherited: boolean
  /** The session comes from no other, so that its total began at nothing. */
  readonly isFirst: boolean
  /** A turn of the session ended with output that no event had counted. */
  readonly isAfterAbort: boolean
}

/**
 * A usage object's counters as a text, to compare them: whole numbers in the order of `FIELDS`, separated by commas.
 * One that is no count is 0 in it.
 */
const counterKey = (usage: JsonValue | undefined): string => {
  const object = objectOf(usage)
  return FIELDS.map((field) => String(wholeOf(object[field]))).join(',')
}

/** A total may be larger than any request's count. */
const wholeOf = (value: JsonValue | undefined): number =>
  typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? Math.floor(value) : 0

/**
 * What a `token_count` with this `info` adds, in Codex's own counters, and the ledger after it; the given one is not
 * changed. `isRepeated`: the total was known already, and nothing is counted. `missing`: what the total grew by
 * beyond the requests that were told; undefined for an inherited event, after one that was inherited, where the total
 * fell, and at the first event unless a turn was aborted before it. `request` is given for an inherited event, too:
 * the caller decides whether it counts. Without a total only the last request is counted. Never throws: counters that
 * are no numbers are 0.
 */
export const countTotal = (ledger: UsageLedger, info: JsonObject, situation: CountSituation): CountedUsage => {
  const hasTotal = isJsonObject(info.total_token_usage)
  const total = counterKey(info.total_token_usage)
  if (hasTotal && ledger.total === total) return { ledger, isRepeated: true }
  const last = counterKey(info.last_token_usage)
  const isTold = ledger.toldRequests.includes(last)
  const counted = isTold ? ledger.told : sumOf(ledger.told, last)
  const missing = hasTotal ? missingKey(ledger, total, counted, info, situation) : undefined
  return {
    ledger: { total, isOwn: hasTotal && !situation.isInherited, told: NOTHING, toldRequests: [] },
    isRepeated: false,
    ...optional('request', isTold || isEmpty(last) ? undefined : { key: `${total}\n${last}`, usage: usageOf(last) }),
    ...optional(
      'missing',
      missing === undefined
        ? undefined
        : { key: `${ledger.total ?? NOTHING}\n${total}\nmissing`, usage: usageOf(missing) },
    ),
  }
}

/**
 * The counters by which the total has grown beyond `counted`, what was told since the last event; undefined where it
 * hasn't, where it fell, or where it is not known what it began at.
 */
const missingKey = (
  ledger: UsageLedger,
  total: string,
  counted: string,
  info: JsonObject,
  { isInherited, isFirst, isAfterAbort }: CountSituation,
): string | undefined => {
  if (isInherited) return undefined
  const isBeginning = ledger.total === undefined
  if (isBeginning ? !isFirst || !isAfterAbort : !ledger.isOwn) return undefined
  const grown = differenceOf(total, sumOf(ledger.total ?? NOTHING, counted))
  // A total that went down was begun again.
  if (isEmpty(grown) || numbersOf(grown).some((count) => count < 0)) return undefined
  // Before the first event only one aborted request can be missing: more is a total brought from elsewhere.
  const window = countOf(info.model_context_window)
  return isBeginning && window > 0 && contextOf(grown) > window ? undefined : grown
}

/**
 * Takes a `token_usage_record`, and gives the ledger after it; the given one is not changed. `isRepeated`: it has no
 * tokens, or its thread's total was counted already. Its request has the key that it would have by the `token_count`
 * that follows. `isFirst`: the session comes from no other, so that its total began at nothing. Never throws: counters
 * that are no numbers are 0.
 */
export const countRecord = (ledger: UsageLedger, record: JsonObject, isFirst: boolean): CountedUsage => {
  const usage = counterKey(record.usage)
  const thread = counterKey(record.thread_token_usage)
  if (isEmpty(usage) || (thread === ledger.total && ledger.toldRequests.length === 0))
    return { ledger, isRepeated: true }
  const known = ledger.total ?? (isFirst ? NOTHING : undefined)
  const told = sumOf(ledger.told, usage)
  return {
    ledger: { ...ledger, told, toldRequests: [...ledger.toldRequests, usage].slice(-MAX_TOLD) },
    isRepeated: false,
    request: { key: `${known === undefined ? thread : sumOf(known, told)}\n${usage}`, usage: usageOf(usage) },
  }
}

/** Tokens of the context that a request leaves: its input and output. */
const contextOf = (key: string): number => {
  const { input_tokens: input, output_tokens: output } = usageOf(key)
  return countOf(input) + countOf(output)
}

/**
 * Input and output tokens of a usage object together, which is the size of the context after its request; 0 for
 * anything that is no usage.
 */
export const contextTokensOf = (usage: JsonValue | undefined): number => contextOf(counterKey(usage))

const isEmpty = (key: string): boolean => contextOf(key) === 0

const numbersOf = (key: string): readonly number[] => FIELDS.map((_, index) => Number(key.split(',')[index] ?? 0))

/** The sum of two counters, class by class. */
const sumOf = (left: string, right: string): string => {
  const more = numbersOf(right)
  return numbersOf(left)
    .map((count, index) => count + (more[index] ?? 0))
    .join(',')
}

/**
 * The difference of two keys, counter by counter; that of all tokens is made of the others. Reasoning is never below 0.
 */
const differenceOf = (left: string, right: string): string => {
  const less = numbersOf(right)
  const [input = 0, cached = 0, written = 0, output = 0, reasoning = 0] = numbersOf(left).map(
    (count, index) => count - (less[index] ?? 0),
  )
  // Reasoning is a part of the output.
  return [input, cached, written, output, Math.max(reasoning, 0), input + output].join(',')
}

/** The counters of a key by Codex's names. */
const usageOf = (key: string): JsonObject => {
  const numbers = numbersOf(key)
  return Object.fromEntries(FIELDS.map((field, index) => [field, numbers[index] ?? 0]))
}

/**
 * Reads a ledger back from a parser's state; what is missing or of another form counts as nothing told. Cursors of
 * earlier versions have its total alone.
 */
export const parseLedger = (state: JsonObject): UsageLedger => {
  const ledger = objectOf(state.ledger)
  const told = Array.isArray(ledger.toldRequests) ? (ledger.toldRequests as readonly JsonValue[]) : []
  return {
    ...optional('total', stringOf(state.lastTotal)),
    isOwn: ledger.isOwn === true,
    told: stringOf(ledger.told) ?? NOTHING,
    toldRequests: told.filter((key) => typeof key === 'string'),
  }
}

/** The ledger as properties of a parser's state, which {@link parseLedger} reads back. */
export const ledgerState = ({ total, isOwn, told, toldRequests }: UsageLedger): JsonObject => ({
  ...optional('lastTotal', total),
  ledger: { isOwn, told, toldRequests },
})
