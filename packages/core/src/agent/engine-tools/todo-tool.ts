/** `update_todo`: the steps of a task, given as a complete list each time; every request contains the list. */
import { isJsonObject, type JsonObject } from '../../json.ts'
import { CairnError } from '../../errors.ts'
import type { TodoItem } from '../../session-log.ts'
import { assertTodoList } from '../../session/todo.ts'
import type { AgentTool } from '../agent-tool.ts'
import { answer, callOf, choiceIn, textIn } from './tool-input.ts'

const STATES = ['pending', 'in_progress', 'completed'] as const
const MOST_ITEMS = 100

/**
 * The tool `update_todo`. It validates the list and counts open items, but writes nothing. The loop writes the list to
 * the log with the call's result, as for any call whose input is a todo list.
 */
export const todoTool = (): AgentTool => ({
  definition: {
    name: 'update_todo',
    description:
      'Writes the todo list of the task, whole each time. Use it for work of three steps or more: one item in progress at a time, completed as soon as it is done.',
    inputSchema: {
      type: 'object',
      properties: {
        todos: {
          type: 'array',
          maxItems: MOST_ITEMS,
          items: {
            type: 'object',
            properties: { content: { type: 'string' }, status: { type: 'string', enum: STATES } },
            required: ['content', 'status'],
          },
        },
      },
      required: ['todos'],
    },
  },
  prepare: async (input) => {
    const items = itemsIn(input)
    assertTodoList(items)
    const open = items.filter(({ status }) => status !== 'completed').length
    return callOf('memory', 'update the todo list', async () =>
      answer(`The list has ${items.length} items, ${open} of them open.`),
    )
  },
})

/**
 * The items of the list that a call gives, in order.
 * @throws CairnError `invalid-input` for anything but a list of up to `MOST_ITEMS` items with `content` (1 to 1000
 * characters, not blank) and a known `status`
 */
const itemsIn = ({ todos }: JsonObject): readonly TodoItem[] => {
  if (!Array.isArray(todos) || todos.length > MOST_ITEMS)
    throw new CairnError('invalid-input', `"todos" must be a list of at most ${MOST_ITEMS} items.`)
  return todos.map((item: unknown) => {
    if (!isJsonObject(item)) throw new CairnError('invalid-input', 'Each item must have a content and a status.')
    return { text: textIn(item, 'content', 1000), status: choiceIn(item, 'status', STATES) }
  })
}
