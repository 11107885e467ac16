/** What OpenAI's Responses API demands of a request that it does not store; each rule is one function over the body. */
import { arrayOf, objectOf, type JsonObject, type JsonValue } from '../../json.ts'
import { isReasoningModel, takesBreakpoints } from '../openai-client.ts'
import { checkRules, objectsOf, objectsWith, type WireProblem, type WireRule } from './wire-rules.ts'

const LEAST_OUTPUT = 16
const MOST_BREAKPOINTS = 4
const LONGEST_ID = 64

const modelOf = (body: JsonObject): string => (typeof body.model === 'string' ? body.model : '')
const isOf = ({ type }: JsonObject, ...types: readonly string[]): boolean =>
  typeof type === 'string' && types.includes(type)
/** Whether an item is one that the model gave. */
const isOfModel = (item: JsonObject): boolean =>
  item.role === 'assistant' || (typeof item.type === 'string' && item.type.endsWith('_call'))

/** The rules, by name. */
export const OPENAI_RESPONSES_RULES: Readonly<Record<string, WireRule>> = {
  /** Missing input, and messages without content. */
  *input({ input }) {
    const items = objectsOf(input)
    if (items.length === 0) yield 'it has no input'
    for (const [index, { role, content }] of items.entries())
      if (role !== undefined && arrayOf(content).length === 0) yield `item ${index} is empty`
  },

  /** A request that the provider would store, or that gives reasoning back without asking for it. */
  *stateless({ store, include, input }) {
    if (store !== false) yield 'it would be stored'
    const hasReasoning = objectsOf(input).some((item) => isOf(item, 'reasoning'))
    if (hasReasoning && !arrayOf(include).includes('reasoning.encrypted_content'))
      yield 'it gives reasoning back and asks for none'
  },

  *'max-output'({ max_output_tokens: maximum }) {
    if (!Number.isInteger(maximum) || (maximum as number) < LEAST_OUTPUT)
      yield `max_output_tokens must be a whole number from ${LEAST_OUTPUT} up`
  },

  /**
   * Problems of calls: one without a result or with two, results without a call before them, repeated or wrong ids, and
   * arguments that are no text.
   */
  *'tool-pairs'({ input }) {
    const calls = new Set<JsonValue | undefined>()
    const answered = new Set<JsonValue | undefined>()
    for (const item of objectsOf(input)) {
      const { call_id: id } = item
      const name = JSON.stringify(id ?? '')
      if (isOf(item, 'function_call')) {
        if (typeof id !== 'string' || id === '' || id.length > LONGEST_ID)
          yield `the id ${name} of a tool call is not taken`
        if (calls.has(id)) yield `two tool calls have the id ${name}`
        if (typeof item.arguments !== 'string') yield `the arguments of the tool call ${name} are no text`
        calls.add(id)
      } else if (isOf(item, 'function_call_output')) {
        if (!calls.has(id)) yield `the result of ${name} has no call before it`
        if (answered.has(id)) yield `the tool call ${name} has two results`
        answered.add(id)
      }
    }
    for (const id of calls) if (!answered.has(id)) yield `the tool call ${JSON.stringify(id ?? '')} has no result`
  },

  /** Reasoning stands right before what it led to, sealed. */
  *reasoning({ input }) {
    const items = objectsOf(input)
    for (const [index, item] of items.entries()) {
      if (!isOf(item, 'reasoning')) continue
      const next = items[index + 1]
      if (typeof item.encrypted_content !== 'string' || item.encrypted_content === '')
        yield `item ${index} is reasoning without its encrypted content`
      if (next === undefined || !(isOf(next, 'reasoning') || isOfModel(next)))
        yield `item ${index} is reasoning that leads to nothing`
    }
  },

  /** An effort for a model that does not reason. */
  *effort(body) {
    if (
      body.reasoning !== undefined &&
      /^(?:gpt-4|gpt-3|chatgpt)/.test(modelOf(body)) &&
      !isReasoningModel(modelOf(body))
    )
      yield `${modelOf(body)} does not reason, and takes no effort`
  },

  /** Names of tools that are repeated or not taken, and a choice that names none of them. */
  *tools({ tools, tool_choice: choice }) {
    const names = objectsOf(tools).map(({ name }) => name)
    if (new Set(names).size < names.length) yield 'two tools have the same name'
    const bad = names.find((name) => typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
    if (bad !== undefined) yield `the tool name ${JSON.stringify(bad)} has characters that are not taken, or too many`
    const { name } = objectOf(choice)
    if (name !== undefined && !names.includes(name))
      yield `it demands a call of ${JSON.stringify(name)}, which is no tool of it`
    if (choice !== undefined && names.length === 0) yield 'it says how tools are chosen, and has no tools'
  },

  /** Too many cache breakpoints, or any for a model that takes none. */
  *'cache-breakpoints'(body) {
    const marks = [...objectsWith('prompt_cache_breakpoint', body.input)].length
    if (marks > MOST_BREAKPOINTS) yield `it has ${marks} cache breakpoints, and ${MOST_BREAKPOINTS} are taken`
    if (marks > 0 && !takesBreakpoints(modelOf(body))) yield `${modelOf(body)} takes no cache breakpoints`
  },
}

/** What the API would refuse in a body, all of it, in the order of the rules; empty when it would take it. */
export const validateOpenAIResponses = (body: JsonObject): readonly WireProblem[] =>
  checkRules(OPENAI_RESPONSES_RULES, body)
