/** Anthropic's Messages. */
import { arrayOf, isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../../json.ts'
import type { ContentBlock } from '../../../messages.ts'
import type { Item, WireForm } from './wire-form.ts'
import type { Fate, PutIn } from './view-changes.ts'

/** A message's content as blocks: a text becomes one block, missing content none. */
export const blocksOf = ({ content }: JsonObject): readonly JsonValue[] =>
  typeof content === 'string' ? [textBlock(content)] : arrayOf(content)

const textBlock = (text: string): JsonObject => ({ type: 'text', text })

/**
 * The message with its blocks' fates; undefined if nothing but reasoning would be left. A fate is a block's
 * replacement, null to remove it, undefined to leave it as it came.
 */
const changed = (item: JsonObject, fates: readonly Fate[]): JsonObject | undefined => {
  const blocks = blocksOf(item).flatMap((block, index): readonly JsonValue[] => {
    const fate = fates[index]
    if (fate === undefined) return [block]
    return fate === null ? [] : [changedBlock(objectOf(block), fate)]
  })
  if (blocks.every(isReasoning)) return undefined
  const [only] = blocks
  // A text stays a text.
  const content =
    typeof item.content === 'string' && isJsonObject(only) && typeof only.text === 'string' ? only.text : blocks
  return { ...item, content }
}

/**
 * The block with what `to` has: a text's or result's text, a call's input; its other fields, such as a cache mark,
 * stay. A block of another kind that becomes a text keeps its cache mark alone. Where `to` is no text, call or result,
 * the block as it is.
 */
const changedBlock = (block: JsonObject, to: ContentBlock): JsonValue => {
  if (to.type === 'tool_result') {
    const [part] = to.content
    const text = part?.type === 'text' ? part.text : ''
    return { ...block, content: typeof block.content === 'string' ? text : [textBlock(text)] }
  }
  if (to.type === 'tool_call') return { ...block, input: to.input }
  if (to.type !== 'text') return block
  const mark = block.cache_control
  return block.type === 'text'
    ? { ...block, text: to.text }
    : { ...textBlock(to.text), ...(mark === undefined ? {} : { cache_control: mark }) }
}

const typeOf = (block: JsonValue): JsonValue | undefined => objectOf(block).type
/** Whether a block of Anthropic's form is reasoning, readable or redacted. */
export const isReasoning = (block: JsonValue): boolean =>
  typeOf(block) === 'thinking' || typeOf(block) === 'redacted_thinking'
const isResult = (block: JsonValue): boolean => typeOf(block) === 'tool_result'

/**
 * Puts texts into the list. Where `before` is in a message of the user's: into that, behind its results of tools; where
 * it is in another: before that, as a message of the user's. Without `before`, or if it is gone, at the end.
 */
const withTexts = (items: readonly Item[], { texts, before }: PutIn): readonly Item[] => {
  const put = texts.map(textBlock)
  const own: Item = { index: undefined, value: { role: 'user', content: put } }
  const at = before === undefined ? -1 : items.findIndex(({ index }) => index === before.item)
  const target = items[at]
  if (target === undefined) return [...items, own]
  if (target.value.role !== 'user') return items.toSpliced(at, 0, own)
  const blocks = blocksOf(target.value)
  const content = blocks.toSpliced(blocks.findLastIndex(isResult) + 1, 0, ...put)
  return items.with(at, { index: target.index, value: { ...target.value, content } })
}

export const anthropicForm: WireForm = { changed, withTexts, finished: (items) => items }
