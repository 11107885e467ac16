/**
 * A session as traces of the GenAI conventions: one a turn, with the agent at work as its root and requests and tool calls
 * below it. What people and models wrote is in them only where it is asked for.
 */
import type { ChangedRequest, SyncSession } from '../../ports/sync-storage.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { modelAttributes, usageAttributes } from './genai-attributes.ts'
import type { LoggedCall, LoggedTurn, SessionActivity } from './session-activity.ts'
import { spanIdOf, traceIdOf, type Attributes, type AttributeValue, type Span } from './span.ts'

/** A request with the time when it was over, ms. */
interface TimedRequest {
  readonly request: ChangedRequest
  readonly at: number
}

interface SessionTraces {
  readonly session: SyncSession
  /** All of them with a time, in the order of their times. */
  readonly requests: readonly TimedRequest[]
  readonly activity: SessionActivity
  /** Tell the project's folder name and the branch. */
  readonly hasNames: boolean
}

/** A longer wait before a reply is a person's or a stopped program's, ms. */
const LONGEST_REQUEST_MS = 600_000

/** A request's spans: its own, and those of the tool calls that it asked for. */
interface RequestSpans {
  readonly fact: RequestFact
  readonly turn: number
  readonly spans: readonly Span[]
  /** A tool call of it has no result yet. */
  readonly isOpen: boolean
}

/** Spans of a session, by its requests' rows, and the roots of its turns. */
export interface SessionSpans {
  readonly byRow: ReadonlyMap<number, RequestSpans>
  /** The root of a turn. */
  readonly rootOf: (turn: number) => Span
}

/**
 * The spans of all requests of a session, by row: each request's own, then those of its calls. `rootOf` gives the span
 * of a turn, which covers its requests; a request is open while one of its calls has no result.
 */
export const sessionSpans = (traces: SessionTraces): SessionSpans => {
  const callsOf = callsByRequest(traces)
  const byRow = new Map<number, RequestSpans>()
  const ends = new Map<number, { first: number; last: number }>()
  for (const timed of traces.requests) {
    const turn = turnOf(timed, traces.activity)
    const calls = callsOf.get(timed.request.row) ?? []
    const spans = [requestSpan(timed, turn, traces), ...calls.map((call) => callSpan(call, timed, turn, traces))]
    byRow.set(timed.request.row, {
      fact: timed.request.fact,
      turn,
      spans,
      isOpen: calls.some(({ result }) => result === undefined),
    })
    const known = ends.get(turn)
    ends.set(turn, {
      first: Math.min(known?.first ?? timed.at, ...spans.map(({ startMs }) => startMs)),
      last: Math.max(known?.last ?? timed.at, ...spans.map(({ endMs }) => endMs)),
    })
  }
  return { byRow, rootOf: (turn) => rootSpan(turn, ends.get(turn), traces) }
}

const NO_TURN: LoggedTurn = { id: '', at: null, endAt: null, text: undefined }

/** The ids of a turn's root span: the same for the same session and turn, whenever they are made. */
const turnIds = ({ session, activity }: SessionTraces, turn: number): { traceId: string; spanId: string } => {
  const { id } = activity.turns[turn] ?? NO_TURN
  return { traceId: traceIdOf(session.id, id), spanId: spanIdOf('turn', session.id, id) }
}

/** Index of the turn that a request belongs to: its reply's, else that at its time. 0 if none was before it. */
const turnOf = ({ request, at }: TimedRequest, { turns, replies }: SessionActivity): number => {
  const known = replies.get(request.call)
  if (known !== undefined) return known.turn
  return Math.max(
    0,
    turns.findLastIndex((turn) => turn.at !== null && turn.at <= at),
  )
}

/**
 * The tool calls of each request, by its row: of its reply, else of the last request before the call. A call before all
 * requests is left out. One without a time goes to the last request.
 */
const callsByRequest = ({ requests, activity }: SessionTraces): ReadonlyMap<number, readonly LoggedCall[]> => {
  const rows = new Map(requests.map(({ request }) => [request.call, request.row]))
  const calls = new Map<number, LoggedCall[]>()
  for (const call of activity.calls) {
    const row =
      (call.reply === undefined ? undefined : rows.get(call.reply)) ??
      requests[lastUntil(requests, call.at ?? Number.POSITIVE_INFINITY)]?.request.row
    if (row === undefined) continue
    const known = calls.get(row)
    if (known === undefined) calls.set(row, [call])
    else known.push(call)
  }
  return calls
}

