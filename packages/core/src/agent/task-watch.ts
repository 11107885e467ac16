/**
 * Watches a turn for reasons to remind or stop it: consecutive mistakes, requests without a question, a forgotten todo
 * list.
 */
import type { LogEntry, TodoItem } from '../session-log.ts'
import type { SentRequest } from '../requests/send-input.ts'
import { createTaskStateFold, taskEffects, type TaskEffect, type TaskState } from '../session/task-state.ts'
import { todoListIn } from '../session/todo-calls.ts'
import type { AgentTool } from './agent-tool.ts'
import type { Budget, Stop } from './turn-limits.ts'
import type { Batch, BatchSetting } from './call-runner.ts'
import type { OpenCall } from './open-calls.ts'

export interface TaskWatch {
  /** Takes the session's log as of the start of the turn; mistakes before it don't count. */
  read(log: readonly LogEntry[]): void
  /** Takes a reply of the model. */
  replied(reply: SentRequest): void
  /** Counts a reply that could not be used as a mistake. Returns why the turn must stop; undefined to go on. */
  mistake(): Stop | undefined
  /** The setting for running the next calls; a reminder in it counts as given. */
  setting(): BatchSetting
  /**
   * Takes the results of a reply's calls: todo lists written, questions answered, mistakes. Returns why the turn must
   * stop (too many mistakes in a row); undefined to go on.
   */
  afterCalls(calls: readonly OpenCall[], batch: Batch): Stop | undefined
}

const TODO_TOOL = 'update_todo'
const OPEN_ITEM = /^- \[[ ~]\] /m

/**
 * Creates a watch of a new turn for consecutive mistakes, requests without approval, and reminders of the todo list. It
 * writes nothing: its methods say what is due. `setting` gives a reminder that is due once, and then counts anew.
 */
export const createTaskWatch = (
  limits: Pick<Budget, 'mistakes' | 'autoApproved'>,
  tools: ReadonlyMap<string, AgentTool>,
): TaskWatch => {
  const fold = createTaskStateFold()
  const effects = (): readonly TaskEffect[] =>
    taskEffects(fold.state(), {
      mistakes: limits.mistakes,
      autoApprovedRequests: limits.autoApproved ?? Number.POSITIVE_INFINITY,
    })
  return {
    read: (log) => {
      // Results stand one by one in the log; of mistakes only those of this turn count.
      for (const entry of log) if (entry.kind !== 'message' || entry.role !== 'tool') fold.step(entry)
      fold.step({ type: 'user-answered' })
    },
    replied: ({ messageId: id, content }) =>
      fold.step({ kind: 'message', seq: 0, at: null, id, role: 'assistant', content, responseId: id }),
    mistake: () => {
      fold.step({ type: 'mistake' })
      return tooManyMistakes(effects())
    },
    /** What is due now: `autoApproved` where the user is to be asked, and a reminder, which counts as given. */
    setting: () => {
      const due = effects()
      const approval = due.find(({ type }) => type === 'ask-approval')
      const reminder = tools.has(TODO_TOOL) ? reminderIn(due, fold.state()) : undefined
      if (reminder !== undefined) fold.step({ type: 'todo-reminded' })
      return {
        ...(approval?.type === 'ask-approval' ? { autoApproved: approval.requests } : {}),
        ...(reminder === undefined ? {} : { reminder }),
      }
    },
    /** Declined calls are no mistakes; a question answered begins the count of requests without one anew. */
    afterCalls: (calls, { results, wasAsked, ranUnasked, isDeclined }) => {
      for (const items of listsOf(calls, results)) fold.step({ kind: 'todo', seq: 0, at: null, items })
      if (wasAsked) fold.step({ type: 'user-approved' })
      else if (ranUnasked) fold.step({ type: 'auto-approved' })
      // What the user declined is no mistake of the model's.
      if (results.length > 0 && !isDeclined)
        fold.step({ kind: 'message', seq: 0, at: null, id: 'results', role: 'tool', content: results })
      return tooManyMistakes(effects())
    },
  }
}

/** Why a turn must stop after too many failing replies in a row; undefined if it need not. */
const tooManyMistakes = (effects: readonly TaskEffect[]): Stop | undefined => {
  const effect = effects.find(({ type }) => type === 'ask-user')
  if (effect?.type !== 'ask-user') return undefined
  return {
    end: 'mistakes',
    reason: `${effect.mistakes} replies in a row led to nothing but errors; tell it what to do instead.`,
  }
}

/** The reminder for the model of a forgotten todo list with open items; undefined if it is not due. */
const reminderIn = (
  effects: readonly TaskEffect[],
  { currentFocusChainChecklist: checklist }: TaskState,
): string | undefined => {
  const effect = effects.find(({ type }) => type === 'remind-todo')
  if (effect?.type !== 'remind-todo' || !OPEN_ITEM.test(checklist ?? '')) return undefined
  return `The todo list has not changed for ${effect.requests} requests: bring it up to date.`
}

/** The todo lists that calls wrote, in order; calls that failed or have no result wrote none. */
const listsOf = (calls: readonly OpenCall[], results: Batch['results']): readonly (readonly TodoItem[])[] =>
  calls.flatMap(({ call }) => {
    const result = results.find(({ callId }) => callId === call.id)
    const items = result === undefined || result.isError === true ? undefined : todoListIn(call)
    return items === undefined ? [] : [items]
  })
