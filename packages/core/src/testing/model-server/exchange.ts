/** One request and its answer: found out which wire, checked, billed, sent. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isBeforeHeaders, type Fault } from './faults.ts'
import { isObject, objectOf, parse, type JsonObject } from './json.ts'
import { costOf, nanoOf, type LedgerEntry } from './ledger.ts'
import type { ServedModel, WireName } from './models.ts'
import { outputTokensOf, prepareReply, reasoningTokensOf, type PreparedReply, type Reply } from './reply.ts'
import { cut, messageOf, openChannel, sendEvents, streamType, type Channel } from './send.ts'
import type { Call, Condition, Failure, InputBill, Problem, Route, Target, Wire } from './wire.ts'

/** What the server does with the next request: a reply, a fault in it, or both. Neither: a reply of its own. */
export interface Step {
  readonly reply?: Reply
  readonly fault?: Fault
  /** The body of an answer as it was recorded, sent as it is; nothing is billed. */
  readonly recording?: Recording
}

/** The text of a body, or a file that holds it. */
export type Recording = { readonly text: string } | { readonly file: string | URL }

export interface ReceivedRequest {
  /** Undefined where no wire has the path. */
  readonly wire: WireName | undefined
  readonly purpose: Route['purpose'] | undefined
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The body as it came. */
  readonly text: string
  readonly body: JsonObject
  /** Why it was refused: most often the rule that it broke. Steps of the script are none. */
  readonly problem: Problem | undefined
}

/** What all requests of a server share. */
export interface ServerState {
  readonly wires: readonly Wire[]
  readonly models: readonly ServedModel[]
  readonly keys: ReadonlySet<string>
  readonly requests: ReceivedRequest[]
  readonly ledger: LedgerEntry[]
  readonly steps: Step[]
  readonly keepsConnections: boolean
  readonly makeReply: (call: Call) => Reply
}

const BODY_LIMIT = 32 * 1024 * 1024
const PAGE = '<!doctype html><html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>'
const JSON_TYPE = { 'content-type': 'application/json' }

/** The body of a request as text; undefined when it is too long. */
const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    // What is beyond the limit is read, so that the client gets to the answer, and dropped.
    if (bytes <= BODY_LIMIT) pieces.push(piece)
  }
  return bytes > BODY_LIMIT ? undefined : Buffer.concat(pieces).toString()
}

/** Where a request goes, and its headers. */
const targetOf = (request: IncomingMessage): Target => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  return { method: request.method ?? 'GET', path: url.pathname, query: url.searchParams, headers: request.headers }
}

const sendJson = ({ response }: Channel, body: JsonObject, headers: Failure['headers'] = {}, status = 200): void => {
  response.writeHead(status, { ...JSON_TYPE, ...headers }).end(JSON.stringify(body))
}

const sendFailure = (channel: Channel, { status, headers, body }: Failure): void =>
  sendJson(channel, body, headers, status)

interface Routed {
  readonly wire: Wire
  readonly route: Route
  readonly target: Target
}

/** The first wire that has the request's path; undefined for none. */
const routeOf = (wires: readonly Wire[], target: Target): Routed | undefined => {
  for (const wire of wires) {
    const route = wire.route(target)
    if (route !== undefined) return { wire, route, target }
  }
  return undefined
}

type Understood = { readonly call: Call } | { readonly problem: Problem }

/** What is wrong with a request before any rule of its wire is looked at; else the call that it makes. */
const understand = (state: ServerState, routed: Routed, text: string | undefined): Understood => {
  const { wire, route, target } = routed
  const refuse = (condition: Condition, message: string): Understood => ({ problem: { condition, message } })
  if (text === undefined) return refuse('too-large', 'Request exceeds the maximum size')
  const body = parse(text)
  if (!isObject(body)) return refuse('bad-request', 'The request body is not valid JSON')
  const name = wire.modelOf(body, route)
  const model = state.models.find((served) => served.name === name && served.wires.includes(wire.name))
  if (model === undefined) return refuse('unknown-model', `model: ${name}`)
  const purpose = route.purpose === 'count' ? 'count' : 'reply'
  const account = wire.keyOf(target) ?? ''
  const isStream = wire.isStream(body, route)
  return { call: { purpose, body, model, account, headers: target.headers, isStream } }
}

/**
 * Answers by a fault that strikes before the headers of a reply; resolves when that is done, or the client has gone.
 */
const answerBeforeHeaders = async (wire: Wire, channel: Channel, fault: Fault): Promise<void> => {
  const { response } = channel
  if (fault.kind === 'refuse')
    sendFailure(channel, wire.failure({ condition: fault.as, message: messageOf(fault.as) }, fault.retryAfter))
  else if (fault.kind === 'html') response.writeHead(fault.status ?? 200, { 'content-type': 'text/html' }).end(PAGE)
  else if (fault.kind === 'empty') response.writeHead(200, streamType(wire)).end()
  else if (fault.kind === 'cut') await cut(channel)
  else await channel.closed
}

