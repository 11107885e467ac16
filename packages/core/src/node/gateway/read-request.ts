/** What a request's body says, whichever API it is for: the model, the conversation, and where it is held. */
import { parseJson, arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../../json.ts'
import { contentBlocks, onlyToolResults } from '../../importers/anthropic-content.ts'
import { itemMessage } from '../../importers/codex-items.ts'
import { textOrImage } from '../../importers/text-or-image.ts'
import type { ContentBlock, Message } from '../../messages.ts'
import type { Wire } from './routes.ts'

/**
 * A message, and the items of the body's list that it came in: for each of its blocks the item's index, and the block's
 * position there.
 */
export interface ReadMessage extends Message {
  readonly positions: readonly BlockPosition[]
}

/** Where a block stands in a request's body. */
export interface BlockPosition {
  /** Index in the list of messages. */
  readonly item: number
  /** Index among the item's blocks. */
  readonly block: number
}

export interface ReadRequest {
  readonly model: string
  /** The conversation as it was sent, without system prompt and tools; a reply is one message. */
  readonly messages: readonly ReadMessage[]
  /** The field of the body that holds the conversation. */
  readonly list: 'messages' | 'input'
  /** All that is said before the conversation. */
  readonly system: string
  readonly hasTools: boolean
  /** The body's own hints at the session. */
  readonly userId: string | undefined
  readonly cacheKey: string | undefined
  /** The reply that it goes on from, where the provider keeps the conversation. */
  readonly previousResponse: string | undefined
}

/**
 * What a body asks for, in Cairn's words; undefined for what is no JSON object. Fields that are missing or of another
 * type are left out, a model that is not named is `unknown`. Never throws.
 */
export const readRequest = (wire: Wire, text: string): ReadRequest | undefined => {
  const body = parseJson(text)?.value
  return isJsonObject(body) ? readBody(wire, body) : undefined
}

/** As {@link readRequest}, for a body that is parsed already. */
export const readBody = (wire: Wire, body: JsonObject): ReadRequest => {
  const { system, list, items } = CONVERSATIONS[wire](body)
  return {
    system,
    list,
    messages: merged(items),
    model: stringOf(body.model) ?? 'unknown',
    hasTools: arrayOf(body.tools).length > 0,
    userId: stringOf(objectOf(body.metadata).user_id),
    cacheKey: stringOf(body.prompt_cache_key),
    previousResponse: stringOf(body.previous_response_id),
  }
}

/** A message of the body's list, and its index there. */
interface ListedMessage extends Message {
  readonly item: number
}

interface Conversation {
  readonly system: string
  readonly list: ReadRequest['list']
  readonly items: readonly ListedMessage[]
}

/**
 * The conversation of a body of the Messages API; a message of the user's that has only results has the role `tool`.
 */
const anthropicConversation = (body: JsonObject): Conversation => ({
  system: textsOf(body.system),
  list: 'messages',
  items: arrayOf(body.messages).map((value, item): ListedMessage => {
    const { role, content } = objectOf(value)
    const blocks = contentBlocks(content)
    if (role === 'assistant' || role === 'system') return { item, role, content: blocks }
    return { item, role: onlyToolResults(blocks) ? 'tool' : 'user', content: blocks }
  }),
})

/**
 * The conversation of a body of the Responses API; a text counts as one user message, and items of unknown kinds are
 * left out.
 */
const responsesConversation = (body: JsonObject): Conversation => {
  const { input } = body
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : arrayOf(input)
  return {
    system: stringOf(body.instructions) ?? '',
    list: 'input',
    items: items.flatMap((value, item): readonly ListedMessage[] => {
      const object = objectOf(value)
      // A message needs no type.
      const isBare = 'role' in object && object.type === undefined
      const message = itemMessage(isBare ? { ...object, type: 'message' } : object)
      return message === undefined ? [] : [{ item, role: message.role, content: message.content }]
    }),
  }
}

/**
 * The conversation of a body of the Chat Completions API; the system and developer messages at its beginning are the
 * prompt.
 */
const chatConversation = (body: JsonObject): Conversation => {
  const all = arrayOf(body.messages).map(objectOf)
  const first = all.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  const prompts = first === -1 ? all : all.slice(0, first)
  return {
    system: prompts.map(({ content }) => textsOf(content)).join('\n'),
    list: 'messages',
    items: all
      .slice(prompts.length)
      .map((message, index) => ({ ...chatMessage(message), item: prompts.length + index })),
  }
}

const CONVERSATIONS: Readonly<Record<Wire, (body: JsonObject) => Conversation>> = {
  anthropic: anthropicConversation,
  responses: responsesConversation,
  chat: chatConversation,
}

/**
 * One message in Cairn's form; missing ids and names are ''. Of a tool's result only the texts are kept; an unknown
 * role is the user's.
 */
const chatMessage = (message: JsonObject): Message => {
  const content = arrayOrText(message.content).map(chatPart)
  switch (message.role) {
    case 'tool': {
      const texts = content.filter((block) => block.type === 'text')
      return {
        role: 'tool',
        content: [{ type: 'tool_result', callId: stringOf(message.tool_call_id) ?? '', content: texts }],
      }
    }
    case 'assistant': {
      const thinking = stringOf(message.reasoning_content) ?? stringOf(message.reasoning)
      return {
        role: 'assistant',
        content: [
          ...(thinking === undefined ? [] : [{ type: 'thinking', text: thinking } as const]),
          ...content,
          ...arrayOf(message.tool_calls).map((call): ContentBlock => {
            const { id, function: called } = objectOf(call)
            const { name, arguments: given } = objectOf(called)
            const input = typeof given === 'string' ? (parseJson(given)?.value ?? given) : (given ?? {})
            return { type: 'tool_call', id: stringOf(id) ?? '', name: stringOf(name) ?? '', input }
          }),
        ],
      }
    }
    case 'system':
    case 'developer':
      return { role: 'system', content }
    default:
      return { role: 'user', content }
  }
}

const arrayOrText = (content: JsonValue | undefined): readonly JsonValue[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : arrayOf(content)

const chatPart = (part: JsonValue): ContentBlock => textOrImage(part, objectOf(part).image_url)

/** A text, or the texts of a list of parts. */
const textsOf = (value: JsonValue | undefined): string =>
  arrayOrText(value)
    .map((part) => stringOf(objectOf(part).text) ?? '')
    .join('\n')

/**
 * The messages with consecutive replies joined to one, and consecutive results of tools, however many items they came
 * in; other messages stay apart. Each block keeps its place in the items.
 */
const merged = (messages: readonly ListedMessage[]): readonly ReadMessage[] => {
  const all: { role: Message['role']; content: ContentBlock[]; positions: BlockPosition[] }[] = []
  for (const { role, content, item } of messages) {
    const last = all.at(-1)
    const isContinued = last !== undefined && last.role === role && (role === 'assistant' || role === 'tool')
    const message = isContinued ? last : { role, content: [], positions: [] }
    if (!isContinued) all.push(message)
    for (const [block, each] of content.entries()) {
      message.content.push(each)
      message.positions.push({ item, block })
    }
  }
  return all
}
