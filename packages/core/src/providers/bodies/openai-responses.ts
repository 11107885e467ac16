/** A request as the body of OpenAI's Responses API, which keeps nothing of it: whole items, with their reasoning. */
import { isThinking } from '../../context/thinking.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts'
import type { ContentBlock, FileBlock, ImageBlock, Message, ThinkingBlock, ToolResultBlock } from '../../messages.ts'
import type { CacheBreakpoint, ModelRequest } from '../../ports/language-model.ts'
import { effortOf, isReasoningModel, takesBreakpoints } from '../openai-client.ts'
import { otherText } from './block-text.ts'
import { argumentsText, callIdOf } from './openai-parts.ts'
import { withTakenNames } from './tool-names.ts'

/** The API takes no fewer. */
const LEAST_OUTPUT = 16
const MOST_BREAKPOINTS = 4
const NAMES = { refused: /[^\w-]/g, longest: 64 }

export interface ResponsesSettings {
  /** How readable the reasoning is; default `auto`. */
  readonly reasoningSummary?: 'auto' | 'concise' | 'detailed' | 'none' | undefined
}

/**
 * The request as the API takes it, for a streamed reply that the provider doesn't store. At least `LEAST_OUTPUT` tokens
 * of output are asked for. The same request gives the same bytes.
 */
export const responsesBody = (request: ModelRequest, settings: ResponsesSettings = {}): JsonObject => ({
  ...responsesInput(request, settings),
  max_output_tokens: Math.max(LEAST_OUTPUT, request.maxOutputTokens),
  store: false,
  ...(isReasoningModel(request.model) || request.effort !== undefined
    ? { include: ['reasoning.encrypted_content'] }
    : {}),
  stream: true,
})

/**
 * The part of a request that counts as its input, as for counting tokens; of too many cache breakpoints the last
 * count.
 */
export const responsesInput = (request: ModelRequest, settings: ResponsesSettings = {}): JsonObject => {
  const { model, system = '', outputSchema, cacheKey } = request
  const hasMarks = takesBreakpoints(model)
  const marks = hasMarks ? (request.cacheBreakpoints ?? []).slice(-MOST_BREAKPOINTS) : []
  const reasoning = reasoningOf(request, settings)
  return {
    model,
    // Instructions can't be marked for the cache; a message can.
    ...(system === '' || hasMarks ? {} : { instructions: system }),
    input: itemsOf(request, marks, hasMarks),
    ...toolsOf(request),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(outputSchema === undefined
      ? {}
      : { text: { format: { type: 'json_schema', name: 'reply', schema: outputSchema, strict: true } } }),
    ...(cacheKey === undefined ? {} : { prompt_cache_key: cacheKey }),
    ...(marks.length === 0 ? {} : { prompt_cache_options: { mode: 'explicit' } }),
  }
}

/**
 * The tools of a request and which must be called; nothing without tools. Which must be called is left out for `auto`.
 */
const toolsOf = ({ tools = [], toolChoice = 'auto' }: ModelRequest): JsonObject => {
  if (tools.length === 0) return {}
  const choice = typeof toolChoice === 'object' ? { type: 'function', name: toolChoice.tool } : toolChoice
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: { type: 'object', properties: {}, ...inputSchema },
      strict: false,
    })),
    ...(choice === 'auto' ? {} : { tool_choice: choice }),
  }
}

/** How a model reasons; undefined for one that does not, unless it is asked for an effort. */
const reasoningOf = (
  request: ModelRequest,
  { reasoningSummary = 'auto' }: ResponsesSettings,
): JsonObject | undefined => {
  const effort = effortOf(request)
  if (!isReasoningModel(request.model) && effort === undefined) return undefined
  return {
    ...(effort === undefined ? {} : { effort }),
    ...(reasoningSummary === 'none' ? {} : { summary: reasoningSummary }),
  }
}

type Item = Record<string, JsonValue>

/**
 * The items of a request's input, in order, those before breakpoints marked for the cache. With `hasMarks` the system
 * prompt is the first item, as instructions can't be marked.
 */
const itemsOf = (
  { system = '', messages }: ModelRequest,
  marks: readonly CacheBreakpoint[],
  hasMarks: boolean,
): readonly JsonObject[] => {
  const items: Item[] = []
  if (system !== '' && hasMarks) items.push({ type: 'message', role: 'developer', content: [inputText(system)] })
  const ends = new Map<CacheBreakpoint['after'], number>([['system', items.length]])
  for (const [index, message] of withTakenNames(messages, NAMES).entries()) {
    for (const item of itemsOfMessage(message, hasMarks)) items.push(item)
    ends.set(index, items.length)
  }
  for (const { after, lifetime } of marks) markBefore(items, ends.get(after) ?? 0, lifetime === '12h' ? '12h' : '30m')
  return items
}

/**
 * Marks the last part before an index that can be marked: of what the model wrote, nothing can. Nothing if there is
 * none. Changes `items`.
 */
