/**
 * How many characters of a request a piece of content stands for. This one rule is used to estimate tokens
 * and to learn their ratio, so that the two can't drift apart.
 *
 * A character is a UTF-16 unit, as in `String.length`. Binary content has none: it is counted as an image or
 * attachment, never by the length of its base64.
 */
import type { JsonValue } from '../json.ts'
import type { ContentBlock, ImageBlock, Message } from '../messages.ts'
import type { ModelRequest, ToolDefinition } from '../ports/language-model.ts'

interface JsonSize {
  readonly characters: number
  /** Binary strings that were left out of the characters. */
  readonly attachments: number
}

/** Parsed values are never changed, so what was measured once need not be written out again. */
const measured = new WeakMap<object, JsonSize>()
const measuredWithoutBinary = new WeakMap<object, JsonSize>()

/**
 * Text of this length without a space that is all base64 is a file, not words. Shorter ones count as text,
 * which makes no more of them than an image is taken for.
 */
const SHORTEST_BINARY = 4096
const BINARY = /^(?:data:[^,]{0,200};base64,)?[A-Za-z0-9+/_-]+={0,2}$/

const isBinary = (value: unknown): boolean =>
  typeof value === 'string' && value.length >= SHORTEST_BINARY && BINARY.test(value)

/**
 * The size of a value as JSON; remembered for objects. Binary strings then count as attachments, and as nothing else.
 * `leaveOutBinary`: binary strings are not in its size.
 */
const sizeOf = (value: JsonValue, leaveOutBinary: boolean): JsonSize => {
  const known = leaveOutBinary ? measuredWithoutBinary : measured
  const key = typeof value === 'object' && value !== null ? value : undefined
  const found = key === undefined ? undefined : known.get(key)
  if (found !== undefined) return found
  let attachments = 0
  const replacer = (_key: string, part: unknown): unknown => {
    if (!isBinary(part)) return part
    attachments += 1
    return ''
  }
  const text = leaveOutBinary ? JSON.stringify(value, replacer) : JSON.stringify(value)
  const size = { characters: text.length, attachments }
  if (key !== undefined) known.set(key, size)
  return size
}

/** Characters of a value as JSON; of a string, which is a provider's raw arguments text, its own. */
const argumentCharacters = (input: JsonValue): number =>
  typeof input === 'string' ? input.length : sizeOf(input, false).characters

/**
 * Characters of a block: text and reasoning as they are, without a signature; a tool call as its name and its input as
 * JSON, a result and a file by their text, with the file's path, any other block as JSON without binary strings. Images
 * have none.
 */
export const contentCharacters = (block: ContentBlock): number => {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return block.text.length
    case 'tool_call':
      return block.name.length + argumentCharacters(block.input)
    case 'tool_result':
      return block.content.reduce((sum, part) => sum + contentCharacters(part), 0)
    case 'file':
      return block.path.length + (block.text?.length ?? 0)
    case 'other':
      return sizeOf(block.value, true).characters
    case 'image':
      return 0
  }
}

/**
 * What a block holds besides characters, one item each: an image as such, undefined for a document or a binary string,
 * of which no size is known.
 */
export const contentAttachments = (block: ContentBlock): readonly (ImageBlock | undefined)[] => {
  if (block.type === 'image') return [block]
  if (block.type === 'file') return block.data === undefined && block.url === undefined ? [] : [undefined]
  if (block.type === 'tool_result') return block.content.flatMap(contentAttachments)
  if (block.type === 'other') return Array<undefined>(sizeOf(block.value, true).attachments).fill(undefined)
  return []
}

/** The texts of a block in the order sent, for an exact tokenizer; none for an image, and without binary strings. */
export const contentTexts = (block: ContentBlock): readonly string[] => {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return [block.text]
    case 'tool_call':
      return [block.name, typeof block.input === 'string' ? block.input : JSON.stringify(block.input)]
    case 'tool_result':
      return block.content.flatMap(contentTexts)
    case 'file':
      return block.text === undefined ? [block.path] : [block.path, block.text]
    case 'other':
      return [JSON.stringify(block.value, (_key, part: unknown) => (isBinary(part) ? '' : part))]
    case 'image':
      return []
  }
}

/** Characters of a tool's definition, which the provider counts as input too: name, description, schema as JSON. */
export const toolCharacters = (tool: ToolDefinition): number =>
  tool.name.length + tool.description.length + argumentCharacters(tool.inputSchema)

const messageCharacters = ({ content }: Message): number =>
  content.reduce((sum, block) => sum + contentCharacters(block), 0)

/**
 * Characters of everything that a provider counts as a request's input: system prompt, messages and tools.
 * Without the tools a learned ratio would come out too low, as their tokens are in the provider's count.
 */
export const requestCharacters = (request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number =>
  (request.system?.length ?? 0) +
  request.messages.reduce((sum, message) => sum + messageCharacters(message), 0) +
  (request.tools ?? []).reduce((sum, tool) => sum + toolCharacters(tool), 0)
