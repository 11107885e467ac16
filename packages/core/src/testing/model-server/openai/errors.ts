/** OpenAI's errors, and what both of its wires have in common. */
import { isCount, listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import type { ServedModel } from '../models.ts'
import type { Condition, Failure, Problem, Target } from '../wire.ts'

interface ErrorForm {
  readonly status: number
  readonly type: string
  readonly code: string | null
  /** Without one, the problem's own is sent. */
  readonly message?: string
}

const INVALID = 'invalid_request_error'

const ERRORS: Readonly<Record<Condition, ErrorForm>> = {
  'bad-request': { status: 400, type: INVALID, code: 'invalid_value' },
  'too-long': { status: 400, type: INVALID, code: 'context_length_exceeded' },
  'too-large': { status: 413, type: INVALID, code: null, message: 'Request body is too large.' },
  auth: { status: 401, type: INVALID, code: 'invalid_api_key', message: 'Incorrect API key provided: test-***.' },
  forbidden: {
    status: 403,
    type: INVALID,
    code: null,
    message: 'You have insufficient permissions for this operation.',
  },
  quota: {
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  'unknown-model': { status: 404, type: INVALID, code: 'model_not_found' },
  'rate-limit': {
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.',
  },
  overloaded: {
    status: 503,
    type: 'service_unavailable_error',
    code: 'server_is_overloaded',
    message: 'Our servers are currently overloaded. Please try again later.',
  },
  unavailable: { status: 502, type: 'server_error', code: null, message: 'Bad gateway.' },
  'server-error': {
    status: 500,
    type: 'server_error',
    code: 'server_error',
    message: 'The server had an error while processing your request. Sorry about that!',
  },
}

/**
 * Message, type, parameter and code of an error, as OpenAI writes them. `tooLong`: the message for an input that is too
 * long and has none of its own.
 */
export const errorJson = ({ condition, message, param }: Problem, tooLong: string): JsonObject => {
  const { type, code, message: fixed } = ERRORS[condition]
  const own = condition === 'too-long' ? (message.includes('context') ? message : tooLong) : message
  const name = condition === 'unknown-model' ? message.replace('model: ', '') : undefined
  const unknown =
    name === undefined ? undefined : `The model \`${name}\` does not exist or you do not have access to it.`
  return { message: unknown ?? fixed ?? own, type, param: param ?? null, code }
}

/** The HTTP answer of an error. `retryAfter`: the header's value, left out without one. */
export const failureOf = (problem: Problem, tooLong: string, requestId: string, retryAfter?: string): Failure => ({
  status: ERRORS[problem.condition].status,
  headers: { 'x-request-id': requestId, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
  body: { error: errorJson(problem, tooLong) },
})

/** The key of an `Authorization: Bearer` header; undefined where there is none. */
export const bearerOf = ({ headers }: Target): string | undefined =>
  /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]

/** The answer to a request for the list of models, in the order of `models`; all have the same date and owner. */
export const modelList = (models: readonly ServedModel[]): JsonObject => ({
  object: 'list',
  data: models.map(({ name }) => ({ id: name, object: 'model', created: 1_767_225_600, owned_by: 'openai' })),
})

/** Whether a request is for OpenAI's list of models, and not for Anthropic's, which has the same path. */
export const isModelList = ({ method, path, headers }: Target): boolean =>
  method === 'GET' && path === '/v1/models' && headers['anthropic-version'] === undefined

/** A problem that is answered as a bad request; `param` names the field. */
export const refuse = (message: string, param?: string): Problem => ({
  condition: 'bad-request',
  message,
  ...(param !== undefined && { param }),
})

/** The problem with the first field that the wire does not know; undefined when it knows all. */
export const unknownField = (body: JsonObject, known: ReadonlySet<string>): Problem | undefined => {
  const field = Object.keys(body).find((name) => !known.has(name))
  return field === undefined ? undefined : refuse(`Unknown parameter: '${field}'.`, field)
}

/**
 * What is wrong with the limit of a reply: no whole number from `least` to what the model gives; undefined when it is
 * right, or missing.
 */
export const checkLimit = (body: JsonObject, field: string, model: ServedModel, least: number): Problem | undefined => {
  const limit = body[field]
  if (limit === undefined || limit === null) return undefined
  if (!isCount(limit) || limit < least)
    return refuse(`Invalid '${field}': expected a value >= ${least}, but got ${JSON.stringify(limit)} instead.`, field)
  return limit > model.maxOutputTokens
    ? refuse(`${field} is too large: ${limit}. This model supports at most ${model.maxOutputTokens} tokens.`, field)
    : undefined
}

const UNSUPPORTED = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias']

/** What reasoning models don't take, and others do: the first such field; undefined without any. */
export const checkSampling = (body: JsonObject, model: ServedModel): Problem | undefined => {
  const field = model.isReasoning === true ? UNSUPPORTED.find((name) => name in body) : undefined
  return field === undefined
    ? undefined
    : refuse(`Unsupported parameter: '${field}' is not supported with this model.`, field)
}

const EFFORTS = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])

