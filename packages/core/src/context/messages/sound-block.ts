/** Blocks as a provider takes them: no blank texts, no halves of surrogate pairs, no reasoning that isn't as it was signed. */
import type { JsonValue } from '../../json.ts'
import type { ContentBlock, FileBlock, Message } from '../../messages.ts'
import { isThinking, isWellFormedThinking } from '../thinking.ts'

/**
 * The message with every block as a provider takes it, those that none takes left out; the same object where nothing
 * had to change.
 */
export const soundMessage = (message: Message): Message => {
  const content = soundBlocks(message.content)
  return content === message.content ? message : { ...message, content }
}

/** Whether a block is sent just as it is: neither left out nor mended. */
export const isSound = (block: ContentBlock): boolean => !isLeftOut(block) && soundBlock(block) === block

/** The same list where every block of it is sound. */
const soundBlocks = <Block extends ContentBlock>(blocks: readonly Block[]): readonly Block[] => {
  const sound = blocks.flatMap((block) => (isLeftOut(block) ? [] : [soundBlock(block)]))
  return sound.length === blocks.length && sound.every((block, index) => block === blocks[index]) ? blocks : sound
}

/** Blank texts, and reasoning with half characters: mended, it would not be what was signed. */
const isLeftOut = (block: ContentBlock): boolean =>
  isThinking(block) ? !isWellFormedThinking(block) : block.type === 'text' && block.text.trim() === ''

/** The block with U+FFFD for each half of a surrogate pair; the same object where it has none. */
const soundBlock = <Block extends ContentBlock>(block: Block): Block => {
  switch (block.type) {
    case 'text':
      return block.text.isWellFormed() ? block : { ...block, text: block.text.toWellFormed() }
    case 'tool_call': {
      const input = soundJson(block.input)
      return input === block.input ? block : { ...block, input }
    }
    case 'tool_result': {
      const content = soundBlocks(block.content)
      return content === block.content ? block : { ...block, content }
    }
    case 'file': {
      const names = soundTexts(block)
      return names === undefined ? block : { ...block, ...names }
    }
    case 'other': {
      const value = soundJson(block.value)
      return value === block.value ? block : { ...block, value }
    }
    case 'thinking':
    case 'image':
      return block
  }
}

/** A file's path and text where one of them has to be mended; undefined where both are well-formed. */
const soundTexts = ({ path, text }: FileBlock): Pick<FileBlock, 'path' | 'text'> | undefined => {
  if (path.isWellFormed() && text?.isWellFormed() !== false) return undefined
  return { path: path.toWellFormed(), ...(text === undefined ? {} : { text: text.toWellFormed() }) }
}

const HALF = /\\ud[89a-f][0-9a-f]{2}/i
const ESCAPES = /\\(?:u(d[89a-f][0-9a-f]{2})|[^])/gi

/** Values of messages, which never change, that were found to be sound: they are in every later request. */
const known = new WeakSet()

/**
 * The value with U+FFFD for each half of a surrogate pair, also in keys; the same value where it has none. JSON writes
 * whole pairs as they are and halves as escapes, so that its text shows them.
 */
const soundJson = (value: JsonValue): JsonValue => {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  if (value === null || typeof value !== 'object' || known.has(value)) return value
  const text = JSON.stringify(value)
  if (!HALF.test(text)) {
    known.add(value)
    return value
  }
  const sound = text.replace(ESCAPES, (escape, half: string | undefined) => (half === undefined ? escape : '\ufffd'))
  return sound === text ? value : (JSON.parse(sound) as JsonValue)
}
