/** What a wire gives to the server: where its requests come, its rules, its bill, its events and its errors. */
import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from './json.ts'
import type { BilledTokens } from './ledger.ts'
import type { ServedModel, WireName } from './models.ts'
import type { PreparedReply } from './reply.ts'

/** Why a request is refused, whatever the wire calls it. */
export type Condition =
  | 'bad-request'
  | 'too-long'
  | 'too-large'
  | 'auth'
  | 'forbidden'
  | 'quota'
  | 'unknown-model'
  | 'rate-limit'
  | 'overloaded'
  | 'unavailable'
  | 'server-error'

export interface Problem {
  readonly condition: Condition
  readonly message: string
  /** The field that is wrong, where the wire names it. */
  readonly param?: string
}

/** An error answer. */
export interface Failure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** What a request is for. */
export interface Route {
  readonly purpose: 'reply' | 'count' | 'models'
  /** Of wires that have it in the path. */
  readonly model?: string
  /** Of wires that have it in the path. */
  readonly isStream?: boolean
}

export interface Target {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

/** A request that can be understood: who asks which model for what. */
export interface Call {
  readonly purpose: 'reply' | 'count'
  readonly body: JsonObject
  readonly model: ServedModel
  /** Caches and signatures are kept apart by it. */
  readonly account: string
  readonly headers: IncomingHttpHeaders
  readonly isStream: boolean
}

/** The bill of a request's input. */
export type InputBill = Omit<BilledTokens, 'outputTokens' | 'reasoningTokens'>

/** One event of a stream. */
export interface WireEvent {
  /** The event's name, on wires that have them. */
  readonly name?: string
  /** An object is sent as JSON. */
  readonly data: JsonObject | string
  /** A piece of text or tool input; or the first event behind which the reply counts as whole. */
  readonly mark?: 'text' | 'tool-input' | 'last'
  /** Output tokens until here. */
  readonly produced?: number
  /** The usage that this event reports. */
  readonly reported?: BilledTokens
}

export interface Wire {
  readonly name: WireName
  /** How events stand in a body. Default: server-sent events. `lines`: the data of each on a line of its own. */
  readonly framing?: 'lines'
  /** Undefined when the request is none of this wire's. */
  route(target: Target): Route | undefined
  keyOf(target: Target): string | undefined
  /** The name of the model, and what is asked of the stream. */
  modelOf(body: JsonObject, route: Route): string
  isStream(body: JsonObject, route: Route): boolean
  /** The first rule that the request breaks. */
  check(call: Call): Problem | undefined
  /** Tokens of all input. */
  count(call: Call): number
  maxOutputTokens(call: Call): number
  /** Charges the cache, and what the caches hold afterwards. */
  bill(call: Call): InputBill
  newReplyId(): string
  newCallId(): string
  events(reply: PreparedReply, call: Call, bill: InputBill): Iterable<WireEvent>
  /** The reply in one piece, where no stream was asked for. */
  whole(reply: PreparedReply, call: Call, bill: InputBill): JsonObject
  countAnswer(tokens: number): JsonObject
  modelsAnswer(models: readonly ServedModel[]): JsonObject
  failure(problem: Problem, retryAfter?: string): Failure
  errorEvent(problem: Problem): WireEvent
  unknownEvent(): WireEvent
  replyHeaders(reply: PreparedReply): Readonly<Record<string, string>>
}
