/**
 * A block in Cairn's form, whatever form it came in: Anthropic's, OpenAI's (chat and responses), Gemini's, the AI
 * SDK's, LangChain's, pi's, a plain string, or something unknown.
 */
import { isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, ImageBlock, OtherBlock, TextBlock, ThinkingBlock, ToolResultBlock } from '../messages.ts'
import { mediaOf } from './loose-media.ts'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const isText = (value: string | undefined): boolean => value !== undefined
const jsonOf = (value: JsonValue | undefined): JsonValue => (value === undefined ? {} : value)

/** Whether a block is in Cairn's form already, as nearly all are. Only its top-level fields are looked at. */
const isKnown = (value: unknown): value is ContentBlock => {
  if (!isJsonObject(value)) return false
  switch (value.type) {
    case 'text':
    case 'thinking':
      return typeof value.text === 'string'
    case 'tool_call':
      return typeof value.name === 'string' && typeof value.id === 'string' && value.input !== undefined
    case 'tool_result':
      return typeof value.callId === 'string' && Array.isArray(value.content)
    case 'image':
      return typeof value.mediaType === 'string' && value.source === undefined && value.image === undefined
    case 'file':
      return typeof value.path === 'string'
    default:
      return value.type === 'other' && value.value !== undefined
  }
}

/**
 * A block in Cairn's form, of whatever program it is. One that already is comes back unchanged, an unknown one inside
 * an `other` block. Never throws.
 */
export const knownBlock = (value: unknown): ContentBlock => {
  if (isKnown(value)) return value
  if (typeof value === 'string') return { type: 'text', text: value }
  if (!isJsonObject(value)) return otherOf(value)
  return wordsOf(value) ?? callOf(value) ?? resultOf(value) ?? mediaOf(value) ?? otherOf(value)
}

/** The text or reasoning that a block is; undefined for anything else. */
const wordsOf = (block: JsonObject): TextBlock | ThinkingBlock | undefined => {
  switch (block.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return typeof block.text === 'string' ? { type: 'text', text: block.text } : undefined
    case 'refusal':
      return typeof block.refusal === 'string' ? { type: 'text', text: block.refusal } : undefined
    case 'thinking':
    case 'reasoning':
      return thinkingOf(block)
    case undefined: {
      if (typeof block.text !== 'string') return undefined
      return block.thought === true
        ? thinkingOf({ text: block.text, thoughtSignature: block.thoughtSignature ?? block.thought_signature })
        : { type: 'text', text: block.text }
    }
    default:
      return undefined
  }
}

/**
 * Reasoning: Anthropic's `thinking`, the AI SDK's `text`, the summary and the sealed content of OpenAI's item; the
 * signature goes with whoever signed it.
 */
const thinkingOf = (block: JsonObject): ThinkingBlock | undefined => {
  const given = block.text ?? block.thinking
  const parts = [block.summary, block.content].flatMap((list) =>
    Array.isArray(list) ? (list as readonly JsonValue[]).map((part) => textOf(objectOf(part).text)) : [],
  )
  const text = typeof given === 'string' ? given : parts.filter((part) => part !== '').join('\n\n')
  const options = objectOf(objectOf(block.providerOptions ?? block.providerMetadata).anthropic)
  const signature = [block.signature, block.thinkingSignature, options.signature].map(stringOf).find(isText)
  if (signature !== undefined) return { type: 'thinking', text, signature }
  const [openai, google] = [stringOf(block.encrypted_content), stringOf(block.thoughtSignature)]
  if (openai !== undefined) return { type: 'thinking', text, signature: openai, signedBy: 'openai' }
  return { type: 'thinking', text, ...(google === undefined ? {} : { signature: google, signedBy: 'google' }) }
}

/** A call in Cairn's form; what is missing becomes an empty text. */
const call = (id: JsonValue | undefined, name: JsonValue | undefined, input: JsonValue | undefined): ContentBlock => ({
  type: 'tool_call',
  id: textOf(id),
  name: textOf(name),
  input: jsonOf(input),
})

/** The tool call that a block is; undefined for anything else. */
const callOf = (block: JsonObject): ContentBlock | undefined => {
  switch (block.type) {
    case 'tool_call':
    case 'tool_use':
    case 'toolCall':
      return callWithArguments(block)
    case 'tool-call':
      return call(block.toolCallId, block.toolName, block.input ?? block.args)
    case 'function':
    case 'custom': {
      const own = objectOf(block[block.type])
      return call(block.id, own.name, own.arguments ?? own.input)
    }
    case 'function_call':
    case 'custom_tool_call':
      return call(block.call_id ?? block.id, block.name, block.arguments ?? block.input)
    case undefined:
      return callWithoutType(block)
    default:
      return undefined
  }
}