/**
 * What is wrong with an effort: a model that does not reason, or a value that is none; undefined when it is right, or
 * missing.
 */
export const checkEffort = (effort: unknown, param: string, model: ServedModel): Problem | undefined => {
  if (effort === undefined || effort === null) return undefined
  if (model.isReasoning !== true && model.reasoningField === undefined)
    return refuse(`Unsupported parameter: '${param}' is not supported with this model.`, param)
  return EFFORTS.has(textOf(effort)) ? undefined : refuse(`Invalid value: '${textOf(effort)}'.`, param)
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** What is wrong with the name of a function, where it is defined and where it was called; undefined when it is right. */
export const checkName = ({ name }: JsonObject, param: string): Problem | undefined =>
  NAME.test(textOf(name))
    ? undefined
    : refuse(`Invalid '${param}.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`, `${param}.name`)

/**
 * What is wrong with a function as both wires define it (they differ in where it stands): its name, or its schema;
 * undefined when it is right.
 */
const checkFunction = (definition: JsonObject, param: string): Problem | undefined => {
  const name = textOf(definition.name)
  const problem = checkName(definition, param)
  if (problem !== undefined) return problem
  const schema = objectOf(definition.parameters)
  const start = `Invalid schema for function '${name}'`
  if (definition.parameters !== undefined && schema.type !== 'object')
    return refuse(`${start}: schema must be a JSON Schema of 'type: "object"'.`, `${param}.parameters`)
  if (definition.strict !== true) return undefined
  if (schema.additionalProperties !== false)
    return refuse(`${start}: 'additionalProperties' is required to be supplied and to be false.`, `${param}.parameters`)
  const required = new Set(listOf(schema.required))
  return Object.keys(objectOf(schema.properties)).every((property) => required.has(property))
    ? undefined
    : refuse(
        `${start}: 'required' is required to be an array including every key in properties.`,
        `${param}.parameters`,
      )
}

/**
 * What is wrong with the tools of a request, which are functions; undefined when nothing is. `within`: the field of a
 * tool that holds its function, '' where the tool is one itself.
 */
export const checkFunctionTools = (tools: readonly JsonObject[], within: 'function' | ''): Problem | undefined => {
  for (const [index, tool] of tools.entries()) {
    const param = `tools[${index}]`
    if (tool.type !== 'function') return refuse(`Invalid value: '${textOf(tool.type)}'.`, `${param}.type`)
    const problem =
      within === '' ? checkFunction(tool, param) : checkFunction(objectOf(tool[within]), `${param}.${within}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

/**
 * What is wrong with a tool choice: an unknown word, a tool that is not there, or no tools at all; undefined when it is
 * right, or missing. `chosen`: the name in a choice that names one.
 */
export const checkChoice = (choice: unknown, chosen: unknown, names: readonly string[]): Problem | undefined => {
  if (choice === undefined || choice === null) return undefined
  if (typeof choice === 'string') {
    if (!['auto', 'required', 'none'].includes(choice)) return refuse(`Invalid value: '${choice}'.`, 'tool_choice')
  } else if (!names.includes(textOf(chosen)))
    return refuse(`Tool choice '${textOf(chosen)}' not found in 'tools' parameter.`, 'tool_choice')
  return names.length === 0
    ? refuse("'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice')
    : undefined
}

const LIFETIMES = new Set([undefined, '30m', '12h'])

/** What is wrong with the cache options of a request, its lifetime and mode; undefined when they are right, or missing. */
export const checkCacheOptions = (body: JsonObject, model: ServedModel): Problem | undefined => {
  const param = 'prompt_cache_options'
  if (body[param] === undefined) return undefined
  if (model.billsCacheWrites !== true)
    return refuse(`Unsupported parameter: '${param}' is not supported with this model.`, param)
  const { ttl, mode } = objectOf(body[param])
  if (!LIFETIMES.has(ttl as string | undefined))
    return refuse(`Invalid value: '${textOf(ttl)}'. Supported values are: '30m' and '12h'.`, `${param}.ttl`)
  return [undefined, 'implicit', 'explicit'].includes(mode as string | undefined)
    ? undefined
    : refuse(`Invalid value: '${textOf(mode)}'.`, `${param}.mode`)
}

/** What is wrong with the breakpoint of a part of the content; undefined when it is right, or missing. */
export const checkBreakpoint = (value: JsonObject, param: string, model: ServedModel): Problem | undefined => {
  if (value.prompt_cache_breakpoint === undefined || value.prompt_cache_breakpoint === null) return undefined
  const { mode, ttl } = objectOf(value.prompt_cache_breakpoint)
  if (model.billsCacheWrites !== true || mode !== 'explicit' || !LIFETIMES.has(ttl as string | undefined))
    return refuse(`Invalid '${param}.prompt_cache_breakpoint'.`, `${param}.prompt_cache_breakpoint`)
  return undefined
}
