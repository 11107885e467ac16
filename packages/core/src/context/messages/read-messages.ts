/**
 * Messages in the forms of the usual APIs and transcripts as messages of the log: Cairn's and Anthropic's, OpenAI's
 * chat and responses, Gemini's, the AI SDK's, LangChain's, pi's, and lines of a transcript around them. What is none
 * of these is refused by its place: a call that nobody sees would be lost without a word.
 */
import { CairnError } from '../../errors.ts'
import { shownValue } from '../../input.ts'
import { isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../../json.ts'
import type { ContentBlock, Role, ToolCallBlock, ToolResultBlock } from '../../messages.ts'
import { knownBlock, partsOf } from '../../tokens/loose-block.ts'
import { KNOWN_ROLES, roleOf } from './roles.ts'

interface ReadMessage {
  readonly role: Role
  readonly content: readonly ContentBlock[]
  readonly origin?: 'summary' | 'meta'
  /** Entries of one reply of the model, which its API gave in parts. */
  readonly responseId?: string
}

/** Reads one message after the other; what is said in one can depend on those before it. */
export interface MessageReader {
  /**
   * Reads the conversation's next message, in the form of any API that we know.
   * @throws CairnError `invalid-input` for what can't be read, with `index` in its sentence.
   */
  read(given: unknown, index: number): ReadMessage
}

/** Messages stand in a line of a transcript, and that in a line of its own, at most. */
const MAX_WRAPPERS = 3

/**
 * A reader of a conversation from its beginning: `read` gives each message in Cairn's form, and throws CairnError
 * `invalid-input` for one that can't be read; `caller` and its index are named then. A user's message that holds
 * nothing but tool results becomes one of the tool. Parts of one reply get the same `responseId`; calls without an id
 * get one, and results without one that of the call that waits. It remembers what it read: one reader a conversation.
 */
export const createMessageReader = (caller: string): MessageReader => {
  const names = createNames()
  /** The reply whose items come one by one. */
  let open: string | undefined
  /** The ids of the calls in each reply that comes in parts. */
  const calls = new Map<string, Set<string>>()

  const replyOf = (message: JsonObject, isItem: boolean, index: number): string | undefined => {
    if (!isItem && !isResponseMessage(message)) return undefined
    open ??= `reply:${index}`
    return open
  }

  return {
    /**
     * The conversation's next message, unwrapped, as a role and blocks of Cairn's; its calls are noted with the reply.
     * Throws `invalid-input`, naming `index`, for what can't be read and for calls that no result could answer.
     */
    read: (given, index) => {
      const { message, origin, replyId } = unwrapped(given, index, caller)
      const isItem = typeof message.role !== 'string' && message.content === undefined
      const { role, content } = isItem
        ? itemOf(message, index, caller)
        : { role: checkedRole(message.role, index), content: contentOf(message, index, names) }
      const responseId = role === 'assistant' ? (replyId ?? replyOf(message, isItem, index)) : undefined
      if (responseId !== open) open = undefined
      const known = responseId === undefined ? new Set<string>() : (calls.get(responseId) ?? new Set())
      if (responseId !== undefined) calls.set(responseId, known)
      assertCalls(content, role, index, known)
      return {
        role: role === 'user' && onlyResults(content) ? 'tool' : role,
        content,
        ...(origin === undefined ? {} : { origin }),
        ...(responseId === undefined ? {} : { responseId }),
      }
    },
  }
}

const refuse = (index: number, sentence: string): CairnError =>
  new CairnError('invalid-input', `Message ${index} ${sentence}`)

interface Unwrapped {
  readonly message: JsonObject
  readonly origin?: 'summary' | 'meta'
  /** Of a line of Claude Code: the reply that it is a part of. */
  readonly replyId?: string
}

/**
 * The message in a line of a transcript, `{ type, message }` or `{ type, payload }`, one in another too; a bare message
 * as it is. With what it or a line says of it: whether it was made up, and which reply it is a part of.
 * @throws CairnError `invalid-input` naming the message for what is no object
 */
const unwrapped = (given: unknown, index: number, caller: string): Unwrapped => {
  let value: unknown = given
  let origin = parseOrigin(given)
  let isWrapped = false
  for (let depth = 0; isJsonObject(value) && value.role === undefined && depth < MAX_WRAPPERS; depth += 1) {
    const inner: JsonValue | undefined = isJsonObject(value.message) ? value.message : value.payload
    if (!isJsonObject(inner)) break
    value = inner
    isWrapped = true
    origin ??= parseOrigin(inner)
  }
  if (!isJsonObject(value))
    throw refuse(index, `that ${caller} was given must be an object with a role and content, not ${shownValue(given)}.`)
  const replyId = isWrapped && value.type === 'message' ? stringOf(value.id) : undefined
  return {
    message: value,
    ...(origin === undefined ? {} : { origin }),
    ...(replyId === undefined ? {} : { replyId: `reply:${replyId}` }),
  }
}

/**
 * What a message says of itself beside the provider's fields: made up rather than said. Undefined for what was said; a
 * summary wins.
 */
const parseOrigin = (value: unknown): ReadMessage['origin'] => {
  const { origin, isMeta, isCompactSummary } = objectOf(value)
  if (origin === 'summary' || isCompactSummary === true) return 'summary'
  return origin === 'meta' || isMeta === true ? 'meta' : undefined
}

/** @throws CairnError `invalid-input` for a role that is not known */
const checkedRole = (given: JsonValue | undefined, index: number): Role => {
  const role = typeof given === 'string' ? roleOf(given) : undefined
  if (role !== undefined) return role
  throw refuse(index, `has the role ${shownValue(given)}; known are ${KNOWN_ROLES}.`)
}

/** Whether a message is one of OpenAI's responses, which may be a part of the reply that calls belong to. */
const isResponseMessage = ({ type, content }: JsonObject): boolean =>
  type === 'message' &&
  Array.isArray(content) &&
  (content as readonly JsonValue[]).some((part) =>
    /^(?:output_text|refusal)$/.test(stringOf(objectOf(part).type) ?? ''),
  )

/** Items that hold what a tool of the provider itself did, with its result. */
const HOSTED =
  /^(?:web_search_call|file_search_call|code_interpreter_call|image_generation_call|mcp_call|mcp_list_tools|mcp_approval_request|compaction)$/
const CALL = /^(?:local_shell|shell|computer|apply_patch|tool_search)_call$/
const OUTPUT = /^(?:local_shell_call|shell_call|computer_call|apply_patch_call|tool_search)_output$/

/**
 * The message of an item of OpenAI's responses, which has a type in a role's place.
 * @throws CairnError `invalid-input` naming the message for an unknown type
 */
const itemOf = (item: JsonObject, index: number, caller: string): Pick<ReadMessage, 'role' | 'content'> => {
  const type = stringOf(item.type) ?? ''
  if (type === 'function_call' || type === 'custom_tool_call' || type === 'reasoning')
    return { role: 'assistant', content: [knownBlock(item)] }
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return { role: 'tool', content: [knownBlock(item)] }
  const builtIn = builtInToolItem(item, type)
  if (builtIn !== undefined) return builtIn
  if (HOSTED.test(type)) return { role: 'assistant', content: [{ type: 'other', value: item }] }
  throw refuse(
    index,
    `has no role${type === '' ? '' : ` and the unknown type ${shownValue(type)}`}; ${caller} takes messages with a role (${KNOWN_ROLES}), items of OpenAI's responses, and lines of a transcript with a message in them.`,
  )
}

/**
 * A call of a tool that the API defines and the program runs (a shell, a computer, a patch), or its output; undefined
 * for any other item.
 */
const builtInToolItem = (item: JsonObject, type: string): Pick<ReadMessage, 'role' | 'content'> | undefined => {
  const id = stringOf(item.call_id)
  if (id === undefined) return undefined
  if (CALL.test(type)) {
    const input = item.action ?? item.operation ?? item.arguments ?? {}
    return { role: 'assistant', content: [{ type: 'tool_call', id, name: type.replace(/_call$/, ''), input }] }
  }
  if (!OUTPUT.test(type)) return undefined
  return { role: 'tool', content: [{ type: 'tool_result', callId: id, content: partsOf(item.output ?? item.tools) }] }
}

const FIELDS = [
  'content',
  'parts',
  'text',
  'tool_calls',
  'function_call',
  'toolInvocations',
  'refusal',
  'reasoning_content',
] as const

/**
 * A message's blocks, from all fields that APIs have for them, in the order in which they are sent. Reasoning comes
 * first, then the content, a refusal, and calls that are not in the content too. A tool's message becomes one result.
 * @throws CairnError `invalid-input` naming the message if it has none of these fields, or wrong ones
 */
const contentOf = (message: JsonObject, index: number, names: Names): readonly ContentBlock[] => {
  if (FIELDS.every((field) => message[field] === undefined))
    throw refuse(index, 'has no content; a text or an array of blocks is expected, or tool_calls.')
  const reasoning = stringOf(message.reasoning_content)
  const blocks: ContentBlock[] = reasoning === undefined ? [] : [{ type: 'thinking', text: reasoning }]
  blocks.push(...ownContent(message, index, names))
  const refusal = stringOf(message.refusal)
  if (refusal !== undefined) blocks.push({ type: 'text', text: refusal })
  // Some libraries have a call in the content and beside it.
  const known = new Set(blocks.flatMap((block) => (block.type === 'tool_call' ? [block.id] : [])))
  for (const call of ownCalls(message, index)) if (!known.has(call.id)) blocks.push(names.called(call, index))
  return answerOf(message, blocks, names)
}

/**
 * The blocks of a tool's message as the result of the call that it names or, without an id, of the first waiting call
 * of its tool. The blocks as they are for any other role, where a result is among them, or where no call waits.
 */
const answerOf = (message: JsonObject, blocks: readonly ContentBlock[], names: Names): readonly ContentBlock[] => {
  if (roleOf(stringOf(message.role) ?? '') !== 'tool' || blocks.some(({ type }) => type === 'tool_result'))
    return blocks
  const given = stringOf(message.tool_call_id) ?? stringOf(message.toolCallId)
  // Without an id these are the words of the tool that is waited for, or of one that nobody called.
  const callId = given ?? names.answered(message.name ?? message.tool_name ?? message.toolName)
  if (callId === undefined) return blocks
  const isError = message.isError === true || message.status === 'error'
  return [{ type: 'tool_result', callId, content: partsOf(blocks), ...(isError ? { isError } : {}) }]
}

/**
 * The message's blocks from `parts` if it holds any, else `content`, else `text`; without `parts`, those of
 * `toolInvocations` follow. Null counts as no content, a text as one block.
 * @throws CairnError `invalid-input` naming the message for any other content
 */
const ownContent = (message: JsonObject, index: number, names: Names): readonly ContentBlock[] => {
  // The AI SDK's messages for the screen have the text of their parts as content, too.
  const parts = Array.isArray(message.parts) && message.parts.length > 0 ? message.parts : undefined
  const content = parts ?? message.content ?? message.parts ?? message.text
  const invocations = parts === undefined && Array.isArray(message.toolInvocations) ? message.toolInvocations : []
  const further = (invocations as readonly JsonValue[]).map((invocation) => ({
    type: 'tool-invocation',
    toolInvocation: invocation,
  }))
  if (content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content))
    throw new CairnError(
      'invalid-input',
      `The content of message ${index} must be a text or an array of blocks, not ${typeof content}.`,
    )
  const given = Array.isArray(content)
    ? (content as readonly JsonValue[])
    : typeof content === 'string'
      ? [content]
      : []
  return [...given, ...further].flatMap((value, position) => blocksOf(value, index, position, names))
}

