/** A block in Cairn's form, whatever form it came in: Anthropic's, a plain string, or something unknown. */
import { isJsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, ImageBlock, OtherBlock, TextBlock } from '../messages.ts'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const jsonOf = (value: unknown): JsonValue => (value === undefined ? {} : (value as JsonValue))

/** Whether a block is in Cairn's form already, as nearly all are: told by a look, without going into it. */
const isKnown = (value: unknown): value is ContentBlock => {
  if (!isFields(value)) return false
  switch (value.type) {
    case 'text':
    case 'thinking':
      return typeof value.text === 'string'
    case 'tool_call':
      return typeof value.name === 'string' && value.input !== undefined
    case 'tool_result':
      return typeof value.callId === 'string' && Array.isArray(value.content)
    case 'image':
      return !isFields(value.source)
    case 'file':
      return typeof value.path === 'string'
    default:
      return value.type === 'other'
  }
}

/** Never fails; what is in Cairn's form comes back as it is, what is not known whole in an `other` block. */
export const knownBlock = (value: unknown): ContentBlock => {
  if (isKnown(value)) return value
  if (typeof value === 'string') return { type: 'text', text: value }
  if (!isFields(value)) return otherOf(value)
  switch (value.type) {
    case 'text':
      return typeof value.text === 'string' ? { type: 'text', text: value.text } : otherOf(value)
    case 'thinking':
      return {
        type: 'thinking',
        text: textOf(value.text ?? value.thinking),
        ...(typeof value.signature === 'string' ? { signature: value.signature } : {}),
      }
    case 'tool_call':
    case 'tool_use':
      return { type: 'tool_call', id: textOf(value.id), name: textOf(value.name), input: jsonOf(value.input) }
    case 'tool_result':
      return {
        type: 'tool_result',
        callId: textOf(value.callId ?? value.tool_use_id),
        content: partsOf(value.content),
        ...((value.isError ?? value.is_error) === true ? { isError: true } : {}),
      }
    case 'file':
      return { type: 'file', path: textOf(value.path), ...(typeof value.text === 'string' ? { text: value.text } : {}) }
    default:
      return imageOf(value) ?? otherOf(value)
  }
}

const partsOf = (content: unknown): readonly (TextBlock | ImageBlock | OtherBlock)[] => {
  const parts: readonly unknown[] = typeof content === 'string' ? [content] : Array.isArray(content) ? content : []
  return parts.map((part) => {
    if (typeof part === 'string') return { type: 'text', text: part }
    if (isFields(part) && part.type === 'text' && typeof part.text === 'string')
      return { type: 'text', text: part.text }
    return imageOf(part) ?? otherOf(part)
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

const otherOf = (block: unknown): OtherBlock => {
  if (isFields(block) && block.type === 'other' && 'value' in block)
    return { type: 'other', value: jsonOf(block.value) }
  return { type: 'other', value: isJsonObject(block) ? block : ((block ?? null) as JsonValue) }
}