const markBefore = (items: Item[], end: number, ttl: string): void => {
  for (let index = end - 1; index >= 0; index--) {
    const item = items[index]
    const field = item?.type === 'function_call_output' ? 'output' : 'content'
    const parts = item?.role === 'assistant' ? undefined : item?.[field]
    if (item === undefined || !Array.isArray(parts) || parts.length === 0) continue
    const list = parts as readonly JsonObject[]
    items[index] = {
      ...item,
      [field]: [...list.slice(0, -1), { ...list.at(-1), prompt_cache_breakpoint: { mode: 'explicit', ttl } }],
    }
    return
  }
}

/**
 * A message as items: the results of tools first. A system message is a developer's. `hasMarks`: results are lists of
 * parts, which a breakpoint can stand on.
 */
const itemsOfMessage = ({ role, content }: Message, hasMarks: boolean): readonly Item[] => {
  if (role === 'assistant') return content.flatMap(itemOfReply)
  const results = content.filter((block) => block.type === 'tool_result')
  const parts = content.filter((block) => block.type !== 'tool_result' && !isThinking(block)).flatMap(inputPart)
  return [
    ...results.map((result) => outputItem(result, hasMarks)),
    ...(parts.length === 0
      ? []
      : [{ type: 'message', role: role === 'system' ? 'developer' : 'user', content: parts }]),
  ]
}

/** What the API gave and takes back as an item of its own. */
const OWN_ITEM =
  /^(?:custom_tool_call|[a-z_]+_search_call|code_interpreter_call|image_generation_call|local_shell_call|shell_call|apply_patch_call|mcp_[a-z_]+|computer_call|compaction|tool_search_output|[a-z_]+_call_output)$/

/** Whether a value is an item that the API itself has given. */
const isOwnItem = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && typeof value.type === 'string' && OWN_ITEM.test(value.type)

/**
 * A block of a reply as items; none for reasoning of another provider and for results. Images and files become text.
 */
const itemOfReply = (block: ContentBlock): readonly Item[] => {
  switch (block.type) {
    case 'thinking':
      return isOwnReasoning(block) ? [reasoningItem(block)] : []
    case 'tool_call':
      return [
        {
          type: 'function_call',
          call_id: callIdOf(block.id),
          name: block.name,
          arguments: argumentsText(block.input),
        },
      ]
    case 'text':
      return [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: block.text }],
          ...(block.phase === undefined ? {} : { phase: block.phase }),
        },
      ]
    case 'other':
      if (isThinking(block)) return []
      return [isOwnItem(block.value) ? ({ ...block.value } as Item) : outputText(otherText(block))]
    case 'tool_result':
      return []
    case 'image':
    case 'file':
      return [outputText(block.type === 'file' ? (block.text ?? block.path) : `[${block.mediaType}]`)]
  }
}

/** Only OpenAI's own reasoning can be read there. What an import could not tell begins as theirs does. */
const isOwnReasoning = ({ signature = '', signedBy }: ThinkingBlock): boolean =>
  signature !== '' && (signedBy === 'openai' || (signedBy === undefined && signature.startsWith('gAAAA')))

/** Reasoning as an item, without its id: ids name what the provider stored, and nothing is stored. */
const reasoningItem = ({ text, signature = '' }: ThinkingBlock): Item => ({
  type: 'reasoning',
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
  encrypted_content: signature,
})

/** A text that the model has said, as an item. */
const outputText = (text: string): Item => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
})

/** A tool's result as an item; a text alone as one text where nothing is marked. */
const outputItem = ({ callId, content }: ToolResultBlock, hasMarks: boolean): Item => {
  const isText = content.every(({ type }) => type === 'text')
  const output =
    isText && !hasMarks
      ? content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      : content.flatMap(inputPart)
  return { type: 'function_call_output', call_id: callIdOf(callId), output }
}

const inputText = (text: string): Item => ({ type: 'input_text', text })

/** A block as parts of the input; none for an empty text, a call, a result or reasoning. */
const inputPart = (block: ContentBlock): readonly Item[] => {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [inputText(block.text)]
    case 'image':
      return [{ type: 'input_image', detail: 'auto', image_url: urlOf(block) }]
    case 'file':
      return [filePart(block)]
    case 'other':
      return [inputText(otherText(block))]
    default:
      return []
  }
}

/** The address of an image or file; its data as a `data:` address. */
const urlOf = ({ data, url = '', mediaType = 'application/pdf' }: ImageBlock | FileBlock): string =>
  data === undefined ? url : `data:${mediaType};base64,${data}`

/** A file as a part: its data, else its address, else its path and text as a text. */
const filePart = (block: FileBlock): Item => {
  const { path, text, data, url } = block
  if (data !== undefined) return { type: 'input_file', filename: path === '' ? 'file' : path, file_data: urlOf(block) }
  if (url !== undefined) return { type: 'input_file', file_url: url }
  return inputText(text === undefined ? path : `${path}\n${text}`)
}
