/** Where the todo list stands in the model's view: told by the conversation, or in a block that a rewrite put in. */
import type { TodoEntry, TodoItem } from '../session-log.ts'
import type { ModelHistory } from '../session/model-history.ts'
import { withOneInProgress } from '../session/todo.ts'
import type { ContextItem } from './item.ts'

/** The name of the rewrites that put the list in, in reports too, and their reason for it. */
export const TODO_LIST = 'todo-list'

/** What the view knows of the list. */
export interface TodoInView {
  /** The list; undefined before there is one. */
  items(): readonly TodoItem[] | undefined
  takeTodo(entry: TodoEntry): void
  /** A text that a rewrite put in as the list. */
  takeBlock(item: ContextItem): void
  /** Whether the conversation tells the list as it is, in blocks that the model sees in full. */
  isTold(history: Pick<ModelHistory, 'blockOf'>): boolean
  /** The block put in that the list stands in, alone or with the changes told after it; not to be touched. */
  block(): ContextItem | undefined
  /** Visible blocks put in for lists that are no longer true. */
  outdated(): readonly ContextItem[]
}

export const createTodoInView = (): TodoInView => {
  let items: readonly TodoItem[] | undefined
  /** Where the list is told, after the block if there is one; undefined: not in the conversation. */
  let told: NonNullable<TodoEntry['toldBy']>[] | undefined = []
  let block: ContextItem | undefined
  const blocks: ContextItem[] = []
  return {
    items: () => items,
    takeTodo: (entry) => {
      items = withOneInProgress(entry.items)
      if (entry.toldBy !== undefined && entry.isChange === true) {
        told?.push(entry.toldBy)
        return
      }
      told = entry.toldBy === undefined ? undefined : [entry.toldBy]
      block = undefined
    },
    takeBlock: (item) => {
      blocks.push(item)
      block = item
      told = []
    },
    isTold: (history) =>
      told !== undefined &&
      (block === undefined || isWhole(block.slot)) &&
      told.every(({ messageId, block: place }) => isWhole(history.blockOf(messageId, place))),
    block: () => block,
    outdated: () => blocks.filter((item) => item !== block && item.slot.seen !== null),
  }
}

const isWhole = (slot: ContextItem['slot'] | undefined): boolean =>
  slot !== undefined && slot.seen !== null && slot.replacement === undefined
