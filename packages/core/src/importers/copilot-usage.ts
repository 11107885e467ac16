/**
 * What Copilot CLI's events say was used. Since 1.0.102 each request has a usage record. Before, a message has its own
 * output at most, and `session.shutdown` tells, by model, what the whole session used up to then, over all its resumes:
 * what that has grown by since the last one is divided among the requests since then, so that the sums are exact. Until
 * there is a shutdown, the input of such requests is not known.
 */
import { arrayOf, countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { optional } from './importer.ts'

/** What is known of a request apart from its tokens. */
export interface RequestOrigin {
  /** Time, ms. */
  readonly at: number | null
  readonly model: string
  readonly mode?: string
  readonly subagent?: string
  readonly branch?: string
  readonly workspace?: string
}

/** Tokens by class; the input classes are disjoint. */
export interface TokenCounts {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
}

/** A request with all its tokens, as far as the session's shutdown tells them. */
export interface SettledRequest {
  readonly callId: string
  readonly origin: RequestOrigin
  readonly tokens: TokenCounts
}

/** A request of which only the output is known so far. */
interface WaitingRequest {
  readonly callId: string
  readonly origin: RequestOrigin
  /** Undefined where the message did not say. */
  readonly output: number | undefined
}

/** How a provider's id of a reply is known, and the request that it stands for. */
interface KnownCall {
  readonly apiCallId: string
  readonly callId: string
  /** Of the message; undefined before there is one. */
  readonly turn?: string
  readonly hasRecord: boolean
}

/** A model's requests and tokens that were counted. */
interface Counted extends TokenCounts {
  readonly requests: number
}

const NOTHING: Counted = { requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }
/** A record and its messages stand close to each other. */
const MAX_CALLS = 64
/** Older ones keep their output and stay without input. */
const MAX_WAITING = 2000
/** Requests that no message tells of are made up one by one up to here; the last one stands for any more. */
const MAX_UNSEEN = 1000
/** What Copilot calls the request for a compaction's summary. */
const SUMMARY = 'conversation-compaction'
/** Ids of servers on the user's own machine may be random numbers below a thousand: those are no key. */
const SHORTEST_UNIQUE_ID = 20

/** A message of the model, as far as it concerns its request. */
export interface MessageUsage {
  readonly session: string
  readonly messageId: string
  readonly apiCallId: string | undefined
  /** Interaction and turn: the parts of one reply share them. */
  readonly turn: string
  readonly output: number | undefined
  readonly origin: RequestOrigin
}

/** Follows the requests of a session. */
export class CopilotUsage {
  #hasRecords: boolean
  /** Requests for summaries that had a record and whose event is still to come. */
  #recordedSummaries: number
  #calls: readonly KnownCall[]
  #waiting: readonly WaitingRequest[]
  #counted: ReadonlyMap<string, Counted>

  /** Starts a session, or continues it after `former`, what `state()` gave. */
  constructor(former: JsonValue | undefined) {
    const { hasRecords, recordedSummaries, calls, waiting, counted } = objectOf(former)
    this.#hasRecords = hasRecords === true
    this.#recordedSummaries = countOf(recordedSummaries)
    this.#calls = arrayOf(calls).flatMap(parseCall)
    this.#waiting = arrayOf(waiting).flatMap(parseWaiting)
    this.#counted = new Map(Object.entries(objectOf(counted)).map(([model, value]) => [model, parseCounted(value)]))
  }

  /**
   * Takes a message of the model. Returns the id of its request (the same for all parts of one reply), and whether a
   * usage record tells its tokens already. A request without one waits for `settle`.
   */
  addMessage({ session, messageId, apiCallId, turn, output, origin }: MessageUsage): {
    readonly callId: string
    readonly hasRecord: boolean
  } {
    const known = this.#callOfMessage(apiCallId, turn)
    const callId = known?.callId ?? keyOf(session, turn, apiCallId ?? messageId)
    const hasRecord = known?.hasRecord ?? false
    if (known !== undefined) this.#remember({ ...known, turn }, known)
    else if (apiCallId !== undefined) this.#remember({ apiCallId, callId, turn, hasRecord })
    if (!hasRecord) this.#await({ callId, origin, output })
    return { callId, hasRecord }
  }

  /**
   * Takes a usage record with its tokens, by which the request is counted and no longer waits for `settle`. Returns the
   * request's id.
   */
  addRecord(session: string, eventId: string, usage: JsonObject, model: string, tokens: TokenCounts): string {
    this.#hasRecords = true
    if (usage.interactionType === SUMMARY) this.#recordedSummaries++
    const { sourceSessionId, sequence } = objectOf(usage.accounting)
    const apiCallId = stringOf(usage.apiCallId)
    const known = this.#calls.findLast((call) => call.apiCallId === apiCallId && !call.hasRecord)
    // A fork's copy of a record names the session that made the request, and the request's number there.
    const numbered = typeof sequence === 'number' ? `${stringOf(sourceSessionId) ?? session}:${sequence}` : undefined
    const callId = known?.callId ?? numbered ?? keyOf(session, eventId, apiCallId ?? eventId)
    if (known !== undefined) this.#remember({ ...known, hasRecord: true }, known)
    else if (apiCallId !== undefined) this.#remember({ apiCallId, callId, hasRecord: true })
    this.#waiting = this.#waiting.filter((request) => request.callId !== callId)
    this.#count(model, { requests: 1, ...tokens })
    return callId
  }

  /**
   * Takes the request for a compaction's summary, which is in no total. Returns its id; undefined where a usage record
   * told it before, or it used no tokens.
   */
  addSummary(session: string, eventId: string, tokens: TokenCounts): string | undefined {
    if (this.#recordedSummaries > 0) {
      this.#recordedSummaries--
      return undefined
    }
    const isUsed = tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.output > 0
    return isUsed ? keyOf(session, 'summary', eventId) : undefined
  }

  /**
   * Takes the session's totals by model, as a shutdown tells them, and divides what was not counted yet among the
   * requests that wait, which then wait no more. Returns these, with made-up ones for requests that no message told of.
   * Totals may be given again: only their growth counts. `session`, `eventId` and `at` are for the made-up ones.
   */
  settle(metrics: JsonObject, session: string, eventId: string, at: number | null): readonly SettledRequest[] {
    return Object.entries(metrics).flatMap(([model, metric]) => {
      const unseen = (index: number): WaitingRequest => ({
        callId: `${session}:${eventId}:${model}:${index}`,
        origin: { at, model },
        output: undefined,
      })
      return this.#settleModel(model, objectOf(metric), unseen)
    })
  }

  /**
   * Counts what a model's total grew by, and divides it among its waiting requests and those that were never seen; none
   * of the model waits afterwards. A total with fewer requests than counted was begun again: all of it counts. `unseen`
   * makes a request that no message told of.
   */
  #settleModel(
    model: string,
    metric: JsonObject,
    unseen: (index: number) => WaitingRequest,
  ): readonly SettledRequest[] {
    const waiting = this.#waiting.filter(({ origin }) => origin.model === model)
    const counted = this.#counted.get(model) ?? NOTHING
    const { requests = counted.requests + waiting.length, ...tokens } = totalOf(metric)
    const total = { requests, ...tokens }
    // A total that went down was begun again.
    const grown = requests < counted.requests ? total : minus(total, counted)
    this.#waiting = this.#waiting.filter(({ origin }) => origin.model !== model)
    this.#counted = new Map(this.#counted).set(model, requests < counted.requests ? total : plus(counted, grown))
    // Where there are records, each request has one, but for those before the first of them.
    const missing = this.#hasRecords ? 0 : unseenRequests(grown, waiting.length)
    return divide(grown, [
      ...waiting.slice(Math.max(0, waiting.length - grown.requests)),
      ...Array.from({ length: missing }, (_, index) => unseen(index)),
    ])
  }

  /** Everything as plain JSON, to go on at the next import (see the constructor). */
  state(): JsonValue {
    return {
      hasRecords: this.#hasRecords,
      recordedSummaries: this.#recordedSummaries,
      calls: this.#calls.map((call) => ({ ...call })),
      waiting: this.#waiting.map(({ callId, origin, output }) => ({
        callId,
        origin: { ...origin },
        ...optional('output', output),
      })),
      counted: Object.fromEntries([...this.#counted].map(([model, counts]) => [model, { ...counts }])),
    }
  }

  /**
   * The last known call whose part a message is: of the same API call and turn, or of a record that has no message yet;
   * undefined if there is none. Without the provider's id only calls with a record are looked at.
   */
  #callOfMessage(apiCallId: string | undefined, turn: string): KnownCall | undefined {
    // A message without the provider's id belongs to the record before it.
    if (apiCallId === undefined)
      return this.#calls.findLast((call) => call.hasRecord && (call.turn === undefined || call.turn === turn))
    return this.#calls.findLast(
      (call) => call.apiCallId === apiCallId && (call.turn === undefined || call.turn === turn),
    )
  }

  #remember(call: KnownCall, former?: KnownCall): void {
    this.#calls = [...this.#calls.filter((each) => each !== former), call].slice(-MAX_CALLS)
  }

  /**
   * Adds a request that waits for its figures, or updates it; of more than `MAX_WAITING` the oldest are counted without
   * them.
   */
  #await(request: WaitingRequest): void {
    const known = this.#waiting.find(({ callId }) => callId === request.callId)
    const output = known?.output === undefined ? request.output : Math.max(known.output, request.output ?? 0)
    const others = known === undefined ? this.#waiting : this.#waiting.filter((each) => each !== known)
    const all = [...others, { ...(known ?? request), output }]
    for (const { origin, output: given = 0 } of all.slice(0, -MAX_WAITING))
      this.#count(origin.model, { ...NOTHING, requests: 1, output: given })
    this.#waiting = all.slice(-MAX_WAITING)
  }

  #count(model: string, counts: Counted): void {
    this.#counted = new Map(this.#counted).set(model, plus(this.#counted.get(model) ?? NOTHING, counts))
  }
}

