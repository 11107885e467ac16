/** The rules of a stateless Responses request, one function each; the first broken one is what the API reports. */
import { isObject, listOf, objectOf, textOf } from '../json.ts'
import { countSegments } from '../tokens.ts'
import type { Call, Problem } from '../wire.ts'
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
import type { IssuedItems } from './responses-items.ts'
import { itemsOf, outputParts, partsOf, segmentsOf, type Item } from './responses-request.ts'

const FIELDS = new Set(
  (
    'include input instructions max_output_tokens metadata model parallel_tool_calls previous_response_id ' +
    'prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream ' +
    'stream_options temperature text tool_choice tools top_p truncation user'
  ).split(' '),
)
const ITEMS = new Set(['message', 'reasoning', 'function_call', 'function_call_output'])
const PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  user: new Set(['', 'input_text', 'input_image', 'input_file']),
  system: new Set(['', 'input_text']),
  developer: new Set(['', 'input_text']),
  assistant: new Set(['', 'output_text', 'refusal']),
}
const LEAST_OUTPUT = 16

type Rule = (call: Call, issued: IssuedItems) => Problem | undefined

/** Refuses unknown fields, limits, sampling, effort and cache settings that the model does not take. */
const checkFields: Rule = ({ body, model }) =>
  unknownField(body, FIELDS) ??
  checkLimit(body, 'max_output_tokens', model, LEAST_OUTPUT) ??
  checkSampling(body, model) ??
  checkEffort(objectOf(body.reasoning).effort, 'reasoning.effort', model) ??
  checkCacheOptions(body, model)

/** Refuses what would have to be stored. */
const checkStateless: Rule = ({ body, purpose }) => {
  if (body.previous_response_id !== undefined && body.previous_response_id !== null)
    return refuse(
      'Previous response cannot be used for this organization due to Zero Data Retention.',
      'previous_response_id',
    )
  return purpose === 'reply' && body.store !== false
    ? refuse("'store' must be false for this organization due to Zero Data Retention.", 'store')
    : undefined
}

