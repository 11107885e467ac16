/**
 * Brings messages of older or foreign programs into the shape that providers take: known roles, blocks as
 * content, nothing empty, the user first. What is said stays; only wrappers around it go.
 */
import { CairnError } from '../../errors.ts'
import { shownValue } from '../../input.ts'
import { createMessageReader, type MessageReader } from './read-messages.ts'
import { KNOWN_ROLES, roleOf } from './roles.ts'
import { asBlock, isFields, viewOf, type LooseMessage, type MadeMessage } from './loose.ts'

export interface NormaliseOptions {
  /** User messages in a row become one; the fields of the first are kept. Default false. */
  readonly mergeAdjacentUsers?: boolean
}

const BEGINNING_MISSING = '[The beginning of the conversation is missing.]'

/** Markup that programs put around a message when they show a conversation to a model as one text. */
const WRAPPERS: readonly (readonly [open: RegExp, close: string])[] = [
  [/^\[conversation\]/i, '[/conversation]'],
  [/^<conversation>/i, '</conversation>'],
  [/^<\|im_start\|>(?:\w+\n)?/, '<|im_end|>'],
]

/**
 * Normalises: a string or a `text` field becomes a text block, null and empty blocks and messages without
 * content are left out, names of roles are made the usual ones, markup that wraps a whole text is taken
 * off, and a conversation that does not begin with the user gets a first message that says so. Messages with calls or
 * results in the form of other APIs, and those in lines of a transcript, come back in Cairn's form. Messages
 * that need nothing come back as they are; pairs of calls and results are {@link repairPairs}' matter.
 *
 * @throws CairnError `invalid-input` when it is not given an array, and for a message whose role is not known.
 */
export const normaliseMessages = <M extends LooseMessage>(
  messages: readonly M[],
  options: NormaliseOptions = {},
): readonly (M | MadeMessage<M>)[] => {
  const given: unknown = messages
  if (!Array.isArray(given)) throw new CairnError('invalid-input', 'normaliseMessages needs an array of messages.')
  const reader = createMessageReader('normaliseMessages')
  const shaped = (given as readonly unknown[]).flatMap((message, index) => shapedMessage(message, index, reader))
  const begun = beginWithUser(shaped)
  const result = options.mergeAdjacentUsers === true ? mergeUsers(begun) : begun
  // Every message is the caller's own, or has the fields of one with role and content put right.
  return result
}

type Shaped = { readonly role: string; readonly content: readonly unknown[] }

/**
 * A message in Cairn's form, the same object if it is already; empty if it has no content. Empty also for what is
 * neither a text (which is the user's) nor an object.
 * @throws CairnError `invalid-input` for an unknown role, and for another API's calls and results that can't be read
 */
const shapedMessage = (given: unknown, index: number, reader: MessageReader): readonly Shaped[] => {
  if (typeof given === 'string') return shapedMessage({ role: 'user', content: given }, index, reader)
  if (!isFields(given)) return []
  const message: Readonly<Record<string, unknown>> = isForeign(given) ? { ...reader.read(given, index) } : given
  const own = contentOf(message)
  const content = own.flatMap(shapedBlock)
  if (content.length === 0) return []
  const role = typeof message.role === 'string' ? roleOf(message.role) : undefined
  if (role === undefined)
    throw new CairnError(
      'invalid-input',
      `Message ${index} has the role ${shownValue(message.role)}; known are ${KNOWN_ROLES}.`,
    )
  const isSame =
    role === message.role &&
    own === message.content &&
    content.length === own.length &&
    content.every((block, index) => block === own[index])
  if (isSame) return [message as unknown as Shaped]
  const { text: _text, parts: _parts, ...rest } = message
  return [{ ...rest, role, content }]
}

const FOREIGN_FIELDS = ['tool_calls', 'function_call', 'toolInvocations', 'tool_call_id', 'toolCallId'] as const
const FOREIGN_BLOCKS = /^(?:tool-call|tool-result|toolCall|function_call|function_call_output|tool-.+|dynamic-tool)$/

