/** What a request's body says, whichever API it is for: the model, the conversation, and where it is held. */
import { parseJson, arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../../json.ts'
import { contentBlocks, onlyToolResults } from '../../importers/anthropic-content.ts'
import { itemMessage } from '../../importers/codex-items.ts'
import { textOrImage } from '../../importers/text-or-image.ts'
import type { ContentBlock, Message } from '../../messages.ts'
import type { Wire } from './routes.ts'

export interface ReadRequest {
  readonly model: string
  /** The conversation as it was sent, without system prompt and tools; a reply is one message. */
  readonly messages: readonly Message[]
  /** All that is said before the conversation. */
  readonly system: string
  readonly hasTools: boolean
  /** The body's own hints at the session. */
  readonly userId: string | undefined
  readonly cacheKey: string | undefined
  /** The reply that it goes on from, where the provider keeps the conversation. */
  readonly previousResponse: string | undefined
}

/** Reads a body; undefined for what is no JSON object. */
export const readRequest = (wire: Wire, text: string): ReadRequest | undefined => {
  const body = parseJson(text)?.value
  if (!isJsonObject(body)) return undefined
  return {
    model: stringOf(body.model) ?? 'unknown',
    hasTools: arrayOf(body.tools).length > 0,
    userId: stringOf(objectOf(body.metadata).user_id),
    cacheKey: stringOf(body.prompt_cache_key),
    previousResponse: stringOf(body.previous_response_id),
    ...CONVERSATIONS[wire](body),
  }
}

type Conversation = Pick<ReadRequest, 'messages' | 'system'>

const anthropicConversation = (body: JsonObject): Conversation => ({
  system: textsOf(body.system),
  messages: merged(
    arrayOf(body.messages).map((value): Message => {
      const { role, content } = objectOf(value)
      const blocks = contentBlocks(content)
      if (role === 'assistant') return { role, content: blocks }
      if (role === 'system') return { role, content: blocks }
      return { role: onlyToolResults(blocks) ? 'tool' : 'user', content: blocks }
    }),
  ),
})

const responsesConversation = (body: JsonObject): Conversation => {
  const { input } = body
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : arrayOf(input)
  return {
    system: stringOf(body.instructions) ?? '',
    // A message needs no type.
    messages: merged(
      items.flatMap((item) => {
        const object = objectOf(item)
        return (
          itemMessage('role' in object && object.type === undefined ? { ...object, type: 'message' } : object) ?? []
        )
      }),
    ),
  }
}

const chatConversation = (body: JsonObject): Conversation => {
  const all = arrayOf(body.messages).map(objectOf)
  const first = all.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  const prompts = first === -1 ? all : all.slice(0, first)
  return {
    system: prompts.map(({ content }) => textsOf(content)).join('\n'),
    messages: merged(all.slice(prompts.length).map(chatMessage)),
  }
}

const CONVERSATIONS: Readonly<Record<Wire, (body: JsonObject) => Conversation>> = {
  anthropic: anthropicConversation,
  responses: responsesConversation,
  chat: chatConversation,
}

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

/** What the model said at a stretch, and what tools answered, is one message each, however many items it came in. */
const merged = (messages: readonly Message[]): readonly Message[] => {
  const all: { role: Message['role']; content: readonly ContentBlock[] }[] = []
  for (const { role, content } of messages) {
    const last = all.at(-1)
    if (last !== undefined && last.role === role && (role === 'assistant' || role === 'tool'))
      last.content = [...last.content, ...content]
    else all.push({ role, content })
  }
  return all
}
