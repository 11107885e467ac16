/** What Copilot CLI's events hold as blocks of the log. */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock, ToolResultBlock } from '../messages.ts'
import { optional } from './importer.ts'

/**
 * A user's message: the text as it was written, without what the program put around it, and then what was attached, of
 * which a form that is not known is kept as `other`. No blocks for an empty message.
 */
export const userContent = ({ content, attachments }: JsonObject): readonly ContentBlock[] => [
  ...textBlocks(content),
  ...arrayOf(attachments).map(attachmentBlock),
]

/**
 * A reply: reasoning, text, tool calls, and what the provider's own tools did, in this order; no blocks for an empty
 * one.
 */
export const replyContent = (data: JsonObject): readonly ContentBlock[] => [
  ...thinkingBlocks(data),
  ...textBlocks(data.content),
  ...arrayOf(data.toolRequests).map(callBlock),
  ...(isJsonObject(data.serverTools) ? [{ type: 'other', value: data.serverTools } as const] : []),
]

/**
 * The result of a tool call as the model was given it; undefined where it does not say of which call. Texts come first,
 * then an error's message, then images.
 */
export const resultBlock = ({ toolCallId, success, result, error }: JsonObject): ToolResultBlock | undefined => {
  const callId = stringOf(toolCallId)
  if (callId === undefined) return undefined
  const { content, binaryResultsForLlm } = objectOf(result)
  const texts = [...textBlocks(content), ...textBlocks(objectOf(error).message)]
  return {
    type: 'tool_result',
    callId,
    content: [...texts, ...arrayOf(binaryResultsForLlm).flatMap(imageBlocks)],
    ...optional('isError', success === false ? true : undefined),
  }
}

/**
 * A command that the user ran past the model: `$ command`, or for a tool without a command its name and its arguments
 * as JSON.
 */
export const commandText = ({ toolName, arguments: given }: JsonObject): string => {
  const command = stringOf(objectOf(given).command)
  return command === undefined ? `${stringOf(toolName) ?? 'tool'} ${JSON.stringify(given ?? {})}` : `$ ${command}`
}

/** A text as a block; none for what is no text or empty. */
const textBlocks = (value: JsonValue | undefined): readonly TextBlock[] => {
  const text = stringOf(value)
  return text === undefined ? [] : [{ type: 'text', text }]
}

/** The reasoning of a reply as one block, with its signature; else the provider's own blocks, empty if it has none. */
const thinkingBlocks = ({
  reasoningText,
  reasoningOpaque,
  encryptedContent,
  reasoningBlocks,
}: JsonObject): readonly ContentBlock[] => {
  const text = stringOf(reasoningText) ?? ''
  const sealed = stringOf(encryptedContent)
  const signature = sealed ?? stringOf(reasoningOpaque)
  if (text !== '' || signature !== undefined)
    return [
      {
        type: 'thinking',
        text,
        ...optional('signature', signature),
        ...optional('signedBy', sealed === undefined ? undefined : ('openai' as const)),
      },
    ]
  return arrayOf(objectOf(reasoningBlocks).blocks).map(providerThinking)
}

/** Reasoning as Anthropic gives it; that of others is kept as it came. */
const providerThinking = (block: JsonValue): ThinkingBlock | { readonly type: 'other'; readonly value: JsonValue } => {
  const { thinking, signature } = objectOf(block)
  return typeof thinking === 'string'
    ? { type: 'thinking', text: thinking, ...optional('signature', stringOf(signature)) }
    : { type: 'other', value: block }
}

/** A tool call; one without an id is kept as `other`. Without a name it is called `unknown`. */
const callBlock = (request: JsonValue): ToolCallBlock | { readonly type: 'other'; readonly value: JsonValue } => {
  const { toolCallId, name, arguments: input } = objectOf(request)
  const id = stringOf(toolCallId)
  return id === undefined
    ? { type: 'other', value: request }
    : { type: 'tool_call', id, name: stringOf(name) ?? 'unknown', input: input ?? {} }
}

/**
 * What was attached: a file by its path, an image or a file with its data (base64), or what is not known as `other`.
 */
const attachmentBlock = (attachment: JsonValue): ContentBlock => {
  const { type, path, filePath, text, data, mimeType, displayName } = objectOf(attachment)
  const file = stringOf(path) ?? stringOf(filePath)
  if (file !== undefined) return { type: 'file', path: file, ...optional('text', stringOf(text)) }
  const [mediaType, bytes] = [stringOf(mimeType), stringOf(data)]
  if (type !== 'blob' || mediaType === undefined || bytes === undefined) return { type: 'other', value: attachment }
  return mediaType.startsWith('image/')
    ? { type: 'image', mediaType, data: bytes }
    : { type: 'file', path: stringOf(displayName) ?? mediaType, mediaType, data: bytes }
}

/**
 * An image out of a tool's result, as a list of one; empty for what is no image, and where its bytes were left out or
 * stand in another event.
 */
const imageBlocks = (value: JsonValue): readonly ImageBlock[] => {
  const { mimeType, data } = objectOf(value)
  const [mediaType, bytes] = [stringOf(mimeType), stringOf(data)]
  return mediaType?.startsWith('image/') === true && bytes !== undefined
    ? [{ type: 'image', mediaType, data: bytes }]
    : []
}
