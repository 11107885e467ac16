/**
 * What a running task is in the middle of: streaming and tool flags, and the counters whose limits
 * stop or remind it. A reducer over the log's entries and a few events that the log does not hold. Nothing is
 * done here: {@link taskEffects} says what is due.
 */
import { CairnError } from '../errors.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { createLiveEntries } from './live-entries.ts'
import { classifySpeech } from '../user-words/user-words.ts'
import { renderChecklist } from './todo.ts'

/** What happens in a task besides what is logged. */
export type TaskEvent =
  | { readonly type: 'stream-started' }
  | { readonly type: 'first-chunk' }
  /** The model now writes the block of that index. */
  | { readonly type: 'block-started'; readonly index: number }
  | { readonly type: 'stream-finished' }
  /** It broke off: an error or the user's cancel. */
  | { readonly type: 'stream-aborted' }
  | { readonly type: 'tool-used' }
  | { readonly type: 'tool-rejected' }
  /** One that no failed tool result in the log tells of: no tool used, arguments that can't be read. */
  | { readonly type: 'mistake' }
  | { readonly type: 'auto-approved' }
  /** The user approved by hand, or answered what an effect asked. */
  | { readonly type: 'user-approved' }
  | { readonly type: 'user-answered' }
  | { readonly type: 'todo-reminded' }
  /** A summary is being written; `index` is the message of the model's history that set it off. */
  | { readonly type: 'compaction-started'; readonly index: number }
  | { readonly type: 'compaction-failed' }

/** Where a task stands. The fields are those of Cline's `TaskState`. */
export interface TaskState {
  readonly isStreaming: boolean
  readonly isWaitingForFirstChunk: boolean
  readonly didCompleteReadingStream: boolean
  readonly currentStreamingContentIndex: number
  readonly didRejectTool: boolean
  readonly didAlreadyUseTool: boolean
  /** The agent edited a file since the last checkpoint. */
  readonly didEditFile: boolean
  readonly consecutiveMistakeCount: number
  readonly consecutiveAutoApprovedRequestsCount: number
  /** Answers of the model: a response that is logged in pieces counts once. */
  readonly apiRequestCount: number
  readonly apiRequestsSinceLastTodoUpdate: number
  /** The todo list as a Markdown checklist; null before there is one. */
  readonly currentFocusChainChecklist: string | null
  readonly currentlySummarizing: boolean
  readonly lastAutoCompactTriggerIndex?: number
  /** First and last entry that truncations removed. */
  readonly deletedSeqs?: readonly [from: number, to: number]
  /** Of the answer that was counted last. */
  readonly lastResponseId?: string
}

/** Each at least 1; `Infinity` switches one off. */
export interface TaskLimits {
  readonly mistakes: number
  readonly autoApprovedRequests: number
  readonly requestsWithoutTodo: number
}

const DEFAULT_TASK_LIMITS: TaskLimits = { mistakes: 3, autoApprovedRequests: 20, requestsWithoutTodo: 6 }

/** What is due, with the count that reached its limit. */
export type TaskEffect =
  | { readonly type: 'ask-user'; readonly mistakes: number; readonly limit: number }
  | { readonly type: 'ask-approval'; readonly requests: number; readonly limit: number }
  | { readonly type: 'remind-todo'; readonly requests: number; readonly limit: number }

/** The state of a task of which nothing has happened yet; a new object each time. */
export const initialTaskState = (): TaskState => ({
  isStreaming: false,
  isWaitingForFirstChunk: false,
  didCompleteReadingStream: false,
  currentStreamingContentIndex: 0,
  didRejectTool: false,
  didAlreadyUseTool: false,
  didEditFile: false,
  consecutiveMistakeCount: 0,
  consecutiveAutoApprovedRequestsCount: 0,
  apiRequestCount: 0,
  apiRequestsSinceLastTodoUpdate: 0,
  currentFocusChainChecklist: null,
  currentlySummarizing: false,
})

/**
 * What a state calls for (asking the user or for approval, reminding of the todo list), the most urgent first; empty
 * while every count is below its limit. Nothing is done or changed.
 * @throws CairnError `invalid-input` for a limit that is no whole number from 1 (or Infinity).
 */
export const taskEffects = (state: TaskState, limits: Partial<TaskLimits> = {}): readonly TaskEffect[] => {
  const { mistakes, autoApprovedRequests, requestsWithoutTodo } = checkedLimits(limits)
  const { consecutiveMistakeCount, consecutiveAutoApprovedRequestsCount, apiRequestsSinceLastTodoUpdate } = state
  const effects: TaskEffect[] = []
  if (consecutiveMistakeCount >= mistakes)
    effects.push({ type: 'ask-user', mistakes: consecutiveMistakeCount, limit: mistakes })
  if (consecutiveAutoApprovedRequestsCount >= autoApprovedRequests)
    effects.push({
      type: 'ask-approval',
      requests: consecutiveAutoApprovedRequestsCount,
      limit: autoApprovedRequests,
    })
  if (apiRequestsSinceLastTodoUpdate >= requestsWithoutTodo)
    effects.push({ type: 'remind-todo', requests: apiRequestsSinceLastTodoUpdate, limit: requestsWithoutTodo })
  return effects
}

/** The limits with the defaults; throws `invalid-input` for what is no limit. */
const checkedLimits = (limits: Partial<TaskLimits>): TaskLimits => {
  const all = { ...DEFAULT_TASK_LIMITS, ...limits }
  for (const [name, limit] of Object.entries(all)) {
    if (!(Number.isInteger(limit) || limit === Number.POSITIVE_INFINITY) || limit < 1)
      throw new CairnError('invalid-input', `The limit "${name}" must be a whole number of at least 1.`)
  }
  return all
}

