/** Content in the shape of Anthropic's API, as Claude Code and the Cline family store it, as blocks of the log. */
import { isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, ImageBlock, OtherBlock, TextBlock } from '../messages.ts'

/**
 * Converts a message's `content` in Anthropic's form (a text, or typed blocks) into content blocks; unknown blocks are
 * kept as they are. Null and absent content give none.
 */
export const contentBlocks = (content: JsonValue | undefined): readonly ContentBlock[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content))
    return content === undefined || content === null ? [] : [{ type: 'other', value: content }]
  return (content as readonly JsonValue[]).map(contentBlock)
}

/**
 * A block of the API's form; what is not known is kept as `other`. A bare text is a text block. A damaged one is
 * `other`, too.
 */
const contentBlock = (value: JsonValue): ContentBlock => {
  if (!isJsonObject(value)) return typeof value === 'string' ? { type: 'text', text: value } : { type: 'other', value }
  switch (value.type) {
    case 'thinking': {
      if (typeof value.thinking !== 'string') break
      const signature = stringOf(value.signature)
      return signature === undefined
        ? { type: 'thinking', text: value.thinking }
        : { type: 'thinking', text: value.thinking, signature }
    }
    case 'tool_use':
      if (typeof value.id !== 'string' || typeof value.name !== 'string') break
      return { type: 'tool_call', id: value.id, name: value.name, input: value.input ?? {} }
    case 'tool_result': {
      if (typeof value.tool_use_id !== 'string') break
      const content = resultContent(value.content)
      return value.is_error === true
        ? { type: 'tool_result', callId: value.tool_use_id, content, isError: true }
        : { type: 'tool_result', callId: value.tool_use_id, content }
    }
    default:
      return simpleBlock(value)
  }
  return { type: 'other', value }
}

/**
 * A text or image; what is neither is kept as `other`. An image has its data or else its URL; without a type it is
 * `image/unknown`.
 */
const simpleBlock = (value: JsonObject): TextBlock | ImageBlock | OtherBlock => {
  if (value.type === 'text' && typeof value.text === 'string') return { type: 'text', text: value.text }
  if (value.type === 'image') {
    const source = objectOf(value.source)
    const mediaType = stringOf(source.media_type) ?? 'image/unknown'
    const data = stringOf(source.data)
    if (data !== undefined) return { type: 'image', mediaType, data }
    const url = stringOf(source.url)
    if (url !== undefined) return { type: 'image', mediaType, url }
  }
  return { type: 'other', value }
}

/**
 * The parts of a tool's result; none for undefined and null. A bare text is a text block; what is neither text nor
 * image is kept as `other`.
 */
const resultContent = (content: JsonValue | undefined): readonly (TextBlock | ImageBlock | OtherBlock)[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content))
    return content === undefined || content === null ? [] : [{ type: 'other', value: content }]
  return (content as readonly JsonValue[]).map((part) =>
    isJsonObject(part)
      ? simpleBlock(part)
      : typeof part === 'string'
        ? { type: 'text', text: part }
        : { type: 'other', value: part },
  )
}

/** Whether a message holds nothing but tool results; such a user message counts as the tool's. */
export const onlyToolResults = (content: readonly ContentBlock[]): boolean =>
  content.length > 0 && content.every((block) => block.type === 'tool_result')