/** Whether a message holds calls or results where only its own API looks for them, or stands in a line around it. */
const isForeign = (message: Readonly<Record<string, unknown>>): boolean => {
  if (FOREIGN_FIELDS.some((field) => message[field] !== undefined && message[field] !== null)) return true
  if (typeof message.role !== 'string')
    return isFields(message.message) || isFields(message.payload) || isItem(message.type)
  return contentOf(message).some(
    (block) =>
      isFields(block) &&
      (typeof block.type === 'string'
        ? FOREIGN_BLOCKS.test(block.type)
        : isFields(block.functionCall) || isFields(block.functionResponse)),
  )
}

const isItem = (type: unknown): boolean => typeof type === 'string' && /_call(?:_output)?$|^reasoning$/.test(type)

/**
 * A message's blocks from `content`, else `parts`, else `text`, where older shapes have them; a single value is a list
 * of one, and none an empty list.
 */
const contentOf = (message: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const content = message.content ?? message.parts ?? message.text
  if (Array.isArray(content)) return content as readonly unknown[]
  return content === undefined || content === null ? [] : [content]
}

/**
 * The block in a known form: a list of one, or empty for blank text and what has no content. A bare text or number is a
 * text block, without markup around it; what has no type is text or `other`; a result without content gets an empty
 * one.
 */
const shapedBlock = (block: unknown): readonly unknown[] => {
  const value = asBlock(block)
  if (!isFields(value)) return typeof value === 'number' ? [asBlock(String(value))] : []
  if (typeof value.type !== 'string') {
    if (typeof value.text === 'string') return shapedBlock({ ...value, type: 'text' })
    return Object.keys(value).length === 0 ? [] : [{ type: 'other', value }]
  }
  if (value.type === 'text') {
    if (typeof value.text !== 'string') return []
    const text = withoutWrapper(value.text)
    if (text.trim() === '') return []
    return [text === value.text ? value : { ...value, text }]
  }
  if (value.type === 'tool_result' && (value.content === null || value.content === undefined))
    return [{ ...value, content: 'tool_use_id' in value ? '' : [] }]
  return [value]
}

/** The text inside markup that begins and ends it; a text that only mentions such markup stays as it is. */
const withoutWrapper = (text: string): string => {
  const trimmed = text.trim()
  for (const [open, close] of WRAPPERS) {
    const opening = open.exec(trimmed)?.[0]
    if (opening === undefined || trimmed.length < opening.length + close.length) continue
    if (trimmed.slice(-close.length).toLowerCase() !== close) continue
    const inner = trimmed.slice(opening.length, -close.length)
    // A second pair inside: the first and the last tag are not each other's.
    if (inner.toLowerCase().includes(close)) continue
    return withoutWrapper(inner.trim())
  }
  return text
}

/**
 * Puts a made user message before a conversation that begins with another role, system messages apart. Unchanged if it
 * begins with the user, or has only system messages.
 */
const beginWithUser = (messages: readonly Shaped[]): readonly Shaped[] => {
  const first = messages.findIndex((message) => message.role !== 'system')
  if (first === -1 || messages[first]?.role === 'user') return messages
  const made: Shaped = { role: 'user', content: [{ type: 'text', text: BEGINNING_MISSING }] }
  return messages.toSpliced(first, 0, made)
}

/**
 * Joins neighbouring user messages into one, tool results first. The others keep their order; the first message's other
 * fields stay.
 */
const mergeUsers = (messages: readonly Shaped[]): readonly Shaped[] => {
  const groups: Shaped[][] = []
  for (const message of messages) {
    const last = groups.at(-1)
    if (message.role === 'user' && last?.[0]?.role === 'user') last.push(message)
    else groups.push([message])
  }
  return groups.flatMap((group) => {
    const [first] = group
    if (first === undefined || group.length === 1) return group
    const blocks = group.flatMap((message) => message.content)
    // Providers want results before anything else.
    const isResult = (block: unknown): boolean => viewOf(block).kind === 'result'
    return [{ ...first, content: [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))] }]
  })
}
