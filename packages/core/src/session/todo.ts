/**
 * The todo list of a session (Cline's focus chain): the last `todo` entry of the log. Trimming never affects it; a
 * rewind restores the earlier list. At most one item is in progress, and dependencies have no cycles.
 */
import { CairnError } from '../errors.ts'
import type { LogEntry, TodoItem } from '../session-log.ts'
import { createLiveEntries } from './live-entries.ts'

export interface TodoFold {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The current list; empty before there is one. */
  items(): readonly TodoItem[]
}

/** Creates an empty list. Feed it the log from the beginning; a rewind restores the list of that time. */
export const createTodoFold = (): TodoFold => {
  const lists: { readonly seq: number; readonly items: readonly TodoItem[] }[] = []
  const live = createLiveEntries()
  return {
    step: (entry) => {
      if (entry.kind === 'todo') lists.push({ seq: entry.seq, items: withOneInProgress(entry.items) })
      else live.step(entry)
    },
    items: () => lists.findLast(({ seq }) => live.has(seq))?.items ?? [],
  }
}

/** The todo list after a whole log: the last one in force, empty if there is none. */
export const todoList = (log: readonly LogEntry[]): readonly TodoItem[] => {
  const fold = createTodoFold()
  for (const entry of log) fold.step(entry)
  return fold.items()
}

/**
 * Leaves at most one item in progress: the first one; later ones become pending. For lists of other programs, which may
 * break the rule.
 */
export const withOneInProgress = (items: readonly TodoItem[]): readonly TodoItem[] => {
  const first = items.findIndex(({ status }) => status === 'in_progress')
  return items.map((item, index) =>
    item.status === 'in_progress' && index !== first ? { ...item, status: 'pending' } : item,
  )
}

/**
 * Validates a list before it is written to the log.
 *
 * @throws CairnError `invalid-input` for an item without text, a second item in progress, a duplicate id, a dependency
 * on a missing item, or a dependency cycle, which the message names.
 */
export const assertTodoList = (items: readonly TodoItem[]): void => {
  const problem = todoProblem(items)
  if (problem !== undefined) throw new CairnError('invalid-input', `The todo list was not changed: ${problem}.`)
}

/**
 * What is wrong with a list, in words; undefined if nothing is. The first of: an empty text, two in progress, an id
 * twice, a dependency that is missing or goes in a circle.
 */
const todoProblem = (items: readonly TodoItem[]): string | undefined => {
  const empty = items.findIndex(({ text }) => text.trim() === '')
  if (empty !== -1) return `item ${empty + 1} has no text`
  const busy = items.filter(({ status }) => status === 'in_progress')
  if (busy.length > 1) return `only one item can be in progress, not "${busy.map(({ text }) => text).join('" and "')}"`
  const byId = new Map<string, TodoItem>()
  for (const item of items) {
    if (item.id === undefined) continue
    if (byId.has(item.id)) return `two items have the id "${item.id}"`
    byId.set(item.id, item)
  }
  for (const { text, dependsOn = [] } of items) {
    const missing = dependsOn.find((id) => !byId.has(id))
    if (missing !== undefined) return `"${text}" depends on "${missing}", which is not in the list`
  }
  const circle = circleIn(byId)
  return circle === undefined ? undefined : `items depend on each other in a circle: ${circle.join(' → ')}`
}

/**
 * The ids of a dependency cycle, with the first one repeated at the end; undefined if there is none. Iterative, because
 * lists may be long chains. `byId`: the list.
 */
const circleIn = (byId: ReadonlyMap<string, TodoItem>): readonly string[] | undefined => {
  const done = new Set<string>()
  for (const start of byId.keys()) {
    const path: { readonly id: string; next: number }[] = done.has(start) ? [] : [{ id: start, next: 0 }]
    const onPath = new Set([start])
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const dependency = byId.get(top.id)?.dependsOn?.[top.next]
      top.next += 1
      if (dependency === undefined) {
        done.add(top.id)
        onPath.delete(top.id)
        path.pop()
      } else if (onPath.has(dependency)) {
        const ids = path.map(({ id }) => id)
        return [...ids.slice(ids.indexOf(dependency)), dependency]
      } else if (!done.has(dependency)) {
        onPath.add(dependency)
        path.push({ id: dependency, next: 0 })
      }
    }
  }
  return undefined
}

/** The items that can be started, in list order: pending, with all dependencies completed. */
export const readyTodos = (items: readonly TodoItem[]): readonly TodoItem[] => {
  const completed = new Set(items.filter(({ status }) => status === 'completed').map(({ id }) => id))
  return items.filter(
    ({ status, dependsOn = [] }) => status === 'pending' && dependsOn.every((id) => completed.has(id)),
  )
}

const MARKS = { pending: ' ', in_progress: '~', completed: 'x' } as const
/** Matches with or without a list marker before the box. */
const CHECKLIST_LINE = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?\[([ xX~/>-])\]\s+(\S.*?)\s*$/

/** One item as a line of a checklist, with its id and its dependencies. Line breaks in its text become spaces. */
export const renderTodoItem = ({ id, text, status, dependsOn = [] }: TodoItem): string =>
  `- [${MARKS[status]}] ${id === undefined ? '' : `#${id} `}${text.replace(/\s*[\r\n]+\s*/g, ' ').trim()}${
    dependsOn.length === 0 ? '' : ` (after ${dependsOn.map((other) => `#${other}`).join(', ')})`
  }`

/**
 * The list as a Markdown checklist with one line per item: `- [ ]`, `- [x]`, and `- [~]` for an item in progress. Empty
 * for an empty list.
 */
export const renderChecklist = (items: readonly TodoItem[]): string =>
  items.map(({ text, status }) => `- [${MARKS[status]}] ${text.replace(/\s+/g, ' ').trim()}`).join('\n')

/**
 * Parses the items of a Markdown checklist; other lines are ignored. The first item whose text is in `known` keeps its
 * id and those of its dependencies that are still in the list; statuses are those of the boxes. Of several in progress
 * the first stays so.
 */
export const parseChecklist = (text: string, known: readonly TodoItem[] = []): readonly TodoItem[] => {
  const byText = new Map(known.map((item) => [item.text.replace(/\s+/g, ' ').trim(), item]))
  const parsed = text.split('\n').flatMap((line): readonly TodoItem[] => {
    const [, mark, label] = CHECKLIST_LINE.exec(line) ?? []
    if (mark === undefined || label === undefined) return []
    const name = label.replace(/\s+/g, ' ')
    const before = byText.get(name)
    byText.delete(name)
    return [{ ...before, text: name, status: statusOf(mark) }]
  })
  const ids = new Set(parsed.map(({ id }) => id))
  return withOneInProgress(parsed).map(({ dependsOn, ...item }) =>
    dependsOn === undefined ? item : { ...item, dependsOn: dependsOn.filter((id) => ids.has(id)) },
  )
}

/** The status of a mark: a blank is pending, `x` completed, any other in progress. */
const statusOf = (mark: string): TodoItem['status'] => {
  if (mark === ' ') return 'pending'
  return mark.toLowerCase() === 'x' ? 'completed' : 'in_progress'
}
