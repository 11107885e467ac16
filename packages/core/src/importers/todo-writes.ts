/** Todo entries for the messages whose calls write the list. */
import type { ContentBlock } from '../messages.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { TodoItem } from '../session-log.ts'
import { todoListIn } from '../session/todo-calls.ts'

/** The message and block whose call wrote a todo list. */
export interface TodoSource {
  readonly messageId: string
  readonly block: number
}

/**
 * The entry for a todo list; its id is made of its source, so reading the source again gives the same id. `items` is the
 * whole list, also with `isChange`, which says that the source only tells what changed in it.
 */
export const todoWrite = (
  at: number | null,
  items: readonly TodoItem[],
  toldBy: TodoSource,
  isChange = false,
): EntryWrite => ({
  entry: { kind: 'todo', at, items, toldBy, ...(isChange ? { isChange } : {}) },
  externalId: `${toldBy.messageId}.todo.${toldBy.block}`,
})

/** Entries for the complete todo lists that a message's calls or texts write, in order; none where it writes none. */
export const todoWrites = (
  messageId: string,
  at: number | null,
  content: readonly ContentBlock[],
): readonly EntryWrite[] =>
  content.flatMap((each, block) => {
    const items = todoListIn(each)
    return items === undefined ? [] : [todoWrite(at, items, { messageId, block })]
  })
