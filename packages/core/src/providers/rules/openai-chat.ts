/** What servers with OpenAI's Chat Completions demand of a request; each rule is one function over the body. */
import { arrayOf, objectOf, type JsonObject, type JsonValue } from '../../json.ts'
import { checkRules, objectsOf, type WireProblem, type WireRule } from './wire-rules.ts'

const nameOf = (tool: JsonObject): JsonValue | undefined => objectOf(tool.function).name
/** Whether a content has nothing in it. */
const isEmpty = (content: JsonValue | undefined): boolean =>
  content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)

/** The rules, by name. */
export const OPENAI_CHAT_RULES: Readonly<Record<string, WireRule>> = {
  /** A conversation or messages without content; a reply of calls alone is not empty. */
  *messages({ messages }) {
    const all = objectsOf(messages)
    if (all.length === 0) yield 'it has no messages'
    for (const [index, message] of all.entries()) {
      const { role, content, tool_calls: calls } = message
      if (role === 'tool' ? content === undefined : isEmpty(content) && arrayOf(calls).length === 0)
        yield `message ${index} is empty`
    }
  },

  /**
   * Problems of calls: one that no message of a tool answers at once, one without an id of its own or whose arguments
   * are no text, and results of no call right before.
   */
  *'tool-pairs'({ messages }) {
    let open = new Set<JsonValue | undefined>()
    for (const [index, message] of objectsOf(messages).entries()) {
      const { role, tool_call_id: result } = message
      if (role === 'tool') {
        if (!open.delete(result))
          yield `the result of ${JSON.stringify(result ?? '')} in message ${index} answers no call before it`
        continue
      }
      yield* withoutResult(open)
      open = new Set()
      for (const call of objectsOf(message.tool_calls)) {
        const { id } = call
        if (typeof id !== 'string' || id === '' || open.has(id))
          yield `a tool call in message ${index} has no id of its own`
        if (typeof objectOf(call.function).arguments !== 'string')
          yield `the arguments of a tool call in message ${index} are no text`
        open.add(id)
      }
    }
    yield* withoutResult(open)
  },

  /** Names of tools that are repeated or not taken, and a choice that names none of them. */
  *tools({ tools, tool_choice: choice }) {
    const names = objectsOf(tools).map(nameOf)
    if (new Set(names).size < names.length) yield 'two tools have the same name'
    const bad = names.find((name) => typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
    if (bad !== undefined) yield `the tool name ${JSON.stringify(bad)} has characters that are not taken, or too many`
    const name = nameOf(objectOf(choice))
    if (name !== undefined && !names.includes(name))
      yield `it demands a call of ${JSON.stringify(name)}, which is no tool of it`
    if (choice !== undefined && names.length === 0) yield 'it says how tools are chosen, and has no tools'
  },

  /** A limit of the reply that is no whole number from 1 up. */
  *'max-output'(body) {
    const maximum = body.max_completion_tokens ?? body.max_tokens
    if (!Number.isInteger(maximum) || (maximum as number) < 1)
      yield 'the longest reply must be a whole number of tokens from 1 up'
  },

  *usage({ stream, stream_options: options }) {
    if (stream === true && objectOf(options).include_usage !== true) yield 'it does not ask for its usage'
  },
}

/** A sentence for each of these calls: that it has no result right after it. */
function* withoutResult(calls: ReadonlySet<JsonValue | undefined>): Generator<string> {
  for (const id of calls) yield `the tool call ${JSON.stringify(id ?? '')} has no result right after it`
}

/** What a server would refuse in a body, all of it, in the order of the rules; empty when it would take it. */
export const validateOpenAIChat = (body: JsonObject): readonly WireProblem[] => checkRules(OPENAI_CHAT_RULES, body)
