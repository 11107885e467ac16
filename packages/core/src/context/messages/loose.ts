/**
 * Messages as callers have them: in Cairn's form (`tool_call`, `tool_result` with `callId`) or in
 * Anthropic's (`tool_use`, `tool_result` with `tool_use_id`), with blocks or a plain string as content.
 * This is the only file that knows both forms; what is made of a block keeps the form that it came in.
 */
import { CairnError } from '../../errors.ts'
import { arrayOf, forEachLeaf, isJsonObject, type JsonValue } from '../../json.ts'
import { hasBrokenSignature } from '../../redaction/broken-signatures.ts'

/** A message in Cairn's or Anthropic's form. */
export interface LooseMessage {
  readonly role: string
  /** A text, or an array of blocks. */
  readonly content?: unknown
}

/** A message that was made rather than given: it has a role and a content, and nothing else. */
export type MadeMessage<M extends LooseMessage> = Pick<M, 'role' | 'content'>

/** Where a block stands; in a message whose content is a string, that string is block 0. */
export interface BlockPosition {
  readonly message: number
  readonly block: number
}

/** What a block is, whatever its form. */
export type BlockView =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly isSigned: boolean }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: JsonValue }
  | {
      readonly kind: 'result'
      readonly id: string
      readonly isError: boolean
      /** Its text parts, with their place in its content. */
      readonly texts: readonly { readonly part: number; readonly text: string }[]
      /** It holds more than text: images, for example. */
      readonly hasOther: boolean
    }
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'other' }

type Fields = Readonly<Record<string, unknown>>

/** Narrows a value to an object with fields of any kind. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Checks that something is an array of messages with roles.
 * @throws CairnError `invalid-input`, naming the caller and the first bad message
 */
export const assertMessages = (messages: readonly LooseMessage[], caller: string): void => {
  const given: unknown = messages
  if (!Array.isArray(given)) throw new CairnError('invalid-input', `${caller} needs an array of messages.`)
  const bad = given.findIndex((message: unknown) => !isFields(message) || typeof message.role !== 'string')
  if (bad !== -1)
    throw new CairnError('invalid-input', `${caller} needs messages with a role; message ${bad} has none.`)
}

/** A message's blocks; a string is one block, and missing content none. */
export const blocksOf = (message: LooseMessage): readonly unknown[] => {
  const { content } = message
  if (typeof content === 'string') return [content]
  return Array.isArray(content) ? (content as readonly unknown[]) : []
}

/** A copy of the message with other blocks; a string that is its only block stays a string. */
export const withBlocks = <M extends LooseMessage>(message: M, blocks: readonly unknown[]): M => {
  const [first] = blocks
  const isText = typeof message.content === 'string' && blocks.length === 1 && typeof first === 'string'
  return { ...message, content: isText ? first : blocks.map(asBlock) }
}

/** A string among blocks as a text block; any other block as it is. */
export const asBlock = (block: unknown): unknown => (typeof block === 'string' ? { type: 'text', text: block } : block)

const idOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * What kind of block a value is, with what matters of it; `other` for what is not recognised, or damaged. Never throws.
 */
export const viewOf = (block: unknown): BlockView => {
  if (typeof block === 'string') return { kind: 'text', text: block }
  if (!isFields(block)) return { kind: 'other' }
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? { kind: 'text', text: block.text } : { kind: 'other' }
    case 'thinking': {
      const [text, signature] = [textIn(block.text ?? block.thinking), textIn(block.signature)]
      return {
        kind: 'thinking',
        text,
        isSigned: signature !== '' && !hasBrokenSignature({ type: 'thinking', text, signature }),
      }
    }
    case 'tool_call':
    case 'tool_use':
      return { kind: 'call', id: idOf(block.id), name: textIn(block.name), input: jsonOf(block.input) }
    case 'tool_result':
      return resultView(block)
    case 'file':
      return typeof block.path === 'string'
        ? { kind: 'file', path: block.path, text: textIn(block.text) }
        : { kind: 'other' }
    default:
      return { kind: 'other' }
  }
}

