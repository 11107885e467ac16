/** OpenAI's Chat Completions. */
import { arrayOf, objectOf, type JsonObject, type JsonValue } from '../../../json.ts'
import type { ContentBlock } from '../../../messages.ts'
import type { Item, WireForm } from './wire-form.ts'
import type { Fate, PutIn } from './view-changes.ts'

const partsOf = ({ content }: JsonObject): readonly JsonValue[] =>
  typeof content === 'string' ? [content] : arrayOf(content)

const hasReasoning = ({ reasoning_content: long, reasoning: short }: JsonObject): boolean =>
  typeof long === 'string' || typeof short === 'string'

/**
 * The message with what becomes of its blocks: `fates` count reasoning first, then parts, then calls; null removes a
 * block, undefined leaves it as it came. Undefined if nothing but reasoning would be left.
 */
const changed = (item: JsonObject, fates: readonly Fate[]): JsonObject | undefined => {
  if (item.role === 'tool') {
    const [fate] = fates
    return fate === null ? undefined : { ...item, content: withTextOf(item.content, fate) }
  }
  const first = item.role === 'assistant' && hasReasoning(item) ? 1 : 0
  const parts = partsOf(item)
  const calls = item.role === 'assistant' ? arrayOf(item.tool_calls) : []
  const keptParts = parts.flatMap((part, index) => changedPart(part, fates[first + index]))
  const keptCalls = calls.flatMap((call, index) => changedCall(objectOf(call), fates[first + parts.length + index]))
  if (keptParts.length === 0 && keptCalls.length === 0) return undefined
  const { content: _content, tool_calls: _calls, ...rest } = first === 1 && fates[0] === null ? bare(item) : item
  const content =
    typeof item.content === 'string' ? (keptParts[0] ?? null) : parts.length === 0 ? item.content : keptParts
  return {
    ...rest,
    ...(content === undefined ? {} : { content }),
    ...(keptCalls.length === 0 ? {} : { tool_calls: keptCalls }),
  }
}

const bare = ({ reasoning_content: _long, reasoning: _short, ...rest }: JsonObject): JsonObject => rest

/** A part with its fate, as a list of one; empty if it is removed. */
const changedPart = (part: JsonValue, fate: Fate): readonly JsonValue[] => {
  if (fate === undefined) return [part]
  if (fate?.type !== 'text') return fate === null ? [] : [part]
  return [typeof part === 'string' ? fate.text : { type: 'text', text: fate.text }]
}

/** The call with its fate, as a list of one; empty if it is removed. */
const changedCall = (call: JsonObject, fate: Fate): readonly JsonValue[] => {
  if (fate === null) return []
  if (fate?.type !== 'tool_call') return [call]
  return [{ ...call, function: { ...objectOf(call.function), arguments: JSON.stringify(fate.input) } }]
}

/**
 * The content of a tool's message with the text of a result, as a text or a list of parts, whichever it was; as it is
 * for any other block.
 */
const withTextOf = (content: JsonValue | undefined, fate: ContentBlock | undefined): JsonValue => {
  if (fate?.type !== 'tool_result') return content ?? ''
  const [part] = fate.content
  const text = part?.type === 'text' ? part.text : ''
  return typeof content === 'string' ? text : [{ type: 'text', text }]
}

/**
 * Puts each text in as a message of the user's: before the item that `before` is in, else at the end; but behind all
 * results of tools that stand there. Gives a new list.
 */
const withTexts = (items: readonly Item[], { texts, before }: PutIn): readonly Item[] => {
  const found = before === undefined ? -1 : items.findIndex(({ index }) => index === before.item)
  let at = found === -1 ? items.length : found
  while (items[at]?.value.role === 'tool') at += 1
  return items.toSpliced(
    at,
    0,
    ...texts.map((content): Item => ({ index: undefined, value: { role: 'user', content } })),
  )
}

export const chatForm: WireForm = { changed, withTexts, finished: (items) => items }
