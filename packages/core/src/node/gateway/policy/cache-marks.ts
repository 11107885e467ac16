/**
 * Anthropic's marks for the cache in a body that a policy changed. Where something was changed, the provider finds again what
 * stands before it only from a mark near by; the client, which does not know of the change, sets its own at the end.
 */
import { arrayOf, isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../../json.ts'
import { blocksOf, isReasoning } from './anthropic-form.ts'
import type { Item } from './wire-form.ts'

/** A request may hold so many. */
const MOST_MARKS = 4

type Mark = JsonValue

/** All marks within a value, as the provider counts them: of tools, of the prompt, and of blocks, also within results. */
const marksIn = (value: JsonValue | undefined): readonly Mark[] =>
  arrayOf(value).flatMap((each) => {
    const { cache_control: own, content } = objectOf(each)
    return [...(own === undefined || own === null ? [] : [own]), ...marksIn(content)]
  })

/** Whether a request asks for any of it to be cached. */
export const asksForCache = (body: JsonObject): boolean => firstMark(body) !== undefined

/** Whether it asks for an hour. */
export const asksForHour = (body: JsonObject): boolean =>
  [...allMarks(body), ...(body.cache_control === undefined ? [] : [body.cache_control])].some(
    (mark) => objectOf(mark).ttl === '1h',
  )

const firstMark = (body: JsonObject): Mark | undefined =>
  isJsonObject(body.cache_control) ? body.cache_control : allMarks(body)[0]

const allMarks = ({ tools, system, messages }: JsonObject): readonly Mark[] => [
  ...marksIn(tools),
  ...marksIn(system),
  ...marksIn(messages),
]

/**
 * The items with their marks mended: the last block has one if any message had, and before the first change of this request
 * there is one where an earlier request ended.
 * @param changedFrom the first item that this request changed of what was sent before; undefined: none
 */
export const withMarks = (
  body: JsonObject,
  items: readonly Item[],
  changedFrom: number | undefined,
): readonly Item[] => {
  const mark = marksIn(body.messages).at(-1) ?? (isJsonObject(body.cache_control) ? body.cache_control : undefined)
  if (mark === undefined) return items
  const isAutomatic = isJsonObject(body.cache_control)
  const ended = isAutomatic || isAnyMarked(items) ? items : marked(items, items.length - 1, mark)
  if (changedFrom === undefined) return ended
  const at = ended.findLastIndex(
    ({ index, value }) => index !== undefined && index < changedFrom && value.role === 'user' && isMarkable(value),
  )
  if (at === -1 || marksIn([ended[at]?.value ?? null]).length > 0) return ended
  const others = [...marksIn(body.tools), ...marksIn(body.system)].length + (isAutomatic ? 1 : 0)
  // The end keeps its own before all else.
  const most = MOST_MARKS - 1 - others
  return most < 1 && !isAutomatic ? ended : marked(withRoom(ended, most), at, mark)
}

const isAnyMarked = (items: readonly Item[]): boolean => items.some(({ value }) => marksIn([value]).length > 0)

/** The items with no more marks than that, the last ones. */
const withRoom = (items: readonly Item[], most: number): readonly Item[] => {
  let excess = items.reduce((sum, { value }) => sum + marksIn([value]).length, 0) - most
  return items.map((item) => {
    const own = excess > 0 ? marksIn([item.value]).length : 0
    excess -= own
    return own === 0 ? item : { ...item, value: unmarked(item.value) }
  })
}

const unmarked = (message: JsonObject): JsonObject => ({ ...message, content: blocksOf(message).map(bare) })

const bare = (block: JsonValue): JsonValue => {
  if (!isJsonObject(block)) return block
  const { cache_control: _mark, ...rest } = block
  return Array.isArray(rest.content) ? { ...rest, content: arrayOf(rest.content).map(bare) } : rest
}

const isMarkable = (message: JsonObject): boolean => blocksOf(message).some((block) => !isReasoning(block))

const marked = (items: readonly Item[], at: number, mark: Mark): readonly Item[] => {
  const item = items[at]
  if (item === undefined) return items
  const blocks = blocksOf(item.value)
  const last = blocks.findLastIndex((block) => !isReasoning(block))
  if (last === -1) return items
  const content = blocks.with(last, { ...objectOf(blocks[last]), cache_control: mark })
  return items.with(at, { ...item, value: { ...item.value, content } })
}