/** What is wrong with a message: its role, its parts or their breakpoints; undefined if nothing is. */
const checkMessage = (item: Item, call: Call): Problem | undefined => {
  const role = textOf(item.value.role)
  const known = PARTS[role]
  if (known === undefined) return refuse(`Invalid value: '${role}'.`, `${item.path}.role`)
  for (const { type, value, path } of partsOf(item)) {
    if (!known.has(type)) return refuse(`Invalid value: '${type}'.`, `${path}.type`)
    const isText = type !== 'input_image' && type !== 'input_file'
    if (isText && typeof (type === 'refusal' ? value.refusal : value.text) !== 'string')
      return refuse(`Invalid type for '${path}.text': expected a string.`, `${path}.text`)
    if (type === 'input_image' && textOf(value.image_url) === '' && textOf(value.file_id) === '')
      return refuse(`Invalid '${path}': expected an image_url or file_id.`, path)
    const problem = checkBreakpoint(value, path, call.model)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** What is wrong with a call or an output; undefined if nothing is. */
const checkCall = ({ type, value, path }: Item): Problem | undefined => {
  if (textOf(value.call_id) === '') return refuse(`Missing required parameter: '${path}.call_id'.`, `${path}.call_id`)
  if (type === 'function_call' && typeof value.arguments !== 'string')
    return refuse(`Invalid type for '${path}.arguments': expected a string.`, `${path}.arguments`)
  const problem = type === 'function_call' ? checkName(value, path) : undefined
  if (problem !== undefined) return problem
  const isOutput = typeof value.output === 'string' || Array.isArray(value.output)
  return type === 'function_call_output' && !isOutput
    ? refuse(`Invalid type for '${path}.output': expected a string or an array.`, `${path}.output`)
    : undefined
}

/** Refuses no items, unknown ones, and wrong messages, calls and outputs. */
const checkItems: Rule = (call) => {
  const items = itemsOf(call.body)
  if (items.length === 0) return refuse("Missing required parameter: 'input'.", 'input')
  for (const item of items) {
    if (!ITEMS.has(item.type)) return refuse(`Invalid value: '${item.type}'.`, `${item.path}.type`)
    if (item.type === 'message' || item.type === 'reasoning') {
      const problem = item.type === 'message' ? checkMessage(item, call) : undefined
      if (problem !== undefined) return problem
      continue
    }
    const problem = checkCall(item)
    if (problem !== undefined) return problem
    for (const part of outputParts(item))
      if (!['input_text', 'input_image', 'input_file'].includes(part.type))
        return refuse(`Invalid value: '${part.type}'.`, `${part.path}.type`)
  }
  return undefined
}

/** Refuses calls without an output before the user's next message, outputs without a call, and ids twice. */
const checkPairs: Rule = ({ body }) => {
  const called = new Set<string>()
  const answered = new Set<string>()
  for (const { type, value, path } of itemsOf(body)) {
    const id = textOf(value.call_id)
    if (type === 'function_call') {
      if (called.has(id)) return refuse(`Duplicate call_id '${id}'.`, path)
      called.add(id)
    } else if (type === 'function_call_output') {
      if (!called.has(id)) return refuse(`No tool call found for function call output with call_id ${id}.`, 'input')
      if (answered.has(id)) return refuse(`Duplicate function call output with call_id ${id}.`, 'input')
      answered.add(id)
    } else if (type === 'message' && value.role === 'user' && answered.size < called.size) break
  }
  const missing = [...called].find((id) => !answered.has(id))
  return missing === undefined ? undefined : refuse(`No tool output found for function call ${missing}.`, 'input')
}

/**
 * What is wrong with an item of reasoning; undefined if nothing is. `known`: the id that its content was issued for.
 */
const checkReasoningItem = (
  { value, path }: Item,
  next: Item | undefined,
  known: string | undefined,
): Problem | undefined => {
  const id = textOf(value.id)
  if (textOf(value.encrypted_content) === '')
    return refuse(`Item '${id}' not found. Items are not persisted when \`store\` is set to false.`, path)
  if (known === undefined || (id !== '' && known !== id) || !Array.isArray(value.summary))
    return refuse(`The encrypted content for item ${id} could not be verified.`, path)
  const isFollowed =
    next?.type === 'reasoning' || next?.type === 'function_call' || objectOf(next?.value).role === 'assistant'
  return isFollowed
    ? undefined
    : refuse(`Item '${id}' of type 'reasoning' was provided without its required following item.`, path)
}

/** Refuses reasoning that was not issued so, and items without the reasoning that belongs before them. */
const checkReasoning: Rule = ({ body, account }, { reasoningBefore, encrypted }) => {
  const items = itemsOf(body)
  for (const [index, item] of items.entries()) {
    const { type, value, path } = item
    if (type === 'reasoning') {
      const known = encrypted.get(`${account} ${textOf(value.encrypted_content)}`)
      const problem = checkReasoningItem(item, items[index + 1], known)
      if (problem !== undefined) return problem
    }
    const required = reasoningBefore.get(textOf(value.id))
    const before = items[index - 1]
    if (required === undefined || (before?.type === 'reasoning' && (before.value.id ?? required) === required)) continue
    const what = `Item '${textOf(value.id)}' of type '${type}'`
    return refuse(`${what} was provided without its required 'reasoning' item: '${required}'.`, path)
  }
  return undefined
}

/** Refuses wrong tools, and a choice that is none of them. */
const checkTools: Rule = ({ body }) => {
  const tools = listOf(body.tools).map(objectOf)
  const problem = checkFunctionTools(tools, '')
  if (problem !== undefined) return problem
  const names = tools.map(({ name }) => textOf(name))
  return checkChoice(body.tool_choice, objectOf(body.tool_choice).name, names)
}

/** Refuses a format that is neither text nor a JSON schema with a name. */
const checkFormat: Rule = ({ body }) => {
  const { format } = objectOf(body.text)
  if (format === undefined || objectOf(format).type === 'text') return undefined
  const { type, name, schema } = objectOf(format)
  return type === 'json_schema' && textOf(name) !== '' && isObject(schema)
    ? undefined
    : refuse("Missing required parameter: 'text.format.schema'.", 'text.format')
}

const RULES: readonly Rule[] = [
  checkFields,
  checkStateless,
  checkItems,
  checkPairs,
  checkReasoning,
  checkTools,
  checkFormat,
]

/**
 * What the Responses API would refuse in a request: the first broken rule, or an input that is longer than the window;
 * undefined when it would take it. `issued`: what this server gave.
 */
export const checkRules = (call: Call, issued: IssuedItems): Problem | undefined => {
  for (const rule of RULES) {
    const problem = rule(call, issued)
    if (problem !== undefined) return problem
  }
  return countSegments(segmentsOf(call.body)) > call.model.contextWindow
    ? { condition: 'too-long', message: TOO_LONG, param: 'input' }
    : undefined
}

export const TOO_LONG = 'Your input exceeds the context window of this model. Please adjust your input and try again.'
