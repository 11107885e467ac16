/** OpenAI's Responses API without state: `/v1/responses`, `/v1/responses/input_tokens`, `/v1/models`. */
import { isCount, textOf } from '../json.ts'
import { countSegments } from '../tokens.ts'
import type { Route, Target, Wire } from '../wire.ts'
import { createBilling } from './billing.ts'
import { bearerOf, errorJson, failureOf, isModelList, modelList } from './errors.ts'
import { finalResponse, responseEvents } from './responses-events.ts'
import { createItems } from './responses-items.ts'
import { segmentsOf } from './responses-request.ts'
import { checkRules, TOO_LONG } from './responses-rules.ts'

/** What a request is for; undefined for other paths. */
const routeOf = (target: Target): Route | undefined => {
  if (isModelList(target)) return { purpose: 'models' }
  if (target.method !== 'POST') return undefined
  if (target.path === '/v1/responses') return { purpose: 'reply' }
  return target.path === '/v1/responses/input_tokens' ? { purpose: 'count' } : undefined
}

/** Errors that come as an event of their own; the others make the response fail. */
const ERROR_EVENTS = new Set(['overloaded', 'unavailable', 'server-error'])

/** OpenAI's Responses API, with its own rules, bills and errors. `now`: ms, for its cache. */
export const createResponsesWire = (now: () => number): Wire => {
  let numbers = 0
  const newId = (prefix: string): string => `${prefix}_${String((numbers += 1)).padStart(24, '0')}`
  const { outputOf, issued } = createItems(newId)
  return {
    name: 'openai-responses',
    route: routeOf,
    keyOf: bearerOf,
    modelOf: (body) => textOf(body.model),
    isStream: (body) => body.stream === true,
    check: (call) => checkRules(call, issued),
    count: ({ body }) => countSegments(segmentsOf(body)),
    maxOutputTokens: ({ body, model }) =>
      isCount(body.max_output_tokens) ? body.max_output_tokens : model.maxOutputTokens,
    bill: createBilling(now, segmentsOf),
    newReplyId: () => newId('resp'),
    newCallId: () => newId('call'),
    events: (reply, call, bill) => responseEvents(reply, call, bill, outputOf(reply, call)),
    whole: (reply, call, bill) => finalResponse(reply, call, bill, outputOf(reply, call)),
    countAnswer: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
    modelsAnswer: modelList,
    failure: (problem, retryAfter) => failureOf(problem, TOO_LONG, newId('req'), retryAfter),
    errorEvent: (problem) => {
      const { message, code, param } = errorJson(problem, TOO_LONG)
      if (ERROR_EVENTS.has(problem.condition))
        return { name: 'error', data: { type: 'error', sequence_number: 99, code, message, param } }
      const response = { id: newId('resp'), object: 'response', status: 'failed', error: { code, message }, output: [] }
      const type = 'response.failed'
      return { name: type, data: { type, sequence_number: 99, response } }
    },
    unknownEvent: () => ({
      name: 'response.weather.report',
      data: { type: 'response.weather.report', sequence_number: 98, sky: 'clear' },
    }),
    replyHeaders: () => ({ 'x-request-id': newId('req') }),
  }
}
