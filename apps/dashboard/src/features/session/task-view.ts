/** What a session is in the middle of, as its page shows it. */
import { afterTaskEntry, createLiveEntries, initialTaskState, parseChecklist } from '@cairn/core'
import type { LogEntry, SessionStorage, TaskState, TodoItem } from '@cairn/core'

/** The state of a session's task, as the page shows it. */
export interface TaskView {
  /** Answers of the model. */
  readonly answers: number
  /** Requests in a row whose tools all failed. */
  readonly failedInARow: number
  readonly answersSinceTodo: number
  /** Files were edited since the last checkpoint. */
  readonly hasUncheckedEdits: boolean
  /** At most {@link MOST_ITEMS}; null before there is a list. */
  readonly todo: readonly Pick<TodoItem, 'text' | 'status'>[] | null
  /** Items that are not among `todo`. */
  readonly moreTodo: number
}

/** Longer lists are read in the conversation. */
const MOST_ITEMS = 30
const LONGEST_ITEM = 300

/** Follows a session's task through its log. */
export interface TaskFold {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** Whether it knew of a rewind, by its entry, when it began: one that came later changes what counts before it. */
  knowsRewind(seq: number): boolean
  /** The state of the task after the entries so far, as the page shows it. */
  view(): TaskView
}

/**
 * Returns a fold over a log that is read in pages. What was rewound does not count, as rewinds are read first. Rejects
 * as the store does.
 */
export const createTaskFold = async (sessions: Pick<SessionStorage, 'read'>, id: string): Promise<TaskFold> => {
  const live = createLiveEntries()
  const rewinds = await sessions.read(id, { kinds: ['rewind'] })
  for (const rewind of rewinds) live.step(rewind)
  const known = new Set(rewinds.map(({ seq }) => seq))
  let state = initialTaskState()
  return {
    step: (entry) => {
      if (entry.kind !== 'rewind' && live.has(entry.seq)) state = afterTaskEntry(state, entry)
    },
    knowsRewind: (seq) => known.has(seq),
    view: () => taskView(state),
  }
}

/**
 * Returns a task's state as the page shows it, with a bounded number of todo items. `todo` is null without a list; long
 * items are cut, `moreTodo` counts those left out.
 */
const taskView = (state: TaskState): TaskView => {
  const { currentFocusChainChecklist: list } = state
  const items = list === null ? null : parseChecklist(list)
  return {
    answers: state.apiRequestCount,
    failedInARow: state.consecutiveMistakeCount,
    answersSinceTodo: state.apiRequestsSinceLastTodoUpdate,
    hasUncheckedEdits: state.didEditFile,
    todo:
      items
        ?.slice(0, MOST_ITEMS)
        .map(({ text, status }) => ({ text: text.slice(0, LONGEST_ITEM).toWellFormed(), status })) ?? null,
    moreTodo: Math.max(0, (items?.length ?? 0) - MOST_ITEMS),
  }
}
