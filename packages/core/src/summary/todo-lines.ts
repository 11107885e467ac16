/** A todo list as lines of text, within limits. */
import type { TodoItem } from '../session-log.ts'
import { cleanText, cutText, oneLine } from './bounded-text.ts'

const MARKS: Readonly<Record<TodoItem['status'], string>> = { completed: '[x]', in_progress: '[~]', pending: '[ ]' }
const ITEMS = 50
const ITEM_CHARACTERS = 200

/**
 * A line `- [x] text` an item (`[~]` in progress, `[ ]` pending), in the list's order, each text cut at 200
 * characters. Of more than 50 items the last completed go first, then the last others; a final line says how many.
 * Empty for an empty list.
 */
export const todoLines = (items: readonly TodoItem[]): readonly string[] => {
  const byNeed = [...items.keys()].sort(
    (left, right) => Number(isDone(items[left])) - Number(isDone(items[right])) || left - right,
  )
  const kept = new Set(byNeed.slice(0, ITEMS))
  const lines = items.flatMap(({ text, status }, index) =>
    kept.has(index) ? [`- ${MARKS[status]} ${cutText(oneLine(cleanText(text)), ITEM_CHARACTERS)}`] : [],
  )
  return items.length > ITEMS ? [...lines, `(not listed: ${items.length - ITEMS})`] : lines
}

const isDone = (item: TodoItem | undefined): boolean => item?.status === 'completed'
