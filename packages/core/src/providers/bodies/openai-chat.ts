/** A request as the body of Chat Completions, as OpenAI and as compatible servers take it. */
import { isThinking } from '../../context/thinking.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import type { ContentBlock, FileBlock, ImageBlock, Message, ToolCallBlock, ToolResultBlock } from '../../messages.ts'
import type { CacheBreakpoint, ModelRequest } from '../../ports/language-model.ts'
import { isNewerGemini } from '../gemini-models.ts'
import { effortOf, isOpenAIModel, isReasoningModel, takesBreakpoints } from '../openai-client.ts'
import { blockText } from './block-text.ts'
import { FOREIGN_SIGNATURE, isSignedByGoogle } from './google-signatures.ts'
import { argumentsText, callIdOf } from './openai-parts.ts'
import { withTakenNames } from './tool-names.ts'

const MOST_BREAKPOINTS = 4
const HOSTED_NAMES = { refused: /[^\w-]/g, longest: 64 }
/** Other servers take dots as well. */
const OTHER_NAMES = { refused: /[^\w.-]/g, longest: 64 }

/**
 * The request as the API takes it, for a streamed reply; servers of other models are not sent what only OpenAI knows.
 * `isOpenAI`: the server is OpenAI's or Azure's; OpenAI's own models elsewhere are treated alike. The same request
 * gives the same bytes. Of too many cache breakpoints the last count.
 */
export const chatBody = (request: ModelRequest, isOpenAI: boolean): JsonObject => {
  const { model, system = '', outputSchema, maxOutputTokens } = request
  const isHosted = isOpenAI || isOpenAIModel(model)
  const marks = isHosted && takesBreakpoints(model) ? (request.cacheBreakpoints ?? []).slice(-MOST_BREAKPOINTS) : []
  const effort = isReasoningModel(model) || !isHosted ? effortOf(request) : undefined
  return {
    model,
    messages: chatMessages(system, withTakenNames(request.messages, isHosted ? HOSTED_NAMES : OTHER_NAMES), {
      marks,
      isGemini: isNewerGemini(model),
    }),
    ...toolsOf(request),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(outputSchema === undefined
      ? {}
      : {
          response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: outputSchema, strict: true } },
        }),
    // OpenAI's newer models refuse the older name, and most other servers know no other.
    ...(isHosted ? { max_completion_tokens: maxOutputTokens } : { max_tokens: maxOutputTokens }),
    ...(isHosted ? cacheOf(request, marks) : {}),
    stream: true,
    stream_options: { include_usage: true },
  }
}

/**
 * The tools of a request and which must be called; nothing without tools. Which must be called is left out for `auto`.
 */
const toolsOf = ({ tools = [], toolChoice = 'auto' }: ModelRequest): JsonObject => {
  if (tools.length === 0) return {}
  const choice = typeof toolChoice === 'object' ? { type: 'function', function: { name: toolChoice.tool } } : toolChoice
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: { type: 'object', properties: {}, ...inputSchema } },
    })),
    ...(choice === 'auto' ? {} : { tool_choice: choice }),
  }
}

/**
 * `prompt_cache_key`, and the explicit mode where `marks` has any (the marks themselves stand in the messages); empty
 * without both.
 */
const cacheOf = ({ cacheKey }: ModelRequest, marks: readonly CacheBreakpoint[]): JsonObject => ({
  ...(cacheKey === undefined ? {} : { prompt_cache_key: cacheKey }),
  ...(marks.length === 0 ? {} : { prompt_cache_options: { mode: 'explicit' } }),
})

type ChatMessage = Record<string, JsonValue>

/**
 * The messages in the API's form, with the system prompt as the first unless it is empty; the last content before each
 * breakpoint is marked for the cache.
 */
const chatMessages = (
  system: string,
  messages: readonly Message[],
  { marks, isGemini }: { readonly marks: readonly CacheBreakpoint[]; readonly isGemini: boolean },
): readonly JsonObject[] => {
  const sent: ChatMessage[] = system === '' ? [] : [{ role: 'system', content: system }]
  const ends = new Map<CacheBreakpoint['after'], number>([['system', sent.length]])
  for (const [index, message] of messages.entries()) {
    sent.push(...chatMessage(message, isGemini))
    ends.set(index, sent.length)
  }
  for (const { after, lifetime } of marks) markBefore(sent, ends.get(after) ?? 0, lifetime === '12h' ? '12h' : '30m')
  return sent
}