/**
 * One part as Cairn's blocks. Calls and results of APIs without ids get one.
 * @throws CairnError `invalid-input` naming message and block for what can't be read
 */
const blocksOf = (value: unknown, index: number, position: number, names: Names): readonly ContentBlock[] => {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  if (!isJsonObject(value))
    throw refuse(index, `must hold blocks with a type or texts; block ${position} is ${shownValue(value)}.`)
  if (ArrayBuffer.isView(value.image) || ArrayBuffer.isView(value.data))
    throw refuse(index, `holds bytes in block ${position}; images and files are expected as base64 or as a URL.`)
  const ofUi = uiPartOf(value)
  if (ofUi !== undefined) return ofUi
  const block = knownBlock(value)
  if (block.type === 'other' && typeof value.type !== 'string' && !isGeminiCode(value))
    throw refuse(
      index,
      `holds a block ${position} without a type (with ${shownKeys(value)}), which is of no known form.`,
    )
  if (block.type === 'tool_call') return [names.called(block, index)]
  if (block.type !== 'tool_result' || block.callId !== '') return [block]
  const callId = names.answered(objectOf(value.functionResponse ?? value.function_response).name)
  if (callId === undefined)
    throw refuse(
      index,
      `holds a tool result (block ${position}) without the id of its call, and no call waits for one.`,
    )
  return [{ ...block, callId }]
}

