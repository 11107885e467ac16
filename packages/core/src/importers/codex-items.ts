/** Codex's response items (OpenAI's Responses API) as messages of the log. */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, Role, TextBlock } from '../messages.ts'
import { isProgramContent } from '../user-words/user-words.ts'

/** A response item of Codex as a message. */
export interface ItemMessage {
  readonly role: Role
  readonly content: readonly ContentBlock[]
  readonly origin?: 'meta'
}

/** Converts a response item into a message; undefined for items without content, such as empty reasoning. */
export const itemMessage = (item: JsonObject): ItemMessage | undefined => {
  const type = stringOf(item.type) ?? 'unknown'
  switch (type) {
    case 'message': {
      const content = textContent(item.content)
      if (content.length === 0) return undefined
      if (item.role === 'assistant') return { role: 'assistant', content }
      if (item.role !== 'user') return { role: 'system', content }
      return isProgramContent(content) ? { role: 'user', content, origin: 'meta' } : { role: 'user', content }
    }
    case 'reasoning': {
      const text = [...arrayOf(item.summary), ...arrayOf(item.content)]
        .map((part) => stringOf(objectOf(part).text) ?? '')
        .filter((part) => part !== '')
        .join('\n\n')
      const signature = stringOf(item.encrypted_content)
      if (text === '' && signature === undefined) return undefined
      return {
        role: 'assistant',
        content: [signature === undefined ? { type: 'thinking', text } : { type: 'thinking', text, signature }],
      }
    }
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'tool_search_call':
    case 'web_search_call': {
      const id = stringOf(item.call_id) ?? stringOf(item.id)
      const name = stringOf(item.name) ?? type.replace(/_call$/, '')
      const input = item.arguments ?? item.input ?? item.action ?? {}
      // A search that the provider ran has neither an id nor an answer: not a call that could be paired.
      return {
        role: 'assistant',
        content: [id === undefined ? { type: 'other', value: item } : { type: 'tool_call', id, name, input }],
      }
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
    case 'tool_search_output': {
      const callId = stringOf(item.call_id)
      if (callId === undefined) return { role: 'tool', content: [{ type: 'other', value: item }] }
      const output = item.output ?? item.tools
      return { role: 'tool', content: [{ type: 'tool_result', callId, content: resultContent(output) }] }
    }
    default:
      return { role: 'assistant', content: [{ type: 'other', value: item }] }
  }
}

const textContent = (content: JsonValue | undefined): readonly ContentBlock[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return arrayOf(content).map((part): ContentBlock => {
    const object = objectOf(part)
    if (typeof object.text === 'string') return { type: 'text', text: object.text }
    const url = stringOf(object.image_url)
    return url === undefined ? { type: 'other', value: part } : imageOf(url)
  })
}

const imageOf = (url: string): ContentBlock => {
  const inline = /^data:([^;,]+);base64,/.exec(url)
  const mediaType = inline?.[1] ?? 'image/unknown'
  return inline === null
    ? { type: 'image', mediaType, url }
    : { type: 'image', mediaType, data: url.slice(inline[0].length) }
}

const resultContent = (
  output: JsonValue | undefined,
): readonly (TextBlock | { readonly type: 'other'; readonly value: JsonValue })[] => {
  if (output === undefined || output === null) return []
  if (typeof output === 'string') return [{ type: 'text', text: output }]
  // Some versions wrap the text: {"content": "…", "success": true}.
  const inner = isJsonObject(output) ? stringOf(output.content) : undefined
  if (inner !== undefined) return [{ type: 'text', text: inner }]
  if (Array.isArray(output)) {
    return (output as readonly JsonValue[]).map((part) => {
      const text = objectOf(part).text
      return typeof text === 'string' ? { type: 'text' as const, text } : { type: 'other' as const, value: part }
    })
  }
  return [{ type: 'other', value: output }]
}