/**
 * Marks the last content before an index (not included) that can be marked: not empty, and not of a reply. Nothing
 * where there is none.
 */
const markBefore = (messages: ChatMessage[], end: number, ttl: string): void => {
  const index = messages.slice(0, end).findLastIndex(({ role, content }) => role !== 'assistant' && content !== '')
  const message = messages[index]
  if (message === undefined) return
  const { content = '' } = message
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content as readonly JsonObject[])
  const marked = { ...parts.at(-1), prompt_cache_breakpoint: { mode: 'explicit', ttl } }
  messages[index] = { ...message, content: [...parts.slice(0, -1), marked] }
}

/**
 * A message as one or several of the API's; none for one that is empty. Each result is a message of its own; the user's
 * message, with the images of the results, follows them. Reasoning is left out. `isGemini`: calls keep their
 * signatures.
 */
const chatMessage = ({ role, content }: Message, isGemini: boolean): readonly ChatMessage[] => {
  if (role === 'assistant') return replyMessage(content, isGemini)
  const results = content.filter((block) => block.type === 'tool_result')
  // A tool's message holds text only; its images go to the user's message behind it.
  const images = results.flatMap((result) => result.content.filter((part) => part.type === 'image'))
  const parts = [...images, ...content.filter((block) => block.type !== 'tool_result' && !isThinking(block))].flatMap(
    partOf,
  )
  return [
    ...results.map(resultMessage),
    ...(parts.length === 0 ? [] : [{ role: role === 'system' ? 'system' : 'user', content: plain(parts) }]),
  ]
}

/**
 * A reply as a message, with its other blocks as text; reasoning is left out. None for one without text and calls.
 * `isGemini`: calls keep their signatures.
 */
const replyMessage = (content: readonly ContentBlock[], isGemini: boolean): readonly ChatMessage[] => {
  const calls = isGemini ? signedCalls(content) : content.filter((block) => block.type === 'tool_call').map(callOf)
  const text = content
    .filter((block) => block.type !== 'tool_call' && !isThinking(block))
    .map(blockText)
    .join('\n\n')
  if (text === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ]
}

/** A tool call in the API's form. Of a long id only the end is sent. */
const callOf = ({ id, name, input }: ToolCallBlock): JsonObject => ({
  id: callIdOf(id),
  type: 'function',
  function: { name, arguments: argumentsText(input) },
})

/**
 * The calls of a reply with the signatures that Gemini 3 wants back, where Google's compatible API has them. The first
 * call without one gets a signature that stands for any.
 */
const signedCalls = (content: readonly ContentBlock[]): readonly JsonObject[] => {
  const calls: JsonObject[] = []
  let signature: string | undefined
  for (const block of content) {
    if (block.type === 'tool_call') {
      const sign = signature ?? (calls.length === 0 ? FOREIGN_SIGNATURE : undefined)
      const extra = sign === undefined ? {} : { extra_content: { google: { thought_signature: sign } } }
      calls.push({ ...callOf(block), ...extra })
    }
    signature = isSignedByGoogle(block) && block.text === '' ? block.signature : undefined
  }
  return calls
}

/** A tool's result as a message of text; an image in it is only named. */
const resultMessage = ({ callId, content }: ToolResultBlock): ChatMessage => ({
  role: 'tool',
  tool_call_id: callIdOf(callId),
  content: content.map((part) => (part.type === 'image' ? '(an image, which follows)' : blockText(part))).join('\n'),
})

/** A block as a part of a message: an image, a file with data, all else as text; none if that text is empty. */
const partOf = (block: ContentBlock): readonly JsonObject[] => {
  if (block.type === 'image') return [{ type: 'image_url', image_url: { url: urlOf(block) } }]
  if (block.type === 'file' && block.data !== undefined)
    return [{ type: 'file', file: { filename: block.path === '' ? 'file' : block.path, file_data: urlOf(block) } }]
  const text = blockText(block)
  return text === '' ? [] : [{ type: 'text', text }]
}

/** The address of an image or file; its data as a `data:` address. */
const urlOf = ({ data, url = '', mediaType = 'application/pdf' }: ImageBlock | FileBlock): string =>
  data === undefined ? url : `data:${mediaType};base64,${data}`

/** Text alone is sent as text: small servers know nothing else. */
const plain = (parts: readonly JsonObject[]): JsonValue =>
  parts.every(({ type }) => type === 'text') ? parts.map(({ text }) => text as string).join('\n\n') : parts
