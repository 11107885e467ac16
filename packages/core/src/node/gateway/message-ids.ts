/**
 * Ids of messages by what they say. Each request repeats the whole conversation, and a message must get the id that it
 * got before: also when the client sends it without its reasoning, with other marks for the cache, or with an old result
 * of a tool cleared. A message is told from another of the same words by the one before it.
 */
import { isJsonObject, type JsonValue } from '../../json.ts'
import type { ContentBlock, FileBlock, ImageBlock, Message } from '../../messages.ts'
import type { Hasher } from '../../ports/hasher.ts'

/** What ids of messages recorded here begin with; no agent's do. */
export const GATEWAY_MESSAGE = 'gateway-'

export type IdentifiedMessage<M extends Message = Message> = M & { readonly id: string }

/**
 * Gives each message of a conversation, from its first on, its id, and tells the id that a reply to all of them has:
 * ask for that once. The same messages get the same ids in every request.
 */
export const identified = <M extends Message>(
  messages: readonly M[],
  hasher: Hasher,
): {
  readonly messages: readonly IdentifiedMessage<M>[]
  readonly idOfReply: (content: readonly ContentBlock[]) => string
} => {
  const seen = new Map<string, number>()
  let before = ''
  const take = (message: Message): string => {
    const own = hasher.sha256(JSON.stringify([message.role, message.content.flatMap(identityOf)]))
    const key = hasher.sha256(`${before}\n${own}`).slice(0, 24)
    before = own
    const times = seen.get(key) ?? 0
    seen.set(key, times + 1)
    return `${GATEWAY_MESSAGE}${key}${times === 0 ? '' : `.${times}`}`
  }
  const withIds = messages.map((message) => ({ ...message, id: take(message) }))
  return { messages: withIds, idOfReply: (content) => take({ role: 'assistant', content }) }
}

/**
 * What of a block stays the same however often it is sent, as a list: a text without surrounding space, a call's or
 * result's id. Empty for reasoning and blank texts.
 */
const identityOf = (block: ContentBlock): readonly (string | readonly string[])[] => {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [block.text.trim()]
    case 'thinking':
      return []
    case 'tool_call':
      return [['call', block.id]]
    case 'tool_result':
      return [['result', block.callId]]
    case 'image':
      return [['image', contentOf(block)]]
    case 'file':
      return [['file', block.path, block.text ?? contentOf(block)]]
    case 'other':
      return [otherIdentity(block.value)]
  }
}

const contentOf = ({ data, url }: ImageBlock | FileBlock): string => data ?? url ?? ''

/** The identity of a block of an unknown kind: its JSON without its mark for the cache. */
export const otherIdentity = (value: JsonValue): string => {
  if (!isJsonObject(value)) return JSON.stringify(value)
  const { cache_control: _mark, ...rest } = value
  return JSON.stringify(rest)
}