/**
 * The token classes of a usage object: Copilot's input holds what was read from the cache and written to it. No class
 * is below 0, and the three of the input never make more than it; what is no count is 0.
 */
export const tokensOf = (usage: JsonObject): TokenCounts => {
  const all = countOf(usage.inputTokens)
  const cacheRead = Math.min(countOf(usage.cacheReadTokens), all)
  const cacheWrite = Math.min(countOf(usage.cacheWriteTokens), all - cacheRead)
  return {
    input: all - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    output: countOf(usage.outputTokens),
    reasoning: countOf(usage.reasoningTokens),
  }
}

/** The token classes and requests of a total; the requests are undefined where they are not told. */
const totalOf = ({ usage, requests }: JsonObject): TokenCounts & { readonly requests: number | undefined } => {
  const { count } = objectOf(requests)
  return { ...tokensOf(objectOf(usage)), requests: typeof count === 'number' ? countOf(count) : undefined }
}

const keyOf = (session: string, turn: string, id: string): string =>
  id.length >= SHORTEST_UNIQUE_ID ? id : `${session}:${turn}:${id}`

/**
 * How many requests no message tells of, such as replies that were aborted: at most 1,000, at least one where tokens
 * were used and none waits; 0 where no tokens were used.
 */
const unseenRequests = ({ requests, input, cacheRead, cacheWrite, output }: Counted, waiting: number): number => {
  const isUsed = input + cacheRead + cacheWrite + output > 0
  return isUsed ? Math.min(Math.max(requests - waiting, waiting === 0 ? 1 : 0), MAX_UNSEEN) : 0
}

