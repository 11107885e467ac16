/** Todo entries beside the messages whose calls tell the list. */
import type { ContentBlock } from '../messages.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { TodoItem } from '../session-log.ts'
import { todoListIn } from '../session/todo-calls.ts'

/** Where a list was told: the entry of a reply, and its block. */
export interface ToldPlace {
  readonly messageId: string
  readonly block: number
}

/** The entry for a list. Its id is made of the place that tells it, so that it is the same when that is read again. */
export const todoWrite = (
  at: number | null,
  items: readonly TodoItem[],
  toldBy: ToldPlace,
  isChange = false,
): EntryWrite => ({
  entry: { kind: 'todo', at, items, toldBy, ...(isChange ? { isChange } : {}) },
  externalId: `${toldBy.messageId}.todo.${toldBy.block}`,
})

/** The lists that a reply's blocks tell as a whole, in their order. */
export const todoWrites = (
  messageId: string,
  at: number | null,
  content: readonly ContentBlock[],
): readonly EntryWrite[] =>
  content.flatMap((each, block) => {
    const items = todoListIn(each)
    return items === undefined ? [] : [todoWrite(at, items, { messageId, block })]
  })