const isGeminiCode = (part: JsonObject): boolean =>
  ['executableCode', 'codeExecutionResult', 'executable_code', 'code_execution_result', 'fileData', 'file_data'].some(
    (name) => name in part,
  )

const shownKeys = (value: JsonObject): string => shownValue(Object.keys(value).join(', '))

/**
 * Parts of the AI SDK's messages for the screen, where a call stands with its result, if it has one; empty for a
 * `step-start`, undefined for any other part.
 */
const uiPartOf = (part: JsonObject): readonly ContentBlock[] | undefined => {
  const type = stringOf(part.type) ?? ''
  if (type === 'step-start') return []
  const own = type === 'tool-invocation' ? objectOf(part.toolInvocation) : part
  const id = stringOf(own.toolCallId)
  if (id === undefined || !/^(?:tool-invocation|dynamic-tool|tool-(?!call$|result$).+)$/.test(type)) return undefined
  const name = stringOf(own.toolName) ?? type.slice('tool-'.length)
  const call: ToolCallBlock = { type: 'tool_call', id, name, input: own.input ?? own.args ?? {} }
  const error = stringOf(own.errorText)
  const output = error ?? own.output ?? own.result
  if (output === undefined) return [call]
  const result: ToolResultBlock = { type: 'tool_result', callId: id, content: partsOf(output) }
  return [call, error === undefined ? result : { ...result, isError: true }]
}

