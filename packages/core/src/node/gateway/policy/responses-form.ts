/** OpenAI's Responses. */
import { arrayOf, objectOf, stringOf, type JsonObject, type JsonValue } from '../../../json.ts'
import type { ContentBlock } from '../../../messages.ts'
import type { Item, WireForm } from './wire-form.ts'
import type { Fate, PutIn } from './view-changes.ts'

/**
 * The item with what becomes of its blocks (`fates`, by their positions; null: it leaves); undefined if nothing is left
 * of it. Without a fate it stays as it came.
 */
const changed = (item: JsonObject, fates: readonly Fate[]): JsonObject | undefined => {
  const [fate] = fates
  switch (item.type) {
    case undefined:
    case 'message':
      return changedMessage(item, fates)
    case 'function_call':
      return fate?.type === 'tool_call' ? { ...item, arguments: JSON.stringify(fate.input) } : unlessGone(item, fate)
    case 'custom_tool_call':
      return fate?.type === 'tool_call' ? { ...item, input: textOfInput(fate.input) } : unlessGone(item, fate)
    default:
      return fate?.type === 'tool_result' ? { ...item, ...changedOutput(item, fate) } : unlessGone(item, fate)
  }
}

const unlessGone = (item: JsonObject, fate: Fate): JsonObject | undefined => (fate === null ? undefined : item)

const textOfInput = (input: JsonValue): string => stringOf(objectOf(input).cut) ?? JSON.stringify(input)

/** The message with its parts' fates; undefined if none is left. Parts without a fate stay. */
const changedMessage = (item: JsonObject, fates: readonly Fate[]): JsonObject | undefined => {
  if (typeof item.content === 'string') {
    const [fate] = fates
    return fate?.type === 'text' ? { ...item, content: fate.text } : unlessGone(item, fate)
  }
  const parts = arrayOf(item.content).flatMap((part, index): readonly JsonValue[] => {
    const fate = fates[index]
    if (fate === undefined) return [part]
    if (fate?.type !== 'text') return fate === null ? [] : [part]
    const type = item.role === 'assistant' ? 'output_text' : 'input_text'
    return [
      typeof objectOf(part).text === 'string' ? { ...objectOf(part), text: fate.text } : { type, text: fate.text },
    ]
  })
  return parts.length === 0 ? undefined : { ...item, content: parts }
}

/**
 * The output with the text of a result, as a text or as a list of parts, whichever it was. Empty for a tool that gave a
 * list of tools: nothing else may stand there.
 */
const changedOutput = (
  item: JsonObject,
  { content: [part] }: Extract<ContentBlock, { type: 'tool_result' }>,
): JsonObject => {
  const text = part?.type === 'text' ? part.text : ''
  if (item.output === undefined) return {}
  return { output: Array.isArray(item.output) ? [{ type: 'input_text', text }] : text }
}

const isOutput = ({ value }: Item): boolean => (stringOf(value.type) ?? '').endsWith('_output')

/**
 * Puts each text in as a message of the user's: before the item that `before` is in, else at the end; but behind all
 * results of tools that stand there. Gives a new list.
 */
const withTexts = (items: readonly Item[], { texts, before }: PutIn): readonly Item[] => {
  const found = before === undefined ? -1 : items.findIndex(({ index }) => index === before.item)
  let at = found === -1 ? items.length : found
  for (let item = items[at]; item !== undefined && isOutput(item); item = items[at]) at += 1
  const put = texts.map((text): Item => ({ index: undefined, value: userMessage(text) }))
  return items.toSpliced(at, 0, ...put)
}

/** A user's message with a text, in this API's form. */
const userMessage = (text: string): JsonObject => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})

/**
 * The items without reasoning that led to something that has left: the API refuses it before anything else. `came`: the
 * client's own list, which `index` counts.
 */
const finished = (items: readonly Item[], came: readonly JsonObject[]): readonly Item[] => {
  const kept = new Set(items.map(({ index }) => index))
  return items.filter(({ index, value }) => {
    if (value.type !== 'reasoning' || index === undefined) return true
    const next = came.findIndex((item, at) => at > index && item.type !== 'reasoning')
    return next === -1 || kept.has(next)
  })
}

export const responsesForm: WireForm = { changed, withTexts, finished }
