/**
 * A request's body with what a policy changed: items of its list that are the same stay in the text as they came, and so does
 * everything else of the body.
 */
import { arrayOf, isJsonObject, type JsonValue } from '../../../json.ts'
import type { Wire } from '../routes.ts'
import { anthropicForm } from './anthropic-form.ts'
import { chatForm } from './chat-form.ts'
import { elementSpans } from './json-elements.ts'
import { responsesForm } from './responses-form.ts'
import type { ViewChanges } from './view-changes.ts'
import type { Item, WireForm } from './wire-form.ts'

const FORMS: Readonly<Record<Wire, WireForm>> = { anthropic: anthropicForm, chat: chatForm, responses: responsesForm }

/** The items of the changed list; undefined where the list holds something else than objects. */
export const changedItems = (
  wire: Wire,
  list: JsonValue | undefined,
  { fates, putIn }: ViewChanges,
): readonly Item[] | undefined => {
  const came = arrayOf(list).filter(isJsonObject)
  if (came.length !== arrayOf(list).length) return undefined
  const form = FORMS[wire]
  const changed = came.flatMap((value, index): readonly Item[] => {
    const own = fates.get(index)
    const item = own === undefined ? value : form.changed(value, own)
    return item === undefined ? [] : [{ index, value: item }]
  })
  return form.finished(
    putIn.reduce<readonly Item[]>((items, each) => form.withTexts(items, each), changed),
    came,
  )
}

/**
 * The body's text with another list; an item that is the same object as in `list` keeps its text. Undefined where the
 * list can't be found in the text, or is empty.
 */
export const withItems = (
  text: string,
  field: string,
  list: JsonValue | undefined,
  items: readonly Item[],
): string | undefined => {
  const spans = elementSpans(text, field)
  const [first, last] = [spans?.[0], spans?.at(-1)]
  const came = arrayOf(list)
  if (spans === undefined || first === undefined || last === undefined || spans.length !== came.length) return undefined
  const texts = items.map(({ index, value }) => {
    const span = index === undefined || came[index] !== value ? undefined : spans[index]
    return span === undefined ? JSON.stringify(value) : text.slice(span.start, span.end)
  })
  return text.slice(0, first.start) + texts.join(',') + text.slice(last.end)
}
