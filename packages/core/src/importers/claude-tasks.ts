/**
 * Claude Code's task list. Each call creates or changes one task, and only the result of a creation tells the task's
 * id. The whole list is therefore kept while lines are read, as part of the parser's state.
 */
import { arrayOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import type { ContentBlock, ToolCallBlock } from '../messages.ts'
import { textOfBlock } from '../messages.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { TodoItem } from '../session-log.ts'
import { withOneInProgress } from '../session/todo.ts'
import { todoStatus } from '../session/todo-calls.ts'
import { todoWrite, type TodoSource } from './todo-writes.ts'

const CREATE = 'TaskCreate'
const UPDATE = 'TaskUpdate'
const CREATED = /^Task #(\S+) created/

interface Pending extends TodoSource {
  readonly name: string
  readonly input: JsonObject
}

/** Claude Code's task list, rebuilt from the calls that create and update tasks. */
export interface ClaudeTasks {
  /**
   * Takes a message's blocks and gives a todo entry for each change that a result among them confirms. `told` is the
   * line's own record of the result (`toolUseResult`).
   */
  take(
    messageId: string,
    at: number | null,
    content: readonly ContentBlock[],
    told: JsonValue | undefined,
  ): readonly EntryWrite[]
  /** The tasks as plain JSON, for `createClaudeTasks` at the next import. */
  state(): JsonValue
}

/**
 * The task list of Claude Code's tools as it changes: `take` notes calls, and gives an entry with the whole list for
 * each change that a result has confirmed. Failed calls and unknown tasks change nothing. Starts with no tasks, or with
 * those in `state` (the `state()` of an earlier run over the same file).
 */
export const createClaudeTasks = (state: JsonValue | undefined): ClaudeTasks => {
  const tasks = storedTasks(objectOf(state).tasks)
  const pending = storedCalls(objectOf(state).pending)

  /** Changes a task as a call says; one that was cancelled or deleted goes. False if there is no such task. */
  const change = (id: string, input: JsonObject): boolean => {
    const task = tasks.get(id)
    if (task === undefined) return false
    const status = input.status === undefined ? task.status : todoStatus(input.status)
    if (status === undefined) return tasks.delete(id)
    tasks.set(id, after({ ...task, text: stringOf(input.subject) ?? task.text, status }, textsIn(input.addBlockedBy)))
    for (const other of textsIn(input.addBlocks)) {
      const blocked = tasks.get(other)
      if (blocked !== undefined) tasks.set(other, after(blocked, [id]))
    }
    return true
  }

  /** Does what a call asked for, now that its result is there. False if nothing came of it. */
  const confirmed = ({ name, input }: Pending, result: ContentBlock, told: JsonObject): boolean => {
    if (name === UPDATE) return change(stringOf(input.taskId) ?? '', input)
    const id = CREATED.exec(textOfBlock(result).trim())?.[1] ?? stringOf(objectOf(told.task).id)
    const text = stringOf(input.subject)
    if (id === undefined || text === undefined) return false
    tasks.set(id, { id, text, status: 'pending' })
    return true
  }

  const call = (messageId: string, block: number, { id, name, input }: ToolCallBlock): void => {
    if ((name === CREATE || name === UPDATE) && isJsonObject(input))
      pending.set(id, { name, messageId, block, input: briefInput(input) })
  }

  return {
    take: (messageId, at, content, told) => {
      const writes: EntryWrite[] = []
      for (const [block, each] of content.entries()) {
        if (each.type === 'tool_call') call(messageId, block, each)
        if (each.type !== 'tool_result') continue
        const asked = pending.get(each.callId)
        if (asked === undefined) continue
        pending.delete(each.callId)
        if (each.isError === true || !confirmed(asked, each, objectOf(told))) continue
        writes.push(todoWrite(at, itemsOf(tasks), { messageId: asked.messageId, block: asked.block }, true))
      }
      return writes
    },
    state: () => ({
      tasks: [...tasks.values()].map((task) => ({ ...task })),
      pending: [...pending].map(([id, { name, messageId, block, input }]) => ({
        call: id,
        name,
        messageId,
        block,
        input,
      })),
    }),
  }
}

/**
 * The tasks of a parser's state, by their ids; damaged ones are left out. In their order; empty for what is no list.
 */
const storedTasks = (value: JsonValue | undefined): Map<string, TodoItem> =>
  new Map(
    arrayOf(value).flatMap((stored): [string, TodoItem][] => {
      const task = taskFrom(objectOf(stored))
      return task?.id === undefined ? [] : [[task.id, task]]
    }),
  )

/** The open calls of a parser's state, by their ids; damaged ones are left out. Empty for what is no list. */
const storedCalls = (value: JsonValue | undefined): Map<string, Pending> =>
  new Map(
    arrayOf(value).flatMap((stored): [string, Pending][] => {
      const { call, name, messageId, block, input } = objectOf(stored)
      return typeof call === 'string' &&
        typeof name === 'string' &&
        typeof messageId === 'string' &&
        typeof block === 'number'
        ? [[call, { name, messageId, block, input: objectOf(input) }]]
        : []
    }),
  )

/** The list as it is shown, with at most one task in progress; a task depends only on tasks that still exist. */
const itemsOf = (tasks: ReadonlyMap<string, TodoItem>): readonly TodoItem[] =>
  withOneInProgress(
    [...tasks.values()].map(({ dependsOn = [], ...task }) => {
      const known = dependsOn.filter((id) => tasks.has(id))
      return known.length === 0 ? task : { ...task, dependsOn: known }
    }),
  )

const textsIn = (value: JsonValue | undefined): readonly string[] =>
  arrayOf(value).flatMap((text) => stringOf(text) ?? [])

/** The task, with `ids` added to those that have to be done before it. */
const after = (task: TodoItem, ids: readonly string[]): TodoItem =>
  ids.length === 0 ? task : { ...task, dependsOn: [...new Set([...(task.dependsOn ?? []), ...ids])] }

/** A call's arguments without those that don't change the list. */
const briefInput = ({ taskId, subject, status, addBlockedBy, addBlocks }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ taskId, subject, status, addBlockedBy, addBlocks }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )

/** A stored task; undefined for a damaged one. */
const taskFrom = ({ id, text, status, dependsOn }: JsonObject): TodoItem | undefined => {
  const known = todoStatus(status)
  if (typeof id !== 'string' || typeof text !== 'string' || known === undefined) return undefined
  return after({ id, text, status: known }, textsIn(dependsOn))
}