/**
 * Gives each receiver its share of the tokens, in the same order: its own output, equal shares of input and cache, and
 * of the reasoning as much as its output allows, the first ones first.
 */
const divide = (grown: Counted, receivers: readonly WaitingRequest[]): readonly SettledRequest[] => {
  const outputs = outputsOf(grown.output, receivers)
  const shares = {
    input: sharesOf(grown.input, receivers.length),
    cacheRead: sharesOf(grown.cacheRead, receivers.length),
    cacheWrite: sharesOf(grown.cacheWrite, receivers.length),
  }
  let reasoningLeft = grown.reasoning
  return receivers.map(({ callId, origin }, index) => {
    const output = outputs[index] ?? 0
    const reasoning = Math.min(output, reasoningLeft)
    reasoningLeft -= reasoning
    return {
      callId,
      origin,
      tokens: {
        input: shares.input[index] ?? 0,
        cacheRead: shares.cacheRead[index] ?? 0,
        cacheWrite: shares.cacheWrite[index] ?? 0,
        output,
        reasoning,
      },
    }
  })
}

/**
 * The output of each request: its own; what no message told is shared equally by those that told none, or goes to the
 * last request where all told theirs. In the order of the requests.
 */
const outputsOf = (total: number, requests: readonly WaitingRequest[]): readonly number[] => {
  const told = requests.reduce((sum, { output }) => sum + (output ?? 0), 0)
  const silent = requests.filter(({ output }) => output === undefined).length
  const left = Math.max(0, total - told)
  const shares = [...sharesOf(left, silent)]
  const outputs = requests.map(({ output }) => output ?? shares.shift() ?? 0)
  return silent > 0 ? outputs : outputs.map((output, index) => (index === outputs.length - 1 ? output + left : output))
}

