/** Messages as callers have them, in either form, as entries of a log. */
import { isJsonObject, type JsonValue } from '../../json.ts'
import type { ContentBlock, ImageBlock, OtherBlock, Role, TextBlock } from '../../messages.ts'
import type { MessageEntry } from '../../session-log.ts'
import { assertMessages, blocksOf, isFields, viewOf, type LooseMessage } from './loose.ts'

const ROLES: readonly string[] = ['user', 'assistant', 'system', 'tool'] satisfies readonly Role[]

/**
 * Entries of a conversation that has no log, numbered from 0; `at` is the time of all of them.
 * @throws CairnError `invalid-input` for what is not an array of messages.
 */
export const entriesOf = (messages: readonly LooseMessage[], at: number | null): readonly MessageEntry[] => {
  assertMessages(messages, 'prepare')
  return messages.map((message, seq): MessageEntry => {
    const content = blocksOf(message).map(blockOf)
    const onlyResults = content.length > 0 && content.every(({ type }) => type === 'tool_result')
    const role = ROLES.includes(message.role) ? (message.role as Role) : 'user'
    return { kind: 'message', seq, at, id: `message:${seq}`, role: role === 'user' && onlyResults ? 'tool' : role, content, ...originOf(message) }
  })
}

/** What a message says of itself beside the provider's fields: made up rather than said. */
const originOf = (message: LooseMessage): Pick<MessageEntry, 'origin'> => {
  const origin = 'origin' in message ? message.origin : undefined
  return origin === 'summary' || origin === 'meta' ? { origin } : {}
}

const blockOf = (block: unknown): ContentBlock => {
  const view = viewOf(block)
  switch (view.kind) {
    case 'text':
      return { type: 'text', text: view.text }
    case 'thinking': {
      const signature = isFields(block) ? block.signature : undefined
      return { type: 'thinking', text: view.text, ...(typeof signature === 'string' ? { signature } : {}) }
    }
    case 'call':
      return { type: 'tool_call', id: view.id, name: view.name, input: view.input }
    case 'result':
      return { type: 'tool_result', callId: view.id, content: partsOf(block), ...(view.isError ? { isError: true } : {}) }
    case 'file':
      return { type: 'file', path: view.path, text: view.text }
    case 'other':
      return imageOf(block) ?? otherOf(block)
  }
}

const partsOf = (block: unknown): readonly (TextBlock | ImageBlock | OtherBlock)[] => {
  const content = isFields(block) ? block.content : undefined
  const parts: readonly unknown[] = typeof content === 'string' ? [content] : Array.isArray(content) ? content : []
  return parts.map((part) => {
    const view = viewOf(part)
    return view.kind === 'text' ? { type: 'text', text: view.text } : (imageOf(part) ?? otherOf(part))
  })
}

/** An image in Cairn's form, or in Anthropic's with its source. */
const imageOf = (block: unknown): ImageBlock | undefined => {
  if (!isFields(block) || block.type !== 'image') return undefined
  const source = isFields(block.source) ? block.source : block
  const mediaType = source.mediaType ?? source.media_type
  return {
    type: 'image',
    mediaType: typeof mediaType === 'string' ? mediaType : 'image/unknown',
    ...(typeof source.data === 'string' ? { data: source.data } : {}),
    ...(typeof source.url === 'string' ? { url: source.url } : {}),
  }
}

const otherOf = (block: unknown): OtherBlock => ({ type: 'other', value: isJsonObject(block) ? block : ((block ?? null) as JsonValue) })
