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

/**
 * Converts a response item into a message: the assistant's for reasoning and calls, the tool's for outputs, and one of
 * an unknown kind as an assistant's block `other`. Undefined for items without content, such as empty reasoning.
 */
export const itemMessage = (item: JsonObject): ItemMessage | undefined => {
  const convert = CONVERTERS.get(item.type)
  return convert === undefined ? { role: 'assistant', content: [{ type: 'other', value: item }] } : convert(item)
}

type Converter = (item: JsonObject) => ItemMessage | undefined

/**
 * A message; undefined for an empty one. What is neither the user's nor the assistant's is the system's. A user's that
 * the program wrote has origin `meta`.
 */
const fromMessage: Converter = (item) => {
  const content = textContent(item.content)
  if (content.length === 0) return undefined
  if (item.role === 'assistant') return { role: 'assistant', content }
  if (item.role !== 'user') return { role: 'system', content }
  return isProgramContent(content) ? { role: 'user', content, origin: 'meta' } : { role: 'user', content }
}

/**
 * Reasoning as a message of the assistant, its summary before its content, with its signature; undefined where it has
 * neither text nor signature.
 */
const fromReasoning: Converter = (item) => {
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

/** A tool call; one without an id can't be paired, and is kept as `other`. Without a name it is called by its type. */
const fromCall: Converter = (item) => {
  const id = stringOf(item.call_id) ?? stringOf(item.id)
  // A search that the provider ran has neither an id nor a result, so it is no call that could be paired.
  if (id === undefined) return { role: 'assistant', content: [{ type: 'other', value: item }] }
  const name = stringOf(item.name) ?? (stringOf(item.type) ?? '').replace(/_call$/, '')
  const input = item.arguments ?? item.input ?? item.action ?? {}
  return { role: 'assistant', content: [{ type: 'tool_call', id, name, input }] }
}

/** A tool's result; one of no call is kept as `other`. */
const fromOutput: Converter = (item) => {
  const callId = stringOf(item.call_id)
  if (callId === undefined) return { role: 'tool', content: [{ type: 'other', value: item }] }
  return { role: 'tool', content: [{ type: 'tool_result', callId, content: resultContent(item.output ?? item.tools) }] }
}

const CONVERTERS: ReadonlyMap<JsonValue | undefined, Converter> = new Map<JsonValue, Converter>([
  ['message', fromMessage],
  ['reasoning', fromReasoning],
  ['function_call', fromCall],
  ['custom_tool_call', fromCall],
  ['local_shell_call', fromCall],
  ['tool_search_call', fromCall],
  ['web_search_call', fromCall],
  ['function_call_output', fromOutput],
  ['custom_tool_call_output', fromOutput],
  ['local_shell_call_output', fromOutput],
  ['tool_search_output', fromOutput],
])

/**
 * The parts of a content; what is neither text nor image is kept as `other`. A text is one part; empty for what is
 * neither text nor list.
 */
const textContent = (content: JsonValue | undefined): readonly ContentBlock[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return arrayOf(content).map((part): ContentBlock => {
    const object = objectOf(part)
    if (typeof object.text === 'string') return { type: 'text', text: object.text }
    const url = stringOf(object.image_url)
    return url === undefined ? { type: 'other', value: part } : imageOf(url)
  })
}

/** An image by its address, or with the data that this holds. An address without data has the type `image/unknown`. */
const imageOf = (url: string): ContentBlock => {
  const inline = /^data:([^;,]+);base64,/.exec(url)
  const mediaType = inline?.[1] ?? 'image/unknown'
  return inline === null
    ? { type: 'image', mediaType, url }
    : { type: 'image', mediaType, data: url.slice(inline[0].length) }
}

/**
 * The parts of an output; none for undefined and null. A text, an object with a text as `content`, and parts with a
 * `text` are texts; all else, also a bare text in a list, is kept as `other`.
 */
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