/** Index of the last of ascending times that is not after `at`; −1 where all are. */
const lastUntil = (times: readonly { readonly at: number }[], at: number): number => {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle]?.at ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The attributes of all spans; project and branch only with `hasNames`. The project is the last part of its path. */
const commonAttributes = ({ session, hasNames }: SessionTraces): Attributes => ({
  'gen_ai.conversation.id': session.id,
  ...(hasNames && session.workspace !== undefined
    ? { 'cairn.project': session.workspace.split(/[\\/]/).findLast((part) => part !== '') ?? session.workspace }
    : {}),
  ...(hasNames && session.branch !== undefined ? { 'vcs.ref.head.name': session.branch } : {}),
})

/** The span of a whole turn; it is longer than its entries if its requests are. */
const rootSpan = (turn: number, ends: { first: number; last: number } | undefined, traces: SessionTraces): Span => {
  const { session, activity } = traces
  const { at, endAt, text } = activity.turns[turn] ?? NO_TURN
  const startMs = Math.min(...[at, ends?.first].filter((time) => time !== null && time !== undefined))
  const input = [{ role: 'user', parts: [{ type: 'text', content: text }] }]
  return {
    ...turnIds(traces, turn),
    name: `invoke_agent ${session.agent}`,
    kind: 'internal',
    startMs,
    endMs: Math.max(startMs, endAt ?? startMs, ends?.last ?? startMs),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': session.agent,
      ...commonAttributes(traces),
      ...(text !== undefined ? { 'gen_ai.input.messages': JSON.stringify(input) } : {}),
    },
    isError: false,
  }
}

/**
 * The span of a request. Without a measured time it begins at the newest message before it that its model was to answer
 * (of the same subagent, or the main conversation), and says that it is estimated; if that is more than
 * `LONGEST_REQUEST_MS` earlier, or there is none, it has no length.
 */
const requestSpan = ({ request, at }: TimedRequest, turn: number, traces: SessionTraces): Span => {
  const { fact, call } = request
  const { replies, inputTimes } = traces.activity
  const reply = replies.get(call)
  const measured = fact.latency?.totalMs
  const times = inputTimes.get(fact.subagent ?? '') ?? []
  const asked = times[lastUntil(times, at - 1)]?.at
  const isEstimated = measured === undefined && asked !== undefined && at - asked <= LONGEST_REQUEST_MS
  const attributes: Record<string, AttributeValue> = {
    ...modelAttributes(fact),
    ...commonAttributes(traces),
    ...usageAttributes(fact),
  }
  if (reply !== undefined) attributes['gen_ai.response.id'] = reply.responseId
  if (fact.subagent !== undefined) attributes['gen_ai.agent.name'] = fact.subagent
  if (isEstimated) attributes['cairn.duration.estimated'] = true
  if (reply !== undefined && reply.parts.length > 0)
    attributes['gen_ai.output.messages'] = JSON.stringify([{ role: 'assistant', parts: reply.parts }])
  const { traceId, spanId: parentId } = turnIds(traces, turn)
  return {
    traceId,
    spanId: spanIdOf('request', call),
    parentId,
    name: `chat ${fact.model}`,
    kind: 'client',
    startMs: isEstimated ? asked : at - (measured ?? 0),
    endMs: at,
    attributes,
    isError: false,
  }
}

/**
 * The span of a tool call. It begins when its request was over if the log does not tell its time; without a result, or
 * the result's time, it has no length.
 */
const callSpan = (call: LoggedCall, { at }: TimedRequest, turn: number, traces: SessionTraces): Span => {
  const { id, name, result, key, argumentsText } = call
  const startMs = call.at ?? at
  const isError = result?.isError === true
  const { traceId, spanId: parentId } = turnIds(traces, turn)
  return {
    traceId,
    spanId: spanIdOf('tool', traces.session.id, key),
    parentId,
    name: `execute_tool ${name}`,
    kind: 'internal',
    startMs,
    endMs: Math.max(startMs, result?.at ?? startMs),
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      ...commonAttributes(traces),
      ...(isError ? { 'error.type': 'tool_error' } : {}),
      ...(argumentsText === undefined ? {} : { 'gen_ai.tool.call.arguments': argumentsText }),
      ...(result?.text === undefined ? {} : { 'gen_ai.tool.call.result': result.text }),
    },
    isError,
  }
}