/** The state after something that the log does not hold. */
const afterTaskEvent = (state: TaskState, event: TaskEvent): TaskState => {
  switch (event.type) {
    case 'stream-started':
      return {
        ...state,
        isStreaming: true,
        isWaitingForFirstChunk: true,
        didCompleteReadingStream: false,
        currentStreamingContentIndex: 0,
        didRejectTool: false,
        didAlreadyUseTool: false,
      }
    case 'first-chunk':
      return { ...state, isWaitingForFirstChunk: false }
    case 'block-started':
      return { ...state, isWaitingForFirstChunk: false, currentStreamingContentIndex: event.index }
    case 'stream-finished':
      return { ...state, isStreaming: false, isWaitingForFirstChunk: false, didCompleteReadingStream: true }
    case 'stream-aborted':
      return { ...state, isStreaming: false, isWaitingForFirstChunk: false }
    case 'tool-used':
      return { ...state, didAlreadyUseTool: true }
    case 'tool-rejected':
      return { ...state, didRejectTool: true, consecutiveAutoApprovedRequestsCount: 0 }
    case 'mistake':
      return { ...state, consecutiveMistakeCount: state.consecutiveMistakeCount + 1 }
    case 'auto-approved':
      return {
        ...state,
        consecutiveAutoApprovedRequestsCount: state.consecutiveAutoApprovedRequestsCount + 1,
      }
    case 'user-approved':
      return { ...state, consecutiveAutoApprovedRequestsCount: 0 }
    case 'user-answered':
      return { ...state, consecutiveAutoApprovedRequestsCount: 0, consecutiveMistakeCount: 0 }
    case 'todo-reminded':
      return { ...state, apiRequestsSinceLastTodoUpdate: 0 }
    case 'compaction-started':
      return { ...state, currentlySummarizing: true, lastAutoCompactTriggerIndex: event.index }
    case 'compaction-failed':
      return { ...state, currentlySummarizing: false }
  }
}

/**
 * The state after an entry of the log; the given one is not changed, and comes back where the entry says nothing of it.
 * Rewinds are handled by the reducer, as they need the log.
 */
export const afterTaskEntry = (state: TaskState, entry: LogEntry): TaskState => {
  switch (entry.kind) {
    case 'message':
      return entry.subagent === undefined ? afterMessage(state, entry) : state
    case 'file':
      return entry.operation === 'edit' ? { ...state, didEditFile: true } : state
    case 'checkpoint':
      return { ...state, didEditFile: false }
    case 'todo':
      return {
        ...state,
        apiRequestsSinceLastTodoUpdate: 0,
        currentFocusChainChecklist: renderChecklist(entry.items),
      }
    case 'compaction':
      return { ...state, currentlySummarizing: false }
    case 'truncation': {
      const [from, to] = state.deletedSeqs ?? [entry.fromSeq, entry.toSeq]
      return { ...state, deletedSeqs: [Math.min(from, entry.fromSeq), Math.max(to, entry.toSeq)] }
    }
    default:
      return state
  }
}

/** The state after a message; the parts of one response count once. */
const afterMessage = (state: TaskState, entry: MessageEntry): TaskState => {
  const { role, content, responseId } = entry
  if (role === 'assistant') {
    if (responseId !== undefined && responseId === state.lastResponseId) return state
    const { lastResponseId: _before, ...rest } = state
    return {
      ...rest,
      apiRequestCount: state.apiRequestCount + 1,
      apiRequestsSinceLastTodoUpdate: state.apiRequestsSinceLastTodoUpdate + 1,
      ...(responseId === undefined ? {} : { lastResponseId: responseId }),
    }
  }
  const results = content.filter((block) => block.type === 'tool_result')
  if (results.length > 0) {
    // One request's tools: it was a mistake when none of them worked.
    const isMistake = results.every((result) => result.isError === true)
    return { ...state, consecutiveMistakeCount: isMistake ? state.consecutiveMistakeCount + 1 : 0 }
  }
  // A person wrote, so somebody is present.
  const speech = classifySpeech(entry)
  return speech === 'task' || speech === 'assent'
    ? { ...state, consecutiveMistakeCount: 0, consecutiveAutoApprovedRequestsCount: 0 }
    : state
}

export interface TaskStateFold {
  /** Takes the log's next entry, or an event that the log does not hold. */
  step(input: LogEntry | TaskEvent): void
  /** The state after what was given so far; later steps don't change it. */
  state(): TaskState
}

/**
 * The state of an idle task, to be fed the log from its beginning. At a rewind the entries that are left are read
 * again; what was under way (such as a request without its end) is over then.
 */
export const createTaskStateFold = (): TaskStateFold => {
  const log: LogEntry[] = []
  const live = createLiveEntries()
  let state = initialTaskState()
  return {
    step: (input) => {
      if ('type' in input) {
        state = afterTaskEvent(state, input)
      } else if (input.kind === 'rewind') {
        live.step(input)
        state = log.filter(({ seq }) => live.has(seq)).reduce(afterTaskEntry, initialTaskState())
      } else {
        log.push(input)
        state = afterTaskEntry(state, input)
      }
    },
    state: () => state,
  }
}

/** The state after a whole log; of an empty one that of an idle task. */
export const taskState = (log: readonly LogEntry[]): TaskState => {
  const fold = createTaskStateFold()
  for (const entry of log) fold.step(entry)
  return fold.state()
}