const jsonOf = (value: unknown): JsonValue =>
  typeof value === 'string' || isJsonObject(value) ? value : Array.isArray(value) ? arrayOf(value) : {}

/** Reads a tool result in Cairn's or Anthropic's form. `hasOther`: it has parts that are not text. */
const resultView = (block: Fields): BlockView => {
  const parts = typeof block.content === 'string' ? [block.content] : arrayOf(block.content)
  const texts = parts.flatMap((value, part) => {
    const text = textOfPart(value)
    return text === undefined ? [] : [{ part, text }]
  })
  return {
    kind: 'result',
    id: idOf(block.callId ?? block.tool_use_id),
    isError: (block.isError ?? block.is_error) === true,
    texts,
    hasOther: texts.length < parts.length,
  }
}

/** The text of a result's part that is one; results within results have none of their own. */
const textOfPart = (part: unknown): string | undefined => {
  if (typeof part === 'string') return part
  return isFields(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : undefined
}

/**
 * A block with another text: of a result its only part (as a string where it was one), of a call its whole input (as `{
 * notice: text }`), of a text or file its text; anything else becomes a text block. The block given is not changed.
 */
export const withText = (block: unknown, text: string): unknown => {
  if (typeof block === 'string') return text
  if (!isFields(block)) return { type: 'text', text }
  switch (block.type) {
    case 'text':
    case 'file':
      return { ...block, text }
    case 'tool_result':
      return { ...block, content: typeof block.content === 'string' ? text : [{ type: 'text', text }] }
    case 'tool_call':
    case 'tool_use':
      return { ...block, input: { notice: text } }
    default:
      return { type: 'text', text }
  }
}

/**
 * A copy of a result with other texts at some of its parts, by their index (0 where it is a string); other parts stay.
 * What is no object comes back as it is.
 */
export const withPartTexts = (block: unknown, texts: ReadonlyMap<number, string>): unknown => {
  if (!isFields(block)) return block
  if (typeof block.content === 'string') return { ...block, content: texts.get(0) ?? block.content }
  const content = arrayOf(block.content).map((part, index) => {
    const text = texts.get(index)
    return text === undefined ? part : withText(part, text)
  })
  return { ...block, content }
}

/** An error that stands for the result of a call that has none, in the call's form. */
export const missingResult = (call: unknown, text: string): unknown =>
  isFields(call) && call.type === 'tool_use'
    ? { type: 'tool_result', tool_use_id: call.id, content: text, is_error: true }
    : { type: 'tool_result', callId: isFields(call) ? call.id : '', content: [{ type: 'text', text }], isError: true }

/** The parts of a result that are no text (images, …), as blocks; empty for a result of text alone. */
export const otherPartsOf = (block: unknown): readonly unknown[] =>
  isFields(block) && Array.isArray(block.content)
    ? block.content.filter((part: unknown) => part !== null && textOfPart(part) === undefined)
    : []

/**
 * The characters in a block that the model reads: texts, reasoning, the texts of files and results, a call's name and
 * the values (not the keys) of its input; 0 for anything else.
 */
export const charactersOf = (block: unknown): number => {
  const view = viewOf(block)
  switch (view.kind) {
    case 'text':
    case 'thinking':
    case 'file':
      return view.text.length
    case 'result':
      return view.texts.reduce((sum, { text }) => sum + text.length, 0)
    case 'call':
      return view.name.length + charactersOfJson(view.input)
    case 'other':
      return 0
  }
}

/** The characters of all leaves, without keys and punctuation. */
const charactersOfJson = (value: JsonValue | undefined): number => {
  let characters = 0
  forEachLeaf(value, (leaf) => {
    characters += String(leaf).length
  })
  return characters
}
