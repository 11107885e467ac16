/**
 * Anthropic's marks for the cache in a body that a policy changed. Where something was changed, the provider finds again what
 * stands before it only from a mark near by; the client, which does not know of the change, sets its own at the end.
 */
import { arrayOf, isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../../json.ts'
import { blocksOf, isReasoning } from './anthropic-form.ts'
import type { RewrittenRange } from './live-conversation.ts'
import type { Item } from './wire-form.ts'

/** A request may hold so many. */
const MOST_MARKS = 4

type Mark = JsonValue

/**
 * All marks within a value, as the provider counts them: of tools, of the prompt, and of blocks, also within results.
 * In order; empty for what is no list.
 */
const marksIn = (value: JsonValue | undefined): readonly Mark[] =>
  arrayOf(value).flatMap((each) => {
    const { cache_control: own, content } = objectOf(each)
    return [...(own === undefined || own === null ? [] : [own]), ...marksIn(content)]
  })

/** Whether a request asks for any of it to be cached. */
export const asksForCache = (body: JsonObject): boolean => firstMark(body) !== undefined

/** Whether a request asks for any of it to be cached for an hour. */
export const asksForHour = (body: JsonObject): boolean =>
  [...allMarks(body), ...(body.cache_control === undefined ? [] : [body.cache_control])].some(
    (mark) => objectOf(mark).ttl === '1h',
  )

const firstMark = (body: JsonObject): Mark | undefined =>
  isJsonObject(body.cache_control) ? body.cache_control : allMarks(body)[0]

/** All cache marks of a body, in the order in which the cache goes: tools, system, messages. */
const allMarks = ({ tools, system, messages }: JsonObject): readonly Mark[] => [
  ...marksIn(tools),
  ...marksIn(system),
  ...marksIn(messages),
]

/**
 * The items with their marks mended: the last block has one if any message had. In the request that a rewrite is new in
 * there is one more before what it changed, where the provider has the beginning cached, and, where marks are left, one
 * behind what it changed. Later requests have one where the next rewrite is expected to begin, and keep that behind the
 * last one, as far as marks are left: a provider forgets what no request has marked for a while.
 * @param rewritten what rewrites changed, oldest first, by the positions of items; `newest` was the last item then
 * @param expected the item at which the next rewrite will most likely begin
 */
export const withMarks = (
  body: JsonObject,
  items: readonly Item[],
  rewritten: readonly RewrittenRange[],
  expected?: number,
): readonly Item[] => {
  const automatic = isJsonObject(body.cache_control) ? body.cache_control : undefined
  const mark = marksIn(body.messages).at(-1) ?? automatic
  if (mark === undefined) return items
  const ended = automatic !== undefined || isAnyMarked(items) ? items : marked(items, items.length - 1, mark)
  const now = rewritten.at(-1)
  const end = Math.max(...items.map(({ index }) => index ?? 0))
  if (now === undefined) return ended
  const others = marksIn(body.tools).length + marksIn(body.system).length
  const free = MOST_MARKS - others - 1
  if (now.newest < end) {
    const most = MOST_MARKS - others - (automatic === undefined ? 0 : 1)
    const ahead = expected === undefined ? -1 : lastUserMessage(items, expected)
    return [ahead, lastUserMessage(items, now.last + 1)].reduce(
      (all, position) => withOneMore(all, position, most, mark),
      ended,
    )
  }
  const positions = [cachedBefore(rewritten, items, free > 1), lastUserMessage(items, now.last + 1)]
    .filter((position, index, all) => position !== -1 && position > (all[index - 1] ?? -1))
    .slice(0, Math.max(0, free))
  if (positions.length === 0) return ended
  return positions.reduce(
    (all, position) => (marksIn([all[position]?.value ?? null]).length > 0 ? all : marked(all, position, mark)),
    withAtMost(ended, MOST_MARKS - others - positions.length - (automatic === undefined ? 0 : 1)),
  )
}

/**
 * The items with a mark at a position, too. As they are where that is -1, the item has a mark already or no block that
 * may have one, or they hold `most` marks or more.
 */
const withOneMore = (items: readonly Item[], position: number, most: number, mark: Mark): readonly Item[] => {
  const held = items.reduce((sum, { value }) => sum + marksIn([value]).length, 0)
  return position === -1 || held >= most || marksIn([items[position]?.value ?? null]).length > 0
    ? items
    : marked(items, position, mark)
}

/**
 * The position in `items` before the newest change at which an earlier request ended, or was marked, with the same
 * beginning; -1 for none.
 * @param hasSecond rewrites left a mark behind what they changed
 */
const cachedBefore = (rewritten: readonly RewrittenRange[], items: readonly Item[], hasSecond: boolean): number => {
  const now = rewritten.at(-1)
  if (now === undefined) return -1
  const earlier = rewritten.slice(0, -1).filter(({ first }) => first < now.first)
  const before = earlier.at(-1)
  if (before === undefined || now.first > before.newest) return lastUserMessage(items, now.first)
  const second = lastUserMessage(items, before.last + 1)
  return hasSecond && second !== -1 && (items[second]?.index ?? 0) < now.first
    ? second
    : cachedBefore(earlier, items, hasSecond)
}

/**
 * The position in the list of the last message of the user's, with more than reasoning, that stands before an item of
 * the body; -1 for none. What was put in does not count.
 */
const lastUserMessage = (items: readonly Item[], before: number): number =>
  items.findLastIndex(
    ({ index, value }) => index !== undefined && index < before && value.role === 'user' && isMarkable(value),
  )

const isAnyMarked = (items: readonly Item[]): boolean => items.some(({ value }) => marksIn([value]).length > 0)

/**
 * The items with at most so many marks: the first marked ones lose theirs, each all of its own, so that fewer may be
 * left.
 */
const withAtMost = (items: readonly Item[], most: number): readonly Item[] => {
  let excess = items.reduce((sum, { value }) => sum + marksIn([value]).length, 0) - most
  return items.map((item) => {
    const own = excess > 0 ? marksIn([item.value]).length : 0
    excess -= own
    return own === 0 ? item : { ...item, value: unmarked(item.value) }
  })
}

const unmarked = (message: JsonObject): JsonObject => ({ ...message, content: blocksOf(message).map(bare) })

/** A block without its cache mark, nor those of its parts. */
const bare = (block: JsonValue): JsonValue => {
  if (!isJsonObject(block)) return block
  const { cache_control: _mark, ...rest } = block
  return Array.isArray(rest.content) ? { ...rest, content: arrayOf(rest.content).map(bare) } : rest
}

const isMarkable = (message: JsonObject): boolean => blocksOf(message).some((block) => !isReasoning(block))

/** The items with a cache mark on the last block of the item `at` that is no reasoning; unchanged if it has none. */
const marked = (items: readonly Item[], at: number, mark: Mark): readonly Item[] => {
  const item = items[at]
  if (item === undefined) return items
  const blocks = blocksOf(item.value)
  const last = blocks.findLastIndex((block) => !isReasoning(block))
  if (last === -1) return items
  const content = blocks.with(last, { ...objectOf(blocks[last]), cache_control: mark })
  return items.with(at, { ...item, value: { ...item.value, content } })
}
