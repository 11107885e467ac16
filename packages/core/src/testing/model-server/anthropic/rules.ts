/** The rules of a Messages request, one function each; the first broken one is what the API reports. */
import { imageSize } from '../images.ts'
import { isCount, isObject, listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import type { ServedModel } from '../models.ts'
import { countSegments } from '../tokens.ts'
import type { Call, Problem } from '../wire.ts'
import { innerBlocks, lifetimeOf, segmentsOf, systemBlocks, toolBlocks, turnsOf, type Block } from './request.ts'
import { checkTools } from './tool-rules.ts'

const VERSIONS = new Set(['2023-06-01', '2026-10-21'])
const FIELDS = new Set(
  (
    'max_tokens messages model cache_control container diagnostics inference_geo metadata output_config service_tier ' +
    'speed stop_sequences stream system thinking tool_choice tools user_profile_id workspace_id'
  ).split(' '),
)
const SAMPLING = new Set(['temperature', 'top_p', 'top_k'])
const BLOCKS: Readonly<Record<string, ReadonlySet<string>>> = {
  user: new Set(['text', 'image', 'document', 'tool_result', 'search_result']),
  assistant: new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']),
  system: new Set(['text']),
}
const MEDIA_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
const MOST_MESSAGES = 100_000
const MOST_BREAKPOINTS = 4
const LEAST_THINKING = 1024

type Rule = (call: Call) => string | undefined

/** Refuses an unknown version, unknown fields, and sampling where the model does not take it. */
const checkFields: Rule = ({ body, model, headers }) => {
  const version = textOf(headers['anthropic-version'])
  if (!VERSIONS.has(version)) return `anthropic-version: "${version}" is not a valid version`
  for (const field of Object.keys(body)) {
    if (SAMPLING.has(field)) {
      if (model.hasPrefill !== true) return `\`${field}\` is not supported by this model`
    } else if (!FIELDS.has(field)) return `${field}: Extra inputs are not permitted`
  }
  return undefined
}

/** Refuses a missing, invalid or too large `max_tokens`; it is not looked at for a count. */
const checkMaxTokens: Rule = ({ body, model, purpose }) => {
  if (purpose === 'count') return undefined
  if (body.max_tokens === undefined) return 'max_tokens: Field required'
  if (!isCount(body.max_tokens) || body.max_tokens < 1) return 'max_tokens: Input should be greater than or equal to 1'
  return body.max_tokens > model.maxOutputTokens
    ? `max_tokens: ${body.max_tokens} > ${model.maxOutputTokens}, which is the maximum allowed number of output tokens for ${model.name}`
    : undefined
}

/** Refuses messages of wrong roles or content, and a conversation that does not begin with the user and end there. */
const checkRoles: Rule = ({ body, model }) => {
  const messages = listOf(body.messages).map(objectOf)
  return checkMessages(messages, model) ?? checkEnds(messages, model)
}

/** What is wrong with the messages' roles and content; undefined if nothing is. */
const checkMessages = (messages: readonly JsonObject[], model: ServedModel): string | undefined => {
  if (messages.length === 0) return 'messages: at least one message is required'
  if (messages.length > MOST_MESSAGES) return `messages: List should have at most ${MOST_MESSAGES} items`
  for (const [index, { role, content }] of messages.entries()) {
    const isKnown = role === 'user' || role === 'assistant' || (role === 'system' && model.signature === 'conversation')
    if (!isKnown) return `messages.${index}.role: Input should be 'user' or 'assistant'`
    if (typeof content !== 'string' && !Array.isArray(content))
      return `messages.${index}.content: Input should be a valid string or list`
    if (content.length === 0) return `messages.${index}: all messages must have non-empty content`
  }
  return undefined
}

/** What is wrong with the first and the last role; undefined if nothing is. */
const checkEnds = (messages: readonly JsonObject[], model: ServedModel): string | undefined => {
  if (messages.find(({ role }) => role !== 'system')?.role !== 'user')
    return 'messages: first message must use the "user" role'
  return messages.at(-1)?.role === 'assistant' && model.hasPrefill !== true
    ? 'This model does not support assistant message prefill. The conversation must end with a user message.'
    : undefined
}

/** What is wrong with a block of text: it is empty or blank; undefined if nothing is. */
const checkText = ({ type, value, path }: Block): string | undefined => {
  if (type !== 'text') return undefined
  if (typeof value.text !== 'string' || value.text === '') return `${path}: text content blocks must be non-empty`
  return value.text.trim() === '' ? `${path}: text content blocks must contain non-whitespace text` : undefined
}

/** What is wrong with a block of thinking: no signature, or a breakpoint; undefined if nothing is. */
const checkThinkingBlock = ({ type, value, path }: Block): string | undefined => {
  if (type === 'thinking' && (typeof value.signature !== 'string' || value.signature === ''))
    return `${path}.thinking.signature: Field required`
  return type.endsWith('thinking') && value.cache_control !== undefined
    ? `${path}.${type}.cache_control: Extra inputs are not permitted`
    : undefined
}

/** Refuses blocks that are not allowed in their role, and empty texts, also in the system prompt. */
const checkBlocks: Rule = ({ body }) => {
  for (const { role, blocks } of turnsOf(body))
    for (const block of blocks) {
      if (BLOCKS[role]?.has(block.type) !== true) return `${block.path}: Input tag '${block.type}' is not allowed here`
      for (const part of [block, ...innerBlocks(block)]) {
        const problem = checkText(part) ?? checkThinkingBlock(part)
        if (problem !== undefined) return problem
      }
    }
  for (const block of systemBlocks(body)) {
    const problem = body.system === '' ? undefined : checkText(block)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Refuses too many, too large or damaged images; those of an address are not looked at. */
const checkImages: Rule = ({ body, model }) => {
  const images = turnsOf(body)
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => [block, ...innerBlocks(block)])
    .filter(({ type }) => type === 'image')
  const most = model.contextWindow <= 200_000 ? 100 : 600
  if (images.length > most) return `messages: too many images: ${images.length} > ${most}`
  const longest = images.length > 20 ? 2000 : 8000
  for (const { value, path } of images) {
    const source = objectOf(value.source)
    if (source.type === 'url') continue
    if (!MEDIA_TYPES.has(textOf(source.media_type)))
      return `${path}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`
    if (textOf(source.data) === '') return `${path}.image.source.base64.data: image cannot be empty`
    const size = imageSize(textOf(source.data))
    if (size !== undefined && Math.max(size.width, size.height) > longest)
      return `${path}.image.source.base64.data: At least one of the image dimensions exceed max allowed size: ${longest} pixels`
  }
  return undefined
}

/** Refuses breakpoints that are invalid, too many, or of an hour behind one of five minutes. */
const checkCacheControl: Rule = ({ body }) => {
  const blocks = [...toolBlocks(body), ...systemBlocks(body), ...turnsOf(body).flatMap((turn) => turn.blocks)]
    .flatMap((block) => [block, ...innerBlocks(block)])
    .filter((block) => lifetimeOf(block) !== undefined)
  const top = { type: '', value: body, path: 'cache_control' }
  const marked = lifetimeOf(top) === undefined ? blocks : [...blocks, top]
  for (const { value, path } of marked) {
    const control = objectOf(value.cache_control)
    const isValid = control.type === 'ephemeral' && [undefined, '5m', '1h'].includes(control.ttl as string | undefined)
    if (!isValid) return `${path}.cache_control: Input should be {"type": "ephemeral", "ttl": "5m" or "1h"}`
  }
  if (marked.length > MOST_BREAKPOINTS)
    return `A maximum of ${MOST_BREAKPOINTS} blocks with cache_control may be provided. Found ${marked.length}.`
  const firstShort = marked.findIndex((block) => lifetimeOf(block) === '5m')
  const late = firstShort < 0 ? undefined : marked.slice(firstShort).find((block) => lifetimeOf(block) === '1h')
  return late === undefined
    ? undefined
    : `${late.path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`
}

/** Refuses settings of thinking that the model does not have, or that do not fit tools and `max_tokens`. */
const checkThinkingSettings: Rule = ({ body, model }) => {
  const { type, budget_tokens: budget } = objectOf(body.thinking)
  const isForced = ['any', 'tool'].includes(textOf(objectOf(body.tool_choice).type))
  if (model.signature === 'conversation') {
    if (type === 'disabled') return 'thinking: this model does not support disabling thinking'
    if (isForced) return 'tool_choice: this model does not support tool_choice that forces tool use'
  }
  if (type !== 'enabled') return undefined
  if (!isCount(budget) || budget < LEAST_THINKING)
    return `thinking.enabled.budget_tokens: Input should be greater than or equal to ${LEAST_THINKING}`
  if (isCount(body.max_tokens) && budget >= body.max_tokens)
    return '`max_tokens` must be greater than `thinking.budget_tokens`'
  return isForced ? 'Thinking may not be enabled when tool_choice forces tool use.' : undefined
}

/** Refuses an unknown effort, and a format that is no JSON schema. */
const checkOutput: Rule = ({ body }) => {
  const { effort, format } = objectOf(body.output_config)
  if (effort !== undefined && effort !== null && !['low', 'medium', 'high', 'xhigh', 'max'].includes(textOf(effort)))
    return "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'"
  if (format === undefined || format === null) return undefined
  return objectOf(format).type === 'json_schema' && isObject(objectOf(format).schema)
    ? undefined
    : 'output_config.format: Input should be {"type": "json_schema", "schema": {…}}'
}

const RULES: readonly Rule[] = [
  checkFields,
  checkMaxTokens,
  checkRoles,
  checkBlocks,
  checkTools,
  checkImages,
  checkCacheControl,
  checkThinkingSettings,
  checkOutput,
]

/**
 * What Anthropic's API would refuse in a request: the first broken rule, or an input that is longer than the window;
 * undefined when it would take it.
 */
export const checkRules = (call: Call): Problem | undefined => {
  for (const rule of RULES) {
    const message = rule(call)
    if (message !== undefined) return { condition: 'bad-request', message }
  }
  const tokens = countSegments(segmentsOf(call.body))
  return tokens > call.model.contextWindow
    ? { condition: 'too-long', message: `prompt is too long: ${tokens} tokens > ${call.model.contextWindow} maximum` }
    : undefined
}
