/** Reads the todo lists that agents' tools write: from calls, and from calls that older agents write as text. */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import type { TodoItem } from '../session-log.ts'
import { parseChecklist, withOneInProgress } from './todo.ts'

/** Tools that write a complete list (lower case, without separators), and the input field that contains it. */
const LIST_TOOLS: Readonly<Record<string, string>> = {
  todowrite: 'todos',
  writetodos: 'todos',
  updateplan: 'plan',
  updatetodolist: 'todos',
  updatetodo: 'todos',
}
/** Fields of an item that may contain its text. */
const TEXT_FIELDS = ['content', 'step', 'text', 'title', 'description'] as const
/** In Cline, any call may carry the list in this field. */
const PROGRESS_FIELD = 'task_progress'
/** The same as tags in a text: the list's own tag, or one within a call. */
const LIST_TAGS = [PROGRESS_FIELD, 'todos'] as const

/** The complete list that a block writes, as a tool's call or in a text; undefined if it writes none. */
export const todoListIn = (block: ContentBlock): readonly TodoItem[] | undefined => {
  if (block.type === 'tool_call') return listOfCall(block.name, inputOf(block.input))
  return block.type === 'text' ? listInText(block.text) : undefined
}

/** The list that a call writes; undefined if it writes none. The tool's name may have a prefix, and any case. */
const listOfCall = (name: string, input: JsonObject): readonly TodoItem[] | undefined => {
  const own = (name.split(/[.:/]|__/).at(-1) ?? name).toLowerCase().replace(/[^a-z]/g, '')
  const field = Object.hasOwn(LIST_TOOLS, own) ? LIST_TOOLS[own] : undefined
  return field === undefined ? checklist(input[PROGRESS_FIELD]) : (listOf(input[field]) ?? checklist(input[field]))
}

/** The arguments as an object; a provider may give them as text. Empty for what is none. */
const inputOf = (input: JsonValue): JsonObject => {
  if (typeof input !== 'string') return objectOf(input)
  try {
    const value: unknown = JSON.parse(input)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The items of a checklist in a value; undefined if it has none. */
const checklist = (value: JsonValue | undefined): readonly TodoItem[] | undefined => {
  const items = typeof value === 'string' ? parseChecklist(value) : []
  return items.length === 0 ? undefined : items
}

const listOf = (value: JsonValue | undefined): readonly TodoItem[] | undefined =>
  Array.isArray(value) ? withOneInProgress(arrayOf(value).flatMap(itemOf)) : undefined

/** An item as a list of one; empty for an item without text or one that was abandoned. */
const itemOf = (value: JsonValue): readonly TodoItem[] => {
  const item = objectOf(value)
  const text = TEXT_FIELDS.map((field) => stringOf(item[field])).find((given) => given !== undefined)
  const status = todoStatus(item.status)
  return text === undefined || text.trim() === '' || status === undefined ? [] : [{ text, status }]
}

/**
 * Normalises a tool's status (`done`, `in progress`, …); undefined for an abandoned item. Unknown values are `pending`.
 */
export const todoStatus = (value: JsonValue | undefined): TodoItem['status'] | undefined => {
  const status = (stringOf(value) ?? '').toLowerCase().replace(/[\s-]/g, '_')
  if (status === 'completed' || status === 'done') return 'completed'
  if (status === 'in_progress') return 'in_progress'
  return status === 'cancelled' || status === 'canceled' || status === 'deleted' ? undefined : 'pending'
}

/**
 * The list in the last closed `<task_progress>` of a text, else in the last closed `<todos>`; undefined if neither has
 * one.
 */
const listInText = (text: string): readonly TodoItem[] | undefined => {
  for (const tag of LIST_TAGS) {
    const end = text.lastIndexOf(`</${tag}>`)
    const start = end === -1 ? -1 : text.lastIndexOf(`<${tag}>`, end)
    const items = start === -1 ? undefined : checklist(text.slice(start + tag.length + 2, end))
    if (items !== undefined) return items
  }
  return undefined
}
