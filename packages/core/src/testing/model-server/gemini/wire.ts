/** Gemini: `/v1beta/models/<model>:generateContent`, `:streamGenerateContent?alt=sse`, `:countTokens`, `/v1beta/models`. */
import { createHmac, randomBytes } from 'node:crypto'
import { billAutomatic, STEP } from '../automatic-cache.ts'
import { isCount, objectOf, textOf, type JsonObject } from '../json.ts'
import { createPrefixCache } from '../prefix-cache.ts'
import { countSegments, steppedPrefixes } from '../tokens.ts'
import type { Call, Condition, Failure, Problem, Route, Target, Wire } from '../wire.ts'
import { contentEvents, wholeContent, type Sign } from './events.ts'
import { requestOf, segmentsOf } from './request.ts'
import { checkRules, signedOf } from './rules.ts'

interface ErrorForm {
  readonly code: number
  readonly status: string
  /** Without one, the problem's own is sent. */
  readonly message?: string
}

const QUOTA = 'You exceeded your current quota, please check your plan and billing details.'

const ERRORS: Readonly<Record<Condition, ErrorForm>> = {
  'bad-request': { code: 400, status: 'INVALID_ARGUMENT' },
  'too-long': { code: 400, status: 'INVALID_ARGUMENT' },
  'too-large': {
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'Request payload size exceeds the limit: 20971520 bytes.',
  },
  auth: { code: 400, status: 'INVALID_ARGUMENT', message: 'API key not valid. Please pass a valid API key.' },
  forbidden: { code: 403, status: 'PERMISSION_DENIED', message: 'The caller does not have permission' },
  quota: { code: 429, status: 'RESOURCE_EXHAUSTED', message: QUOTA },
  'unknown-model': { code: 404, status: 'NOT_FOUND' },
  'rate-limit': { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Resource has been exhausted (e.g. check quota).' },
  overloaded: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
  unavailable: { code: 503, status: 'UNAVAILABLE', message: 'The service is currently unavailable.' },
  'server-error': { code: 500, status: 'INTERNAL', message: 'An internal error has occurred.' },
}
const SCRIPTED_TOO_LONG = 'The input token count (1048700) exceeds the maximum number of tokens allowed (1048576).'
const TYPE = 'type.googleapis.com/google.rpc.'

/** The details of an error: its reason, the quota, and how long to wait. */
const detailsOf = (condition: Condition, retryAfter: string | undefined): JsonObject[] => {
  if (condition === 'auth')
    return [{ '@type': `${TYPE}ErrorInfo`, reason: 'API_KEY_INVALID', domain: 'googleapis.com' }]
  const perDay = condition === 'quota' ? 'GenerateRequestsPerDayPerProjectPerModel' : 'GenerateRequestsPerMinute'
  const violations = { '@type': `${TYPE}QuotaFailure`, violations: [{ quotaId: perDay }] }
  const isSeconds = /^\d+$/.test(retryAfter ?? '')
  return [
    ...(condition === 'quota' || condition === 'rate-limit' ? [violations] : []),
    ...(isSeconds ? [{ '@type': `${TYPE}RetryInfo`, retryDelay: `${retryAfter}s` }] : []),
  ]
}

/** An error as Gemini's API tells it. */
const errorBody = ({ condition, message }: Problem, retryAfter?: string): JsonObject => {
  const { code, status, message: fixed } = ERRORS[condition]
  const name = message.replace('model: ', '')
  const unknown = `models/${name} is not found for API version v1beta, or is not supported for generateContent.`
  const tooLong = message.startsWith('The input token count') ? message : SCRIPTED_TOO_LONG
  const own = condition === 'unknown-model' ? unknown : condition === 'too-long' ? tooLong : message
  const details = detailsOf(condition, retryAfter)
  return { error: { code, message: fixed ?? own, status, ...(details.length > 0 && { details }) } }
}

/** An error as an answer, with the header that says how long to wait, if given. */
const failure = (problem: Problem, retryAfter?: string): Failure => ({
  status: ERRORS[problem.condition].code,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: errorBody(problem, retryAfter),
})

/** What a request is for; undefined for other paths. */
const routeOf = ({ method, path, query }: Target): Route | undefined => {
  if (method === 'GET' && path === '/v1beta/models') return { purpose: 'models' }
  const [, model, verb] = /^\/v1beta\/models\/([^/:]+):(\w+)$/.exec(path) ?? []
  if (method !== 'POST' || model === undefined) return undefined
  if (verb === 'generateContent') return { purpose: 'reply', model, isStream: false }
  if (verb === 'countTokens') return { purpose: 'count', model }
  const isStream = verb === 'streamGenerateContent' && query.get('alt') === 'sse'
  return isStream ? { purpose: 'reply', model, isStream } : undefined
}

const keyOf = ({ headers, query }: Target): string | undefined =>
  textOf(headers['x-goog-api-key']) || (query.get('key') ?? undefined)

/** Gemini's API, with its own rules, bills and errors. `now`: ms, for its cache. */
export const createGeminiWire = (now: () => number): Wire => {
  const cache = createPrefixCache(now)
  const secret = randomBytes(32)
  const issued = new Set<string>()
  let numbers = 0
  const newId = (prefix: string): string => `${prefix}${String((numbers += 1)).padStart(20, '0')}`
  const signFor =
    (account: string): Sign =>
    (part) => {
      const thoughtSignature = createHmac('sha256', secret).update(newId('')).digest('base64')
      issued.add(`${account} ${thoughtSignature} ${signedOf(part)}`)
      return { ...part, thoughtSignature }
    }
  return {
    name: 'gemini',
    route: routeOf,
    keyOf,
    modelOf: (_body, route) => route.model ?? '',
    isStream: (_body, route) => route.isStream === true,
    check: (call) => checkRules(call, issued),
    count: ({ body }) => countSegments(segmentsOf(body)),
    maxOutputTokens: ({ body, model }: Call) => {
      const most = objectOf(requestOf(body).generationConfig).maxOutputTokens
      return isCount(most) ? most : model.maxOutputTokens
    },
    bill: (call) => {
      const segments = segmentsOf(call.body)
      const scope = JSON.stringify([call.account, call.model.name])
      return billAutomatic(cache, call, countSegments(segments), steppedPrefixes(scope, segments, STEP))
    },
    newReplyId: () => newId('reply'),
    newCallId: () => newId('call'),
    events: (reply, call, bill) => contentEvents(reply, call, bill, signFor(call.account)),
    whole: (reply, call, bill) => wholeContent(reply, call, bill, signFor(call.account)),
    countAnswer: (totalTokens) => ({ totalTokens }),
    modelsAnswer: (models) => ({
      models: models.map(({ name, contextWindow, maxOutputTokens }) => ({
        name: `models/${name}`,
        displayName: name,
        inputTokenLimit: contextWindow,
        outputTokenLimit: maxOutputTokens,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
      })),
    }),
    failure,
    errorEvent: (problem) => ({ data: errorBody(problem) }),
    unknownEvent: () => ({ data: { weatherReport: { sky: 'clear' } } }),
    replyHeaders: () => ({}),
  }
}
