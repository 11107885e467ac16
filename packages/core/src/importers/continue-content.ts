/** The content of Continue's messages as blocks of the log. */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, TextBlock, ToolCallBlock, ToolResultBlock } from '../messages.ts'
import { pathOf } from './continue-context.ts'
import { textOrImage } from './text-or-image.ts'

/** A message's content (a text, or parts with text or images) as blocks, in order; none for an empty text. */
export const partBlocks = (content: JsonValue | undefined): readonly ContentBlock[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return arrayOf(content).map(partBlock)
}

const partBlock = (part: JsonValue): ContentBlock => textOrImage(part, objectOf(part).imageUrl)

/**
 * What the user attached to a message, as blocks of files with their text; a text without a path or name becomes a text
 * block, and what has neither is left out.
 */
export const attachedBlocks = (contextItems: JsonValue | undefined): readonly ContentBlock[] =>
  arrayOf(contextItems).flatMap((value): readonly ContentBlock[] => {
    const { name, content, uri } = objectOf(value)
    const text = stringOf(content)
    const path = stringOf(objectOf(uri).value) ?? stringOf(name)
    if (path === undefined) return text === undefined ? [] : [{ type: 'text', text }]
    return [{ type: 'file', path: pathOf(path), ...(text === undefined ? {} : { text }) }]
  })

/**
 * A reply's tool calls, in the form of OpenAI's API, as blocks; calls without an id are left out. Without a name they
 * are called `unknown`.
 */
export const callBlocks = (toolCalls: JsonValue | undefined): readonly ToolCallBlock[] =>
  arrayOf(toolCalls).flatMap((value) => {
    const { id, function: called } = objectOf(value)
    const { name, arguments: input } = objectOf(called)
    const callId = stringOf(id)
    return callId === undefined
      ? []
      : [{ type: 'tool_call', id: callId, name: stringOf(name) ?? 'unknown', input: input ?? {} }]
  })

/**
 * The result of a call, as a reply's `toolCallStates` have it; undefined for a call that is not done. Of its output
 * only the texts; a call that failed or was cancelled is done, and an error.
 */
export const resultBlock = (state: JsonObject): ToolResultBlock | undefined => {
  const callId = stringOf(state.toolCallId)
  const isError = state.status === 'errored' || state.status === 'canceled'
  if (callId === undefined || (!Array.isArray(state.output) && !isError)) return undefined
  const content = arrayOf(state.output).flatMap((item): readonly TextBlock[] => {
    const text = isJsonObject(item) ? stringOf(item.content) : stringOf(item)
    return text === undefined ? [] : [{ type: 'text', text }]
  })
  return { type: 'tool_result', callId, content, ...(isError ? { isError: true } : {}) }
}
