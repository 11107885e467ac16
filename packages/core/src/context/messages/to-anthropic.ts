/** Prepared messages in the form of Anthropic's API; other providers' forms are their adapters' concern. */
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../json.ts'
import type { ContentBlock, FileBlock, ImageBlock, Message } from '../../messages.ts'
import type { CacheBreakpoint } from '../../ports/language-model.ts'
import { isForeignForm, isSignedThinking, isThinking } from '../thinking.ts'

/** A message as `messages.create` takes it. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Readonly<Record<string, unknown>>[]
}

/**
 * The messages for a request, with nothing of Cairn's own in them; turns of the same role are joined in their order.
 * System messages become texts of the user's turn: put the system prompt itself into `system`. Reasoning that is not
 * signed, or is in another API's form, is left out.
 * @param cacheBreakpoints indexes in `messages` (`Prepared.cacheBreakpoints`), with a lifetime where it is not the
 * shortest: the last block of each is marked
 */
export const toAnthropicMessages = (
  messages: readonly Message[],
  cacheBreakpoints: readonly (number | CacheBreakpoint)[] = [],
): readonly AnthropicMessage[] => {
  const marks = new Map(
    cacheBreakpoints.map((mark) => (typeof mark === 'number' ? [mark, undefined] : [mark.after, mark.lifetime])),
  )
  const turns: { role: 'user' | 'assistant'; content: Record<string, unknown>[] }[] = []
  messages.forEach(({ role, content }, index) => {
    const turnRole = role === 'assistant' ? 'assistant' : 'user'
    // The API refuses reasoning that isn't as it was signed.
    const blocks = content.filter(isAccepted).map(anthropicBlock)
    const turn = turns.at(-1)
    if (turn?.role === turnRole) for (const block of blocks) turn.content.push(block)
    else if (blocks.length > 0) turns.push({ role: turnRole, content: blocks })
    // A message of which nothing is sent ends where the one before it does.
    if (marks.has(index)) markLast(turns.at(-1)?.content ?? [], marks.get(index))
  })
  return turns
}

/** Marks the last block that can be: reasoning can't. */
const markLast = (blocks: Record<string, unknown>[], lifetime: CacheBreakpoint['lifetime']): void => {
  const last = blocks.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking')
  if (last !== -1) blocks[last] = { ...blocks[last], cache_control: anthropicCacheControl(lifetime) }
}

/** The `cache_control` for a lifetime: an hour for `1h` and `12h`, the API's usual five minutes for any other. */
export const anthropicCacheControl = (lifetime: CacheBreakpoint['lifetime']): JsonObject =>
  lifetime === '1h' || lifetime === '12h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }

const isAccepted = (block: ContentBlock): boolean =>
  !isThinking(block) || (isSignedThinking(block) && !isForeignForm(block, { model: 'claude' }))

/** Blocks that the API takes although Cairn has no block of its own for them. */
const OWN =
  /^(?:text|image|document|search_result|redacted_thinking|server_tool_use|mcp_tool_use|container_upload|compaction|tool_reference|[a-z_]+_tool_result)$/
/** What a result may hold of them. */
const OWN_IN_RESULT = /^(?:text|image|document|search_result|tool_reference)$/

/**
 * A block that Cairn has no kind for: as it is where its type matches `own`, what the API takes; otherwise as a text
 * that says what it was, with strings over 2,000 characters (such as sounds in base64) left out. The value of no object
 * becomes its JSON.
 */
const otherBlock = (value: JsonValue, own: RegExp): Record<string, unknown> => {
  if (!isJsonObject(value)) return { type: 'text', text: JSON.stringify(value) }
  const { type, ...rest } = value
  if (typeof type === 'string' && own.test(type)) return { ...value }
  return { type: 'text', text: `[${typeof type === 'string' ? type : 'a block without a type'}: ${shortJson(rest)}]` }
}

const LONGEST_VALUE = 2000
const shortJson = (value: JsonValue): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' && inner.length > LONGEST_VALUE ? `(${inner.length} characters left out)` : inner,
  )

/** The API takes no other characters in the id of a call, which another provider may have chosen. */
const idOf = (id: string): string => id.replace(/[^\w-]/g, '_')

const LONGEST_NAME = 128
/** Nor in the name of a tool, which another provider's model may have called. */
const nameOf = (name: string): string => (name === '' ? '_' : idOf(name).slice(0, LONGEST_NAME))

/**
 * A block in Anthropic's form. What its API does not take becomes a text that says so. A call's input is an object
 * always; characters that the API does not take in ids and tools' names become `_`.
 */
const anthropicBlock = (block: ContentBlock): Record<string, unknown> => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'thinking':
      return {
        type: 'thinking',
        thinking: block.text,
        ...(block.signature === undefined ? {} : { signature: block.signature }),
      }
    case 'tool_call':
      return { type: 'tool_use', id: idOf(block.id), name: nameOf(block.name), input: argumentsOf(block.input) }
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: idOf(block.callId),
        content: block.content.map((part) =>
          part.type === 'other' ? otherBlock(part.value, OWN_IN_RESULT) : anthropicBlock(part),
        ),
        ...(block.isError === true ? { is_error: true } : {}),
      }
    case 'image':
      return block.data === undefined || IMAGE_TYPES.has(block.mediaType)
        ? { type: 'image', source: sourceOf(block) }
        : { type: 'text', text: `[an image of the type ${block.mediaType}, which the API does not take]` }
    case 'file':
      return fileBlock(block)
    case 'other':
      return otherBlock(block.value, OWN)
  }
}

/** What the API takes as images. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
const PDF = 'application/pdf'

/**
 * A file as a document if it has a URL, or is a PDF or a text in base64; otherwise as a text: its path with the text
 * that it has, or that the API does not take its type.
 */
const fileBlock = (block: FileBlock): Record<string, unknown> => {
  const { path, text, data, url, mediaType = PDF } = block
  const title = path === '' ? {} : { title: path }
  if (data === undefined && url === undefined)
    return { type: 'text', text: text === undefined ? path : `${path}\n${text}` }
  if (data === undefined || mediaType === PDF) return { type: 'document', source: sourceOf(block), ...title }
  // Of files in base64, the API takes PDF only; texts it takes as they are.
  if (mediaType.startsWith('text/'))
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: textOfBase64(data) }, ...title }
  return { type: 'text', text: `[${path}: a file of the type ${mediaType}, which the API does not take]` }
}

/** The text of UTF-8 in base64; what is not base64 comes back as it is. */
const textOfBase64 = (data: string): string => {
  try {
    return new TextDecoder('utf-8').decode(Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0)))
  } catch {
    // Not base64: then it is text already.
    return data
  }
}

const sourceOf = ({ data, url = '', mediaType = 'application/pdf' }: ImageBlock | FileBlock): JsonValue =>
  data === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data }

/**
 * The arguments of a call as the object that the API wants: a text that is JSON is parsed; a text that is not becomes
 * `{ text }`, and any other value than an object `{ value }`.
 */
const argumentsOf = (input: JsonValue): JsonValue => {
  if (typeof input !== 'string') return isJsonObject(input) ? input : { value: input }
  const parsed = parseJson(input)
  if (parsed === undefined) return { text: input }
  return isJsonObject(parsed.value) ? parsed.value : { value: parsed.value }
}
