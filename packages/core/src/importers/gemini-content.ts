/** Gemini's parts of a message, and the calls that Gemini CLI records beside them, as blocks of the log. */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, ImageBlock, OtherBlock, TextBlock } from '../messages.ts'
import { parseTime } from './line-values.ts'

/** A call that a message holds, as the model asked for it. */
export interface RecordedCall {
  /** Absent where the API gave none. */
  readonly id?: string
  readonly name: string
  readonly input: JsonValue
}

/** What came of a call. */
export interface RecordedResult {
  readonly callId?: string
  /** When the call ended, ms; null where the source does not say. */
  readonly at: number | null
  readonly content: readonly ResultBlock[]
  readonly isError: boolean
}

/** A message's content, with its calls and results apart. */
export interface MessageParts {
  readonly blocks: readonly ContentBlock[]
  readonly calls: readonly RecordedCall[]
  readonly results: readonly RecordedResult[]
}

type ResultBlock = TextBlock | ImageBlock | OtherBlock

/**
 * The parts of a `PartListUnion`: a text, a part, or a list of both. What follows a result and is no text belongs to
 * it. A part of a form that is not known is kept as `other`. Calls, results and other parts keep their order each.
 */
export const messageParts = (content: JsonValue | undefined): MessageParts => {
  const blocks: ContentBlock[] = []
  const calls: RecordedCall[] = []
  const results: RecordedResult[] = []
  for (const part of partList(content)) {
    const { functionCall, functionResponse } = objectOf(part)
    const last = results.at(-1)
    if (isJsonObject(functionCall)) calls.push(callOf(functionCall))
    else if (isJsonObject(functionResponse)) results.push(resultOf(functionResponse))
    else if (last !== undefined && !isText(part))
      results[results.length - 1] = { ...last, content: [...last.content, plainBlock(part)] }
    else blocks.push(...blockOf(part))
  }
  return { blocks, calls, results }
}

/**
 * The model's summaries of its reasoning (`[{ subject, description }]`), one block each; one without subject and
 * description is left out.
 */
export const thoughtBlocks = (thoughts: JsonValue | undefined): readonly ContentBlock[] =>
  arrayOf(thoughts).flatMap((value) => {
    const { subject, description } = objectOf(value)
    const title = stringOf(subject)
    const lines = [title === undefined ? undefined : `**${title}**`, stringOf(description)]
    const text = lines.filter((line) => line !== undefined).join('\n')
    return text === '' ? [] : [{ type: 'thinking', text }]
  })

/**
 * A tool call as a reply's `toolCalls` record it once it has ended; without a name it is called `unknown`. Never
 * throws.
 */
export const recordedCall = (value: JsonObject): RecordedCall => callOf(value)

/**
 * The result of a recorded call; undefined for one that has none yet. A call that succeeded, failed or was cancelled
 * has one, if empty. `at` is its time in ms, null where none is told.
 */
export const recordedResult = (value: JsonObject): RecordedResult | undefined => {
  const { result, status, timestamp, id } = value
  const at = parseTime(timestamp)
  const isError = status === 'error' || status === 'cancelled'
  const { blocks, results } = messageParts(result)
  const content = [
    ...results.flatMap((one) => one.content),
    ...blocks.flatMap((block) => (isResultBlock(block) ? [block] : [])),
  ]
  if (content.length === 0 && !isError && status !== 'success') return undefined
  const callId = stringOf(id)
  return {
    ...(callId === undefined ? {} : { callId }),
    at,
    content,
    isError: isError || results.some((one) => one.isError),
  }
}

/** The parts of a content as a list; none for an empty one. */
const partList = (content: JsonValue | undefined): readonly JsonValue[] => {
  if (content === undefined || content === null || content === '') return []
  return Array.isArray(content) ? (content as readonly JsonValue[]) : [content]
}

const isText = (part: JsonValue): boolean =>
  typeof part === 'string' || (typeof objectOf(part).text === 'string' && objectOf(part).thought !== true)

/** A call; without a name it is called `unknown`. Without arguments its input is empty. */
const callOf = ({ id, name, args }: JsonObject): RecordedCall => {
  const given = stringOf(id)
  return { ...(given === undefined ? {} : { id: given }), name: stringOf(name) ?? 'unknown', input: args ?? {} }
}

/** A tool's result; an error where it tells one. It has no time. */
const resultOf = ({ id, response }: JsonObject): RecordedResult => {
  const callId = stringOf(id)
  const { output, error } = objectOf(response)
  const isError = error !== undefined && error !== null
  const value = isError ? error : (output ?? response)
  return {
    ...(callId === undefined ? {} : { callId }),
    at: null,
    content: value === undefined || value === null ? [] : [plainBlock(value)],
    isError,
  }
}

/** What hooks handed over before the user's words, in one text with them. Within it the brackets of tags are escaped. */
const HANDED_OVER = /^<hook_context>[^<]*<\/hook_context>\s*(?=\S)/

/**
 * A part that stands for itself, what hooks handed over apart from the user's words; an empty text is none. Reasoning
 * becomes thinking.
 */
const blockOf = (part: JsonValue): readonly ContentBlock[] => {
  const { text, thought } = objectOf(part)
  if (part === '' || text === '') return []
  if (thought === true && typeof text === 'string') return [{ type: 'thinking', text }]
  const block = plainBlock(part)
  const handedOver = block.type === 'text' ? HANDED_OVER.exec(block.text)?.[0] : undefined
  if (block.type !== 'text' || handedOver === undefined) return [block]
  return [
    { type: 'text', text: handedOver },
    { type: 'text', text: block.text.slice(handedOver.length) },
  ]
}

/** A part as text or image; what is neither is kept as `other`. An image has its data or its address. */
const plainBlock = (part: JsonValue): ResultBlock => {
  if (typeof part === 'string') return { type: 'text', text: part }
  const { text, inlineData, fileData } = objectOf(part)
  if (typeof text === 'string') return { type: 'text', text }
  const { mimeType, data, fileUri } = objectOf(inlineData ?? fileData)
  const mediaType = stringOf(mimeType)
  if (mediaType?.startsWith('image/') === true) {
    if (typeof data === 'string') return { type: 'image', mediaType, data }
    if (typeof fileUri === 'string') return { type: 'image', mediaType, url: fileUri }
  }
  return { type: 'other', value: part }
}

const isResultBlock = (block: ContentBlock): block is ResultBlock =>
  block.type === 'text' || block.type === 'image' || block.type === 'other'