interface Outcome {
  readonly isComplete: boolean
  /** Output tokens that were sent. */
  readonly produced: number
  readonly reported: LedgerEntry['reported']
}

/** A line of the ledger: what was produced counts as output, with its exact cost. Throws where a price is missing. */
const ledgerEntry = (
  request: number,
  { wire, call, reply, bill }: { wire: Wire; call: Call; reply: PreparedReply; bill: InputBill },
  { isComplete, produced, reported }: Outcome,
): LedgerEntry => {
  const reasoningTokens = Math.min(reasoningTokensOf(reply), produced)
  const tokens = { ...bill, outputTokens: produced, reasoningTokens }
  const costFemto = costOf(tokens, call.model.prices)
  return {
    request,
    wire: wire.name,
    model: call.model.name,
    responseId: reply.id,
    tokens,
    reported,
    isComplete,
    costFemto,
    costNano: nanoOf(costFemto),
  }
}

/**
 * Answers a call by the next step, else by a reply made for it, and enters it in the ledger; recordings and refusals
 * are not entered.
 */
const answer = async (state: ServerState, wire: Wire, call: Call, channel: Channel): Promise<void> => {
  const request = state.requests.length - 1
  const { fault, reply: scripted, recording } = state.steps.shift() ?? {}
  if (fault !== undefined && isBeforeHeaders(fault)) return answerBeforeHeaders(wire, channel, fault)
  if (recording !== undefined) {
    const type = call.isStream ? streamType(wire) : JSON_TYPE
    channel.response.writeHead(200, type)
    channel.response.end('text' in recording ? recording.text : await readFile(recording.file))
    return
  }
  const ids = { reply: wire.newReplyId(), call: wire.newCallId }
  const reply = prepareReply(scripted ?? state.makeReply(call), ids, wire.maxOutputTokens(call))
  const bill = wire.bill(call)
  const enter = (outcome: Outcome): void => {
    state.ledger.push(ledgerEntry(request, { wire, call, reply, bill }, outcome))
  }
  if (call.isStream) {
    channel.response.writeHead(200, { ...streamType(wire), ...wire.replyHeaders(reply) })
    enter(await sendEvents(wire, wire.events(reply, call, bill), channel, fault))
  } else {
    const produced = outputTokensOf(reply)
    const reported = { ...bill, outputTokens: produced, reasoningTokens: reasoningTokensOf(reply) }
    enter({ isComplete: true, produced, reported })
    sendJson(channel, wire.whole(reply, call, bill), wire.replyHeaders(reply))
  }
}

/** Answers a request of a known path, in this order: key, list of models, rules, then count or reply. */
const answerRouted = async (
  state: ServerState,
  routed: Routed,
  text: string | undefined,
  channel: Channel,
  record: (problem?: Problem) => void,
): Promise<void> => {
  const { wire, route, target } = routed
  const key = wire.keyOf(target)
  const isKnown = key !== undefined && state.keys.has(key)
  if (isKnown && route.purpose === 'models') {
    record()
    sendJson(channel, wire.modelsAnswer(state.models.filter((model) => model.wires.includes(wire.name))))
    return
  }
  const wrongKey: Problem = { condition: 'auth', message: 'invalid API key' }
  const understood = isKnown ? understand(state, routed, text) : { problem: wrongKey }
  const problem = 'problem' in understood ? understood.problem : wire.check(understood.call)
  record(problem)
  if (problem !== undefined || 'problem' in understood) {
    sendFailure(channel, wire.failure(problem ?? wrongKey))
    return
  }
  const { call } = understood
  if (call.purpose === 'count') sendJson(channel, wire.countAnswer(wire.count(call)))
  else await answer(state, wire, call, channel)
}

/**
 * Answers one HTTP request, and records it with the reason where it was refused; a path of no wire is answered with
 * 404. Rejects where the client goes away while it is read.
 */
export const handle = async (state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (!state.keepsConnections) response.setHeader('connection', 'close')
  const target = targetOf(request)
  const text = await readBody(request)
  const routed = routeOf(state.wires, target)
  const record = (problem?: Problem): void => {
    state.requests.push({
      wire: routed?.wire.name,
      purpose: routed?.route.purpose,
      method: target.method,
      path: target.path,
      headers: target.headers,
      text: text ?? '',
      body: objectOf(parse(text ?? '')),
      problem,
    })
  }
  if (routed === undefined) {
    record({ condition: 'bad-request', message: `no wire has the path ${target.path}` })
    response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
  } else await answerRouted(state, routed, text, openChannel(response), record)
}