/**
 * Calls that stand beside the content, as in a chat completion. Empty if there are none.
 * @throws CairnError `invalid-input` naming the message for what is no call
 */
const ownCalls = (message: JsonObject, index: number): readonly ToolCallBlock[] => {
  const { tool_calls: several, function_call: single } = message
  if (several !== undefined && several !== null && !Array.isArray(several))
    throw refuse(index, `must have an array of calls as tool_calls, not ${shownValue(several)}.`)
  const given = [
    ...(Array.isArray(several) ? (several as readonly JsonValue[]) : []),
    ...(isJsonObject(single) ? [{ type: 'function_call', ...single }] : []),
  ]
  return given.map((value, position) => {
    // LangChain's have no type of their own, but name and args.
    const isPlain = isJsonObject(value) && value.type === undefined && typeof value.name === 'string'
    const block = knownBlock(isPlain ? { ...value, type: 'tool_call' } : value)
    if (block.type !== 'tool_call')
      throw refuse(
        index,
        `has a call ${position} in tool_calls that is none: an id and a function with a name are expected.`,
      )
    return block
  })
}

interface Names {
  /** The call with an id: its own, or one that is made for it. */
  called(call: ToolCallBlock, index: number): ToolCallBlock
  /**
   * The id of the call that a result without one is meant for: the first waiting one of the tool, or the first of all
   * where `tool` is no text. That call waits no longer. undefined when none waits.
   */
  answered(tool: unknown): string | undefined
}

/**
 * Ids for calls of APIs (Gemini, Ollama, the old functions of OpenAI) that give them none: a call gets one, and a
 * result that of the first waiting call of its tool; undefined if none waits.
 */
const createNames = (): Names => {
  const waiting: { readonly id: string; readonly name: string }[] = []
  let made = 0
  return {
    called: (call, index) => {
      if (call.id !== '') return call
      const id = `call:${index}:${(made += 1)}`
      waiting.push({ id, name: call.name })
      return { ...call, id }
    },
    answered: (tool) => {
      const position = typeof tool === 'string' ? waiting.findIndex(({ name }) => name === tool) : 0
      return position === -1 ? undefined : waiting.splice(position, 1)[0]?.id
    },
  }
}

/**
 * Refuses calls that no result could answer: not the assistant's, without a tool's name, or with an id that the reply
 * has had. `known`: ids of calls in the same reply; those of this message are added.
 */
const assertCalls = (content: readonly ContentBlock[], role: Role, index: number, known: Set<string>): void => {
  for (const [position, block] of content.entries()) {
    if (block.type !== 'tool_call') continue
    if (role !== 'assistant')
      throw refuse(
        index,
        `has the role ${role} and holds a tool call (block ${position}); only the assistant calls tools.`,
      )
    if (block.name === '') throw refuse(index, `holds a tool call (block ${position}) without the name of the tool.`)
    if (known.has(block.id))
      throw refuse(
        index,
        `holds a second tool call with the id ${shownValue(block.id)} in one reply; each needs an id of its own.`,
      )
    known.add(block.id)
  }
}

/** A user's turn that holds nothing but tool results is the tool's. */
const onlyResults = (content: readonly ContentBlock[]): boolean =>
  content.length > 0 && content.every(({ type }) => type === 'tool_result')