/** Equal whole shares; the first ones are larger by one where it does not come out even. */
const sharesOf = (total: number, parts: number): readonly number[] =>
  Array.from({ length: parts }, (_, index) => Math.floor(total / parts) + (index < total % parts ? 1 : 0))

/** The counts of both, combined one by one. */
const combine = (left: Counted, right: Counted, each: (one: number, other: number) => number): Counted => ({
  requests: each(left.requests, right.requests),
  input: each(left.input, right.input),
  cacheRead: each(left.cacheRead, right.cacheRead),
  cacheWrite: each(left.cacheWrite, right.cacheWrite),
  output: each(left.output, right.output),
  reasoning: each(left.reasoning, right.reasoning),
})
const plus = (left: Counted, right: Counted): Counted => combine(left, right, (one, other) => one + other)
/** Nothing is negative. */
const minus = (left: Counted, right: Counted): Counted => combine(left, right, (one, other) => Math.max(0, one - other))

/** Counts of a state; what is no count is 0. */
const parseCounted = (value: JsonValue | undefined): Counted => {
  const counts = objectOf(value)
  const whole = (field: keyof Counted): number => {
    const count = counts[field]
    return typeof count === 'number' && count > 0 ? count : 0
  }
  return {
    requests: whole('requests'),
    input: whole('input'),
    cacheRead: whole('cacheRead'),
    cacheWrite: whole('cacheWrite'),
    output: whole('output'),
    reasoning: whole('reasoning'),
  }
}

/** A stored call, as a list of one; empty if it is damaged. */
const parseCall = (value: JsonValue): readonly KnownCall[] => {
  const call = objectOf(value)
  const [apiCallId, callId] = [stringOf(call.apiCallId), stringOf(call.callId)]
  return apiCallId === undefined || callId === undefined
    ? []
    : [{ apiCallId, callId, hasRecord: call.hasRecord === true, ...optional('turn', stringOf(call.turn)) }]
}

/** A stored request, as a list of one; empty if it is damaged. */
const parseWaiting = (value: JsonValue): readonly WaitingRequest[] => {
  const { callId, origin, output } = objectOf(value)
  const id = stringOf(callId)
  if (id === undefined || !isJsonObject(origin)) return []
  return [
    {
      callId: id,
      origin: {
        at: typeof origin.at === 'number' ? origin.at : null,
        model: stringOf(origin.model) ?? 'unknown',
        ...optional('mode', stringOf(origin.mode)),
        ...optional('subagent', stringOf(origin.subagent)),
        ...optional('branch', stringOf(origin.branch)),
        ...optional('workspace', stringOf(origin.workspace)),
      },
      output: typeof output === 'number' ? output : undefined,
    },
  ]
}