/** A call with its own id and name; its arguments have one of three names. */
const callWithArguments = ({ id, name, input, arguments: given, args }: JsonObject): ContentBlock =>
  call(id, name, input ?? given ?? args)

/** Gemini's part; a call of a chat completion whose type was left out. */
const callWithoutType = (block: JsonObject): ContentBlock | undefined => {
  const own = block.functionCall ?? block.function_call ?? block.function
  return isJsonObject(own) ? call(own.id ?? block.id, own.name, own.args ?? own.arguments) : undefined
}

/** The tool's result that a block is; undefined for anything else. */
const resultOf = (block: JsonObject): ToolResultBlock | undefined => {
  switch (block.type) {
    case 'tool_result':
      return result(block.callId ?? block.tool_use_id, block.content, (block.isError ?? block.is_error) === true)
    case 'tool-result': {
      const { value, isError } = outputOf(block.output ?? block.result ?? block.experimental_content)
      return result(block.toolCallId, value, isError || block.isError === true)
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return result(block.call_id, block.output)
    case undefined: {
      const own = block.functionResponse ?? block.function_response
      return isJsonObject(own) ? result(own.id, own.response) : undefined
    }
    default:
      return undefined
  }
}

/**
 * What a tool gave in the AI SDK: `{ type: 'text', value }` and its kin, or the bare value of older versions. A refused
 * call is an error; other objects are the value.
 */
const outputOf = (
  output: JsonValue | undefined,
): { readonly value: JsonValue | undefined; readonly isError: boolean } => {
  if (!isJsonObject(output) || !/^(?:(?:error-)?(?:text|json)|content|execution-denied)$/.test(textOf(output.type)))
    return { value: output, isError: false }
  return {
    value: output.value ?? output.reason ?? '',
    isError: /^(?:error-|execution-denied)/.test(textOf(output.type)),
  }
}

/** A result in Cairn's form; `isError` only if it is true. */
const result = (id: JsonValue | undefined, content: JsonValue | undefined, isError = false): ToolResultBlock => ({
  type: 'tool_result',
  callId: textOf(id),
  content: partsOf(content),
  ...(isError ? { isError } : {}),
})

const CONTENT_TYPE =
  /^(?:text|input_text|output_text|image|image_url|input_image|document|file|input_file|media|other)$/

/**
 * A result's parts: a text, a list of parts, or any other value, which is written as JSON; so is a list of values that
 * are no parts. An object with nothing but `content`, a text, and `success` is that text. None for undefined and null.
 */
export const partsOf = (content: unknown): ToolResultBlock['content'] => {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) {
    // Some programs wrap the text: {"content": "…", "success": true}.
    const { content: inner, success: _success, ...rest } = objectOf(content)
    const text = Object.keys(rest).length === 0 ? stringOf(inner) : undefined
    return [{ type: 'text', text: text ?? JSON.stringify(content) }]
  }
  const parts = content as readonly unknown[]
  const isContent = parts.every((part) => typeof part === 'string' || CONTENT_TYPE.test(textOf(objectOf(part).type)))
  return isContent || parts.some((part) => typeof objectOf(part).type === 'string')
    ? parts.map(partOf)
    : [{ type: 'text', text: JSON.stringify(content) }]
}

/**
 * A part of a result: a text or an image; a file with its text is a text below its path. Anything else is kept as
 * `other`, a file with data or an address in Anthropic's form of a document.
 */
const partOf = (part: unknown): TextBlock | ImageBlock | OtherBlock => {
  if (typeof part === 'string') return { type: 'text', text: part }
  if (!isJsonObject(part)) return otherOf(part)
  // The AI SDK's image in a result.
  const block = part.type === 'media' ? mediaOf({ ...part, type: 'file' }) : (wordsOf(part) ?? mediaOf(part))
  if (block?.type === 'text' || block?.type === 'image') return block
  if (block?.type !== 'file') return otherOf(part)
  if (block.text !== undefined) return { type: 'text', text: `${block.path}\n${block.text}` }
  const { path, mediaType = 'application/pdf', data, url } = block
  const source = data === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data }
  return { type: 'other', value: { type: 'document', source, title: path } }
}

/** An unknown block, kept as it is; one that is wrapped already is not wrapped again. */
const otherOf = (block: unknown): OtherBlock => {
  if (isJsonObject(block) && block.type === 'other' && block.value !== undefined)
    return { type: 'other', value: block.value }
  return { type: 'other', value: isJsonObject(block) ? block : ((block ?? null) as JsonValue) }
}
