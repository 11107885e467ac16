/** Pi's message content as blocks of the log. */
import { isJsonObject, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock } from '../messages.ts'

/**
 * The blocks of a message's body; `kind` is pi's role, such as `user`, `toolResult` or `bashExecution`. A command is
 * one text with its output, a summary a text, a tool's result one block. Parts of a form that is not known are kept as
 * `other`. Never throws.
 */
export const contentOf = (kind: string, body: JsonObject): readonly ContentBlock[] => {
  if (kind === 'bashExecution')
    return [{ type: 'text', text: `$ ${stringOf(body.command) ?? ''}\n${stringOf(body.output) ?? ''}` }]
  if (typeof body.summary === 'string') return [{ type: 'text', text: body.summary }]
  const parts =
    typeof body.content === 'string'
      ? [{ type: 'text', text: body.content }]
      : Array.isArray(body.content)
        ? (body.content as readonly JsonValue[])
        : []
  const blocks = parts.map(contentBlock)
  const callId = stringOf(body.toolCallId)
  if (kind !== 'toolResult' || callId === undefined) return blocks
  const content = blocks.flatMap((block) =>
    block.type === 'text' || block.type === 'image' || block.type === 'other' ? [block] : [],
  )
  return [
    body.isError === true
      ? { type: 'tool_result', callId, content, isError: true }
      : { type: 'tool_result', callId, content },
  ]
}

/** A part of a message as a block; what has no known form is kept as it is. A damaged one is kept, too. */
const contentBlock = (value: JsonValue): ContentBlock => {
  if (!isJsonObject(value)) return { type: 'other', value }
  if (value.type === 'text' && typeof value.text === 'string') return { type: 'text', text: value.text }
  if (value.type === 'thinking' && typeof value.thinking === 'string') {
    const signature = stringOf(value.thinkingSignature)
    return signature === undefined
      ? { type: 'thinking', text: value.thinking }
      : { type: 'thinking', text: value.thinking, signature }
  }
  if (value.type === 'toolCall' && typeof value.id === 'string' && typeof value.name === 'string') {
    return { type: 'tool_call', id: value.id, name: value.name, input: value.arguments ?? {} }
  }
  if (value.type === 'image' && typeof value.data === 'string')
    return { type: 'image', mediaType: stringOf(value.mimeType) ?? 'image/unknown', data: value.data }
  return { type: 'other', value }
}
