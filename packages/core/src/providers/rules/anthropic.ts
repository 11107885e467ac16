/** What Anthropic's Messages API demands of a request; each rule is one function over the body. */
import { arrayOf, isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../json.ts'
import { modelFacts } from '../../models/model-facts.ts'
import { parseModelName } from '../../models/parse-model-name.ts'
import { bodyBytes, checkRules, objectsOf, objectsWith, type WireProblem, type WireRule } from './wire-rules.ts'

/**
 * How a model is told to reason: not at all; with a budget of tokens; by itself, as much as the effort says; or always,
 * whatever it is told.
 */
export type AnthropicReasoning = 'none' | 'budget' | 'adaptive' | 'always'

/**
 * How a model is told to reason, by its name; see {@link AnthropicReasoning}. Models that are not Claude's, of
 * compatible servers, are told a budget.
 */
export const anthropicReasoning = (model: string): AnthropicReasoning => {
  const name = parseModelName(model).names[0] ?? ''
  if (modelFacts(model).thinkingSignature === 'bound-to-conversation') return 'always'
  if (!/^claude|^(?:opus|sonnet|haiku|fable|mythos)$/.test(name)) return 'budget'
  const found = /^claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(name)
  if (found === null) return 'adaptive'
  const version = Number(found[1]) * 100 + Number(found[2] ?? 0)
  return version >= 406 ? 'adaptive' : version >= 307 ? 'budget' : 'none'
}

const LARGEST_BODY = 32 * 1024 * 1024
const MOST_MESSAGES = 100_000
const MOST_BREAKPOINTS = 4
const LEAST_BUDGET = 1024
const IMAGE_TYPES: readonly (JsonValue | undefined)[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
/** Models of this window and less take 100 images, larger ones 600. */
const SMALL_WINDOW = 200_000

const modelOf = (body: JsonObject): string => (typeof body.model === 'string' ? body.model : '')
const blocksOf = (message: JsonObject | undefined): readonly JsonObject[] => objectsOf(message?.content)
const isOf = (block: JsonObject, ...types: readonly string[]): boolean =>
  typeof block.type === 'string' && types.includes(block.type)
const isThinking = (block: JsonObject): boolean => isOf(block, 'thinking', 'redacted_thinking')
const isEmptyText = (block: JsonObject): boolean =>
  isOf(block, 'text') && (typeof block.text !== 'string' || block.text.trim() === '')

/** The rules, by name. */
export const ANTHROPIC_RULES: Readonly<Record<string, WireRule>> = {
  *'max-tokens'({ max_tokens: maximum }) {
    if (!Number.isInteger(maximum) || (maximum as number) < 1) yield 'max_tokens must be a whole number from 1 up'
  },

  *'first-role'({ messages }) {
    const [first] = objectsOf(messages)
    if (first?.role !== 'user') yield "the first message must be the user's"
  },

  /** Newer models don't go on with a reply that was begun for them; one that the provider paused goes on. */
  *'last-role'(body) {
    const last = objectsOf(body.messages).at(-1)
    const isPaused = isOf(blocksOf(last).at(-1) ?? {}, 'server_tool_use', 'mcp_tool_use')
    const kind = anthropicReasoning(modelOf(body))
    if (last?.role === 'assistant' && !isPaused && (kind === 'adaptive' || kind === 'always'))
      yield "the last message must be the user's"
  },

  /** What has no content: messages, texts in them and in the system prompt. */
  *empty({ messages, system }) {
    for (const [index, message] of objectsOf(messages).entries()) {
      if (blocksOf(message).length === 0) yield `message ${index} is empty`
      if (blocksOf(message).some(isEmptyText)) yield `message ${index} has an empty text`
    }
    if (objectsOf(system).some(isEmptyText)) yield 'the system prompt has an empty text'
  },

  /** Calls without a result in the next message, results without a call in the one before, and repeated ids. */
  *'tool-pairs'({ messages }) {
    const all = objectsOf(messages)
    const ids = new Set<JsonValue>()
    for (const [index, message] of all.entries()) {
      yield* callsOf(message, all[index + 1], index, ids)
      yield* resultsOf(message, all[index - 1], index)
    }
  },

  /** Reasoning that is not the model's, has no signature, or ends a message. */
  *thinking({ messages }) {
    for (const [index, { role, content }] of objectsOf(messages).entries()) {
      const blocks = objectsOf(content)
      if (role !== 'assistant' && blocks.some(isThinking))
        yield `message ${index} has reasoning that is not the model's`
      if (blocks.some((block) => isOf(block, 'thinking') && (block.signature ?? '') === ''))
        yield `message ${index} has reasoning without a signature`
      const last = blocks.at(-1)
      if (last !== undefined && isThinking(last)) yield `message ${index} ends with reasoning`
    }
  },

  /** More cache breakpoints than are taken, in the wrong order, or on blocks that can't have one. */
  *'cache-breakpoints'({ tools, system, messages }) {
    const marked = [...objectsWith('cache_control', [tools ?? null, system ?? null, messages ?? null])]
    if (marked.length > MOST_BREAKPOINTS) yield `it has ${marked.length} cache breakpoints, and 4 are taken`
    const lifetimes = marked.map(({ cache_control: mark }) => objectOf(mark).ttl ?? '5m')
    if (lifetimes.includes('5m') && lifetimes.lastIndexOf('1h') > lifetimes.indexOf('5m'))
      yield 'a cache breakpoint of an hour stands behind one of five minutes'
    if (marked.some((block) => isThinking(block) || isEmptyText(block)))
      yield 'a cache breakpoint stands on reasoning or on an empty text'
  },

  /** Names of tools that are repeated or not taken, and a choice that names none of them. */
  *tools({ tools, tool_choice: choice }) {
    const names = objectsOf(tools).map(({ name }) => name)
    if (new Set(names).size < names.length) yield 'two tools have the same name'
    const bad = names.find((name) => typeof name !== 'string' || !/^[\w-]{1,128}$/.test(name))
    if (bad !== undefined) yield `the tool name ${JSON.stringify(bad)} has characters that are not taken, or too many`
    const { type, name } = objectOf(choice)
    if (type === 'tool' && !names.includes(name))
      yield `it demands a call of ${JSON.stringify(name ?? '')}, which is no tool of it`
    if (type !== undefined && names.length === 0) yield 'it says how tools are chosen, and has no tools'
  },

  /** Reasoning that the model can't be told, a budget out of range, and a forced call beside it. */
  *reasoning(body) {
    const { thinking, tool_choice: choice, max_tokens: maximum } = body
    const { type, budget_tokens: budget } = objectOf(thinking)
    const kind = anthropicReasoning(modelOf(body))
    const isForced = isOf(objectOf(choice), 'any', 'tool')
    if (kind === 'always' && type === 'disabled') yield `${modelOf(body)} can't be told not to reason`
    if (kind === 'always' && isForced) yield `${modelOf(body)} can't be made to call a tool: leave the choice to it`
    if (kind !== 'always' && isForced && (type === 'enabled' || type === 'adaptive'))
      yield "a model that reasons can't be made to call a tool"
    if (type !== 'enabled') return
    if (typeof budget !== 'number' || budget < LEAST_BUDGET)
      yield `the budget for reasoning is under ${LEAST_BUDGET} tokens`
    else if (typeof maximum === 'number' && budget >= maximum) yield 'the budget for reasoning is not under max_tokens'
  },

  *sampling(body) {
    for (const name of ['temperature', 'top_p', 'top_k'])
      if (body[name] !== undefined) yield `${name} is no longer taken`
  },

  /** Too many images for the model's window, those in results included, and a type that is not taken. */
  *images(body) {
    const images = objectsOf(body.messages)
      .flatMap(blocksOf)
      .flatMap((block) => (isOf(block, 'tool_result') ? [...blocksOf(block)] : [block]))
      .filter((block) => isOf(block, 'image'))
    const most = modelFacts(modelOf(body)).contextWindow > SMALL_WINDOW ? 600 : 100
    if (images.length > most) yield `it has ${images.length} images, and ${most} are taken`
    const types = images.map(({ source }) => objectOf(source)).filter(({ type }) => type === 'base64')
    const bad = types.find(({ media_type: type }) => !IMAGE_TYPES.includes(type))
    if (bad !== undefined) yield `images of the type ${JSON.stringify(bad.media_type ?? '')} are not taken`
  },

  /** Too many messages, or too large a body. */
  *size(body) {
    const count = arrayOf(body.messages).length
    if (count > MOST_MESSAGES) yield `it has ${count} messages, and ${MOST_MESSAGES} are taken`
    const bytes = bodyBytes(body)
    if (bytes > LARGEST_BODY) yield `it has ${(bytes / 1024 / 1024).toFixed(1)} MB, and 32 MB are taken`
  },
}

/**
 * Faults of a message's tool calls: calls that are not the model's, have no id of their own, no object as input, or no
 * result in the next message. `ids` of earlier calls are added to.
 */
function* callsOf(
  message: JsonObject,
  next: JsonObject | undefined,
  index: number,
  ids: Set<JsonValue>,
): Generator<string> {
  const answered = new Set(
    blocksOf(next)
      .filter((block) => isOf(block, 'tool_result'))
      .map(({ tool_use_id: id }) => id),
  )
  for (const { id = null, input } of blocksOf(message).filter((block) => isOf(block, 'tool_use'))) {
    if (message.role !== 'assistant') yield `message ${index} has a tool call that is not the model's`
    if (typeof id !== 'string' || !/^[\w-]+$/.test(id))
      yield `a tool call in message ${index} has an id that is not taken`
    if (ids.has(id)) yield `two tool calls have the id ${JSON.stringify(id)}`
    ids.add(id)
    if (!answered.has(id)) yield `the tool call ${JSON.stringify(id)} has no result in the message after it`
    if (!isJsonObject(input)) yield `the input of the tool call ${JSON.stringify(id)} is no object`
  }
}

/** Faults of a message's results: those that answer no call of the message before, or stand behind other content. */
function* resultsOf(message: JsonObject, before: JsonObject | undefined, index: number): Generator<string> {
  const called = new Set(
    blocksOf(before)
      .filter((block) => isOf(block, 'tool_use'))
      .map(({ id }) => id),
  )
  let isBehindOther = false
  for (const block of blocksOf(message)) {
    if (!isOf(block, 'tool_result')) {
      isBehindOther = true
      continue
    }
    const id = block.tool_use_id
    if (message.role !== 'user' || !called.delete(id))
      yield `the result of ${JSON.stringify(id ?? '')} in message ${index} answers no call of the message before it, or a second time`
    if (isBehindOther) yield `the result of ${JSON.stringify(id ?? '')} stands behind other content in message ${index}`
  }
}

/** What the API would refuse in a body, all of it, in the order of the rules; empty when it would take it. */
export const validateAnthropic = (body: JsonObject): readonly WireProblem[] => checkRules(ANTHROPIC_RULES, body)
