/** The rules of a Chat Completions request, and its segments. */
import { isObject, listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import { countSegments, type Segment } from '../tokens.ts'
import type { Call, Problem } from '../wire.ts'
import { segmentOf } from './billing.ts'
import {
  checkBreakpoint,
  checkCacheOptions,
  checkChoice,
  checkEffort,
  checkFunctionTools,
  checkLimit,
  checkName,
  checkSampling,
  refuse,
  unknownField,
} from './errors.ts'

const FIELDS = new Set(
  (
    'frequency_penalty logit_bias max_completion_tokens max_tokens messages metadata model n parallel_tool_calls ' +
    'presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format ' +
    'safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_p user verbosity'
  ).split(' '),
)
const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

const messagesOf = (body: JsonObject): JsonObject[] => listOf(body.messages).map(objectOf)

const callsOf = (message: JsonObject): JsonObject[] => listOf(message.tool_calls).map(objectOf)

/** Everything that the model reads, in its order: tools, settings, then each part of each message. */
export const segmentsOf = (body: JsonObject): Segment[] => [
  ...listOf(body.tools).map((tool) => ({ text: `tool:${JSON.stringify(tool)}` })),
  { text: JSON.stringify([body.reasoning_effort ?? null, body.response_format ?? null]) },
  ...messagesOf(body).flatMap((message) => {
    const { content, ...rest } = message
    if (!Array.isArray(content)) return [{ text: JSON.stringify(message) }]
    const parts = (content as unknown[]).map((part) => segmentOf(textOf(message.role), part, body))
    return Object.keys(rest).length === 1 ? parts : [...parts, { text: JSON.stringify(rest) }]
  }),
]

type Rule = (call: Call) => Problem | undefined

/** Refuses unknown fields, limits, sampling, effort and cache settings that the model does not take. */
const checkFields: Rule = ({ body, model }) => {
  const isOld = 'max_tokens' in body && model.isReasoning === true
  const message =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
  const isPointless = body.stream_options !== undefined && body.stream !== true
  return (
    unknownField(body, FIELDS) ??
    (isOld ? refuse(message, 'max_tokens') : undefined) ??
    (isPointless
      ? refuse("'stream_options' is only allowed when 'stream' is enabled.", 'stream_options')
      : undefined) ??
    checkLimit(body, 'max_tokens', model, 1) ??
    checkLimit(body, 'max_completion_tokens', model, 1) ??
    checkSampling(body, model) ??
    checkEffort(body.reasoning_effort, 'reasoning_effort', model) ??
    checkCacheOptions(body, model)
  )
}

/** What is wrong with a message's content; undefined if nothing is. A reply with calls needs none. */
const checkContent = (message: JsonObject, path: string, call: Call): Problem | undefined => {
  const { role, content } = message
  if (content === undefined || content === null) {
    const hasOther = role === 'assistant' && (callsOf(message).length > 0 || typeof message.refusal === 'string')
    const text = `Invalid value for 'content': expected a string, got null.`
    return hasOther ? undefined : refuse(text, `${path}.content`)
  }
  if (typeof content !== 'string' && !Array.isArray(content))
    return refuse(`Invalid type for '${path}.content': expected a string or an array.`, `${path}.content`)
  const known = role === 'user' ? ['text', 'image_url', 'file'] : ['text', 'refusal']
  for (const [index, part] of listOf(content).map(objectOf).entries()) {
    if (!known.includes(textOf(part.type)))
      return refuse(`Invalid value: '${textOf(part.type)}'.`, `${path}.content[${index}].type`)
    const problem = checkBreakpoint(part, `${path}.content[${index}]`, call.model)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** What is wrong with a message's calls; undefined if nothing is. */
const checkCalls = (message: JsonObject, path: string): Problem | undefined => {
  for (const [index, call] of callsOf(message).entries()) {
    const at = `${path}.tool_calls[${index}]`
    if (call.type !== 'function') return refuse(`Invalid value: '${textOf(call.type)}'.`, `${at}.type`)
    if (textOf(call.id) === '') return refuse(`Missing required parameter: '${at}.id'.`, `${at}.id`)
    const problem = checkName(objectOf(call.function), `${at}.function`)
    if (problem !== undefined) return problem
    if (typeof objectOf(call.function).arguments !== 'string') {
      const param = `${at}.function.arguments`
      return refuse(`Invalid type for '${param}': expected a string, but got an object instead.`, param)
    }
  }
  return Array.isArray(message.tool_calls) && message.tool_calls.length === 0
    ? refuse(`Invalid '${path}.tool_calls': empty array.`, `${path}.tool_calls`)
    : undefined
}

/** Refuses no messages, unknown roles, and wrong content or calls. */
const checkMessages: Rule = (call) => {
  const messages = messagesOf(call.body)
  if (messages.length === 0) return refuse("Invalid 'messages': empty array.", 'messages')
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`
    if (!ROLES.has(textOf(message.role))) return refuse(`Invalid value: '${textOf(message.role)}'.`, `${path}.role`)
    const problem = checkContent(message, path, call) ?? checkCalls(message, path)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Refuses calls without a result right behind them, and results without a call. */
const checkPairs: Rule = ({ body }) => {
  let open = new Set<string>()
  const unanswered = (): Problem | undefined =>
    open.size === 0
      ? undefined
      : refuse(
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
            `The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
          'messages',
        )
  for (const [index, message] of messagesOf(body).entries()) {
    if (message.role === 'tool') {
      if (open.delete(textOf(message.tool_call_id))) continue
      return refuse(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        `messages[${index}].role`,
      )
    }
    const problem = unanswered()
    if (problem !== undefined) return problem
    const ids = callsOf(message).map(({ id }) => textOf(id))
    open = new Set(ids)
    if (open.size < ids.length) return refuse('Duplicate tool call ids.', `messages[${index}].tool_calls`)
  }
  return unanswered()
}

/** What Google's compatible API signs a call with. */
export const signatureOf = (callId: string): string => Buffer.from(`signed ${callId}`).toString('base64')
/** What it takes for a call that another model made. */
const FOREIGN = 'skip_thought_signature_validator'

/** Gemini 3: the first call of each reply of the running turn has its signature, and none has another one. */
const checkSignatures: Rule = ({ body, model }) => {
  if (model.requiresThoughtSignatures !== true) return undefined
  const messages = messagesOf(body)
  const turn = messages.findLastIndex(({ role }) => role === 'user')
  for (const [index, message] of messages.entries())
    for (const [number, call] of callsOf(message).entries()) {
      const signature = objectOf(objectOf(call.extra_content).google).thought_signature
      const param = `messages[${index}].tool_calls[${number}]`
      if (signature === undefined && number === 0 && index > turn)
        return refuse('Function call is missing a thought_signature in functionCall parts.', param)
      if (signature !== undefined && signature !== FOREIGN && signature !== signatureOf(textOf(call.id)))
        return refuse('Thought signature is not valid.', param)
    }
  return undefined
}

/** Refuses wrong tools, and a choice that is none of them. */
const checkTools: Rule = ({ body }) => {
  const tools = listOf(body.tools).map(objectOf)
  const problem = checkFunctionTools(tools, 'function')
  if (problem !== undefined) return problem
  const names = tools.map((tool) => textOf(objectOf(tool.function).name))
  return checkChoice(body.tool_choice, objectOf(objectOf(body.tool_choice).function).name, names)
}

/** Refuses a JSON schema without a name or a schema. */
const checkFormat: Rule = ({ body }) => {
  const { type, json_schema: schema } = objectOf(body.response_format)
  if (type !== 'json_schema') return undefined
  return textOf(objectOf(schema).name) !== '' && isObject(objectOf(schema).schema)
    ? undefined
    : refuse("Missing required parameter: 'response_format.json_schema'.", 'response_format.json_schema')
}

const RULES: readonly Rule[] = [checkFields, checkMessages, checkPairs, checkSignatures, checkTools, checkFormat]

/** What a scripted overflow tells. */
export const TOO_LONG =
  "This model's maximum context length is 400000 tokens. However, your messages resulted in 400123 tokens."

/**
 * What Chat Completions would refuse in a request: the first broken rule, or an input that is longer than the window;
 * undefined when it would take it.
 */
export const checkRules = (call: Call): Problem | undefined => {
  for (const rule of RULES) {
    const problem = rule(call)
    if (problem !== undefined) return problem
  }
  const tokens = countSegments(segmentsOf(call.body))
  const start = `This model's maximum context length is ${call.model.contextWindow} tokens.`
  return tokens > call.model.contextWindow
    ? {
        condition: 'too-long',
        message: `${start} However, your messages resulted in ${tokens} tokens.`,
        param: 'messages',
      }
    : undefined
}
