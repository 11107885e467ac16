/** Anthropic's Messages API: `/v1/messages`, `/v1/messages/count_tokens`, `/v1/models`. */
import { isCount, textOf, type JsonObject } from '../json.ts'
import type { PreparedReply } from '../reply.ts'
import { countSegments } from '../tokens.ts'
import type { Call, Condition, Failure, Problem, Route, Target, Wire } from '../wire.ts'
import { createBilling } from './billing.ts'
import { messageEvents, wholeMessage } from './events.ts'
import { segmentsOf } from './request.ts'
import { checkRules } from './rules.ts'
import { createSignatures } from './signatures.ts'

interface ErrorForm {
  readonly status: number
  readonly type: string
  readonly message?: string
  readonly details?: JsonObject
}

/** Without a message, the problem's own is sent. */
const ERRORS: Readonly<Record<Condition, ErrorForm>> = {
  'bad-request': { status: 400, type: 'invalid_request_error' },
  'too-long': { status: 400, type: 'invalid_request_error' },
  'too-large': { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' },
  auth: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  forbidden: {
    status: 403,
    type: 'permission_error',
    message: 'Your API key does not have permission to use the specified resource.',
  },
  quota: {
    status: 429,
    type: 'rate_limit_error',
    message: 'You have reached your specified API usage limits.',
    details: { error_code: 'enforced_spend_limit_reached' },
  },
  'unknown-model': { status: 404, type: 'not_found_error' },
  'rate-limit': {
    status: 429,
    type: 'rate_limit_error',
    message: "This request would exceed your organization's rate limit of 50,000 input tokens per minute.",
  },
  overloaded: { status: 529, type: 'overloaded_error', message: 'Overloaded' },
  unavailable: { status: 503, type: 'api_error', message: 'Service unavailable' },
  'server-error': { status: 500, type: 'api_error', message: 'Internal server error' },
}

const SCRIPTED_TOO_LONG = 'prompt is too long: 1000321 tokens > 1000000 maximum'

/** An error as Anthropic's API tells it. */
const errorBody = (problem: Problem, requestId: string): JsonObject => {
  const { type, message, details } = ERRORS[problem.condition]
  const text =
    problem.condition === 'too-long' && !problem.message.startsWith('prompt') ? SCRIPTED_TOO_LONG : problem.message
  const error = { type, message: message ?? text, ...(details !== undefined && { details }) }
  return { type: 'error', error, request_id: requestId }
}

/** What a request is for; undefined for other paths. */
const routeOf = ({ method, path, headers }: Target): Route | undefined => {
  if (method === 'POST' && path === '/v1/messages') return { purpose: 'reply' }
  if (method === 'POST' && path === '/v1/messages/count_tokens') return { purpose: 'count' }
  const isModels = method === 'GET' && path === '/v1/models' && headers['anthropic-version'] !== undefined
  return isModels ? { purpose: 'models' } : undefined
}

/** The key of a request, from either header; undefined without one. */
const keyOf = ({ headers }: Target): string | undefined => {
  const [, bearer] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
  return bearer ?? (textOf(headers['x-api-key']) || undefined)
}

/** Anthropic's Messages API, with its own rules, bills and errors. `now`: ms, for its cache. */
export const createAnthropicWire = (now: () => number): Wire => {
  const signatures = createSignatures()
  let numbers = 0
  const newId = (prefix: string): string => `${prefix}_${String((numbers += 1)).padStart(24, '0')}`
  const failure = (problem: Problem, retryAfter?: string): Failure => {
    const requestId = newId('req')
    const wait = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    const { status } = ERRORS[problem.condition]
    return { status, headers: { 'request-id': requestId, ...wait }, body: errorBody(problem, requestId) }
  }
  return {
    name: 'anthropic',
    route: routeOf,
    keyOf,
    modelOf: (body) => textOf(body.model),
    isStream: (body) => body.stream === true,
    check: (call) => checkRules(call) ?? signatures.check(call),
    count: (call) => countSegments(segmentsOf(call.body)),
    maxOutputTokens: ({ body, model }: Call) => (isCount(body.max_tokens) ? body.max_tokens : model.maxOutputTokens),
    bill: createBilling(now),
    newReplyId: () => newId('msg'),
    newCallId: () => newId('toolu'),
    events: (reply: PreparedReply, call, bill) => messageEvents(reply, call, bill, signatures.sign(call, reply)),
    whole: (reply, call, bill) => wholeMessage(reply, call, bill, signatures.sign(call, reply)),
    countAnswer: (tokens) => ({ input_tokens: tokens }),
    modelsAnswer: (models) => ({
      data: models.map(({ name, contextWindow, maxOutputTokens }) => ({
        type: 'model',
        id: name,
        display_name: name,
        created_at: '2026-01-01T00:00:00Z',
        max_input_tokens: contextWindow,
        max_tokens: maxOutputTokens,
      })),
      has_more: false,
      first_id: models[0]?.name ?? null,
      last_id: models.at(-1)?.name ?? null,
    }),
    failure,
    errorEvent: (problem) => ({ name: 'error', data: errorBody(problem, newId('req')) }),
    unknownEvent: () => ({ name: 'weather_report', data: { type: 'weather_report', sky: 'clear' } }),
    replyHeaders: () => ({ 'request-id': newId('req') }),
  }
}
