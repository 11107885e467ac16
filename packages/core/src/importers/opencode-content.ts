/** The parts of OpenCode's messages as blocks of the log. */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, ImageBlock, OtherBlock, TextBlock, ToolResultBlock } from '../messages.ts'
import { optional } from './importer.ts'

/** What a user's message holds: their own words and files, and what OpenCode put beside them. */
export interface UserContent {
  readonly own: readonly ContentBlock[]
  readonly added: readonly ContentBlock[]
}

/** A reply of the model with the results of the tools that it called, and its own record of tokens and cost. */
export interface ReplyStep {
  readonly content: readonly ContentBlock[]
  readonly results: readonly ToolResultBlock[]
  /** When the last of the tools ended, as recorded. */
  readonly resultsAt?: JsonValue
  readonly finish?: JsonObject
}

/** Parts that tell of the program's work, not of the conversation; the source line keeps them. */
const WORK_PARTS: ReadonlySet<JsonValue | undefined> = new Set([
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
  'retry',
  'compaction',
])

/**
 * The blocks of a user's message, what the user wrote apart from what the program added, both in order; parts that only
 * record work are left out.
 */
export const userContent = (parts: readonly JsonValue[]): UserContent => {
  const own: ContentBlock[] = []
  const added: ContentBlock[] = []
  for (const value of parts) {
    const part = objectOf(value)
    if (WORK_PARTS.has(part.type)) continue
    const isOwn = part.synthetic !== true && part.type !== 'subtask'
    ;(isOwn ? own : added).push(blockOf(value))
  }
  return { own, added }
}

/**
 * The replies of an assistant's message, in order: older versions keep all requests of a turn in one, each ended by its
 * own record (`finish`). At least one, which is empty for a message without parts.
 */
export const replySteps = (parts: readonly JsonValue[]): readonly ReplyStep[] => {
  const steps: ReplyStep[] = []
  let content: ContentBlock[] = []
  let results: ToolResultBlock[] = []
  let resultsAt: JsonValue | undefined
  const end = (finish?: JsonObject): void => {
    steps.push({ content, results, ...optional('resultsAt', resultsAt), ...optional('finish', finish) })
    content = []
    results = []
    resultsAt = undefined
  }
  for (const value of parts) {
    const part = objectOf(value)
    if (part.type === 'step-finish') end(part)
    if (WORK_PARTS.has(part.type)) continue
    content.push(blockOf(value))
    const result = resultOf(part)
    if (result === undefined) continue
    results.push(result)
    resultsAt = objectOf(objectOf(part.state).time).end ?? resultsAt
  }
  if (content.length > 0 || steps.length === 0) end()
  return steps
}

/** A part as a block; what is not known is kept as `other`. A damaged one is `other`, too. */
const blockOf = (value: JsonValue): ContentBlock => {
  if (!isJsonObject(value)) return { type: 'other', value }
  switch (value.type) {
    case 'text':
      if (typeof value.text === 'string') return { type: 'text', text: value.text }
      break
    case 'reasoning':
      if (typeof value.text === 'string')
        return { type: 'thinking', text: value.text, ...optional('signature', signatureOf(value)) }
      break
    case 'tool':
      if (typeof value.callID === 'string' && typeof value.tool === 'string')
        return { type: 'tool_call', id: value.callID, name: value.tool, input: objectOf(value.state).input ?? {} }
      break
    case 'file':
      return fileBlock(value)
  }
  return { type: 'other', value }
}

/** Only Anthropic's reasoning is sealed in a way that its text can be sent back with. */
const signatureOf = ({ metadata }: JsonObject): string | undefined =>
  stringOf(objectOf(objectOf(metadata).anthropic).signature)

const DATA_URL = /^data:([^;,]*);base64,/

/** A file that was attached; kept as `other` where it has no path. Data in the address becomes `data`. */
const fileBlock = (part: JsonObject): ContentBlock => {
  const url = stringOf(part.url) ?? ''
  const source = objectOf(part.source)
  const mediaType = stringOf(part.mime)
  if (mediaType?.startsWith('image/') === true && url !== '') return imageBlock(mediaType, url)
  const data = DATA_URL.exec(url)
  const path = stringOf(source.path) ?? stringOf(part.filename) ?? (data === null ? url : '')
  if (path === '') return { type: 'other', value: part }
  return {
    type: 'file',
    path,
    ...optional('mediaType', mediaType),
    ...(data === null ? optional('url', url === '' ? undefined : url) : { data: url.slice(data[0].length) }),
  }
}

/** An image with its data if the URL holds them in base64, otherwise with the URL. */
const imageBlock = (mediaType: string, url: string): ImageBlock => {
  const data = DATA_URL.exec(url)
  return data === null
    ? { type: 'image', mediaType, url }
    : { type: 'image', mediaType, data: url.slice(data[0].length) }
}

/** The result of a tool; undefined for other parts, and for a tool that did not end. A failed one is an error. */
const resultOf = (part: JsonObject): ToolResultBlock | undefined => {
  const state = objectOf(part.state)
  const callId = stringOf(part.callID)
  if (part.type !== 'tool' || callId === undefined || typeof part.tool !== 'string') return undefined
  if (state.status === 'error')
    return { type: 'tool_result', callId, content: resultContent(state.error), isError: true }
  if (state.status !== 'completed') return undefined
  const content = [...resultContent(state.output), ...attachments(state)]
  return { type: 'tool_result', callId, content, ...(hasFailed(state) ? { isError: true } : {}) }
}

/** Whether a command ended with another status than 0, which OpenCode counts as completed. */
const hasFailed = ({ metadata }: JsonObject): boolean => {
  const { exit } = objectOf(metadata)
  return typeof exit === 'number' && exit !== 0
}

/** The parts of a result; none for undefined and null, anything but a text as `other`. */
const resultContent = (value: JsonValue | undefined): readonly (TextBlock | OtherBlock)[] => {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  return value === undefined || value === null ? [] : [{ type: 'other', value }]
}

/** A result's attachments; what is no image is kept as it is. */
const attachments = ({ attachments: values }: JsonObject): readonly (ImageBlock | OtherBlock)[] =>
  arrayOf(values).map((value) => {
    const block = isJsonObject(value) ? blockOf(value) : undefined
    return block?.type === 'image' ? block : { type: 'other', value }
  })
