/** Where the todo list stands in the model's view: told by the conversation, or in a block that a rewrite put in. */
import type { TodoEntry, TodoItem } from '../session-log.ts'
import type { ModelHistory } from '../session/model-history.ts'
import { withOneInProgress } from '../session/todo.ts'
import type { ViewBlock } from './view-block.ts'

/** The name of the rewrites that put the list in, in reports too, and their reason for it. */
export const TODO_LIST = 'todo-list'

/** What the view knows of the list. */
export interface TodoInView {
  /** The list; undefined before there is one. */
  items(): readonly TodoItem[] | undefined
  /** Takes the log's next todo entry: a whole list, or what changed in one. */
  takeTodo(entry: TodoEntry): void
  /** A text that a rewrite put in as the list. */
  takeBlock(block: ViewBlock): void
  /**
   * Whether the conversation tells the list as it is now, in blocks that the model sees in full; else it has to be put
   * in.
   */
  isTold(history: Pick<ModelHistory, 'blockOf'>): boolean
  /** The block put in that the list stands in, alone or with the changes told after it; not to be touched. */
  block(): ViewBlock | undefined
  /** Visible blocks that a rewrite put in for a list that has changed since; empty when there is none. */
  outdated(): readonly ViewBlock[]
}

/**
 * A record of where the todo list stands in the conversation; of no list at first. Feed it the log's todo entries and
 * the blocks that hold the list, in order.
 */
export const createTodoInView = (): TodoInView => {
  let items: readonly TodoItem[] | undefined
  /** Where the list is told, after the block if there is one; undefined: not in the conversation. */
  let told: NonNullable<TodoEntry['toldBy']>[] | undefined = []
  let current: ViewBlock | undefined
  const blocks: ViewBlock[] = []
  return {
    items: () => items,
    /** A change adds to where the list is told; a whole list replaces that, and the block put in is outdated. */
    takeTodo: (entry) => {
      items = withOneInProgress(entry.items)
      if (entry.toldBy !== undefined && entry.isChange === true) {
        told?.push(entry.toldBy)
        return
      }
      told = entry.toldBy === undefined ? undefined : [entry.toldBy]
      current = undefined
    },
    takeBlock: (block) => {
      blocks.push(block)
      current = block
      told = []
    },
    isTold: (history) =>
      told !== undefined &&
      (current === undefined || isWhole(current.source)) &&
      told.every(({ messageId, block }) => isWhole(history.blockOf(messageId, block))),
    block: () => current,
    outdated: () => blocks.filter((block) => block !== current && block.source.seen !== null),
  }
}

const isWhole = (source: ViewBlock['source'] | undefined): boolean =>
  source !== undefined && source.seen !== null && source.replacement === undefined
