/**
 * The state of a running task: streaming and tool flags, and the counters whose limits stop or remind it. A reducer
 * over the log's entries and a few events that the log does not have. It has no side effects: {@link taskEffects} says
 * what is due.
 */
import { CairnError } from '../errors.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { createLiveEntries } from './live-entries.ts'
import { classifySpeech } from '../user-words/user-words.ts'
import { renderChecklist } from './todo.ts'

/** Events of a task that are not in the log. */
export type TaskEvent =
  | { readonly type: 'stream-started' }
  | { readonly type: 'first-chunk' }
  /** The model started to write the block with this index. */
  | { readonly type: 'block-started'; readonly index: number }
  | { readonly type: 'stream-finished' }
  /** The stream ended early: an error, or the user cancelled. */
  | { readonly type: 'stream-aborted' }
  | { readonly type: 'tool-used' }
  | { readonly type: 'tool-rejected' }
  /** A mistake that no failed tool result in the log shows: no tool used, or invalid arguments. */
  | { readonly type: 'mistake' }
  | { readonly type: 'auto-approved' }
  /** The user approved manually, or answered the question of an effect. */
  | { readonly type: 'user-approved' }
  | { readonly type: 'user-answered' }
  | { readonly type: 'todo-reminded' }
  /** A summary is being written; `index` is the message of the model history that triggered it. */
  | { readonly type: 'compaction-started'; readonly index: number }
  | { readonly type: 'compaction-failed' }

/** The state of a task, with the fields of Cline's `TaskState`. */
export interface TaskState {
  readonly isStreaming: boolean
  readonly isWaitingForFirstChunk: boolean
  readonly didCompleteReadingStream: boolean
  readonly currentStreamingContentIndex: number
  readonly didRejectTool: boolean
  readonly didAlreadyUseTool: boolean
  /** Whether the agent edited a file since the last checkpoint. */
  readonly didEditFile: boolean
  readonly consecutiveMistakeCount: number
  readonly consecutiveAutoApprovedRequestsCount: number
  /** Replies of the model; a response logged in pieces counts once. */
  readonly apiRequestCount: number
  readonly apiRequestsSinceLastTodoUpdate: number
  /** The todo list as a Markdown checklist; null before there is one. */
  readonly currentFocusChainChecklist: string | null
  readonly currentlySummarizing: boolean
  readonly lastAutoCompactTriggerIndex?: number
  /** First and last entry removed by truncations. */
  readonly deletedSeqs?: readonly [from: number, to: number]
  /** The id of the response counted last. */
  readonly lastResponseId?: string
}

/** Each limit is at least 1; `Infinity` switches it off. */
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

/** A new state of a task in which nothing has happened yet. */
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
 * What a state calls for (asking the user after 3 mistakes, asking for approval after 20 requests, reminding of the
 * todo list after 6), most urgent first; empty while every count is below its limit. `limits` replace these numbers.
 * Has no side effects.
 * @throws CairnError `invalid-input` for a limit that is not a whole number from 1 (or Infinity).
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

/** The limits, with defaults filled in; throws `invalid-input` for an invalid limit. */
const checkedLimits = (limits: Partial<TaskLimits>): TaskLimits => {
  const all = { ...DEFAULT_TASK_LIMITS, ...limits }
  for (const [name, limit] of Object.entries(all)) {
    if (!(Number.isInteger(limit) || limit === Number.POSITIVE_INFINITY) || limit < 1)
      throw new CairnError('invalid-input', `The limit "${name}" must be a whole number of at least 1.`)
  }
  return all
}

/**
 * The state after an event that is not in the log; fields that the event does not concern stay as they are. The given
 * state is not changed.
 */
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
 * The state after an entry of the log. The given state is not changed, and is returned as it is if the entry does not
 * affect it. Rewinds are handled by the reducer because they need the log.
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

/**
 * The state after a message. A reply counts as a request, the parts of one response once. Results of which none worked
 * count as a mistake; with one that worked there are no mistakes in a row any more. A person's words end the mistakes
 * and the approved requests in a row; any other message changes nothing.
 */
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
  /** Takes the log's next entry, or an event that is not in the log. */
  step(input: LogEntry | TaskEvent): void
  /** The state after the input so far; later steps don't change it. */
  state(): TaskState
}

/**
 * Creates the state of an idle task; feed it the log from the beginning. A rewind replays the entries that remain, and
 * ends anything in progress (such as a request without its end).
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

/** The state after a whole log; for an empty log, that of an idle task. */
export const taskState = (log: readonly LogEntry[]): TaskState => {
  const fold = createTaskStateFold()
  for (const entry of log) fold.step(entry)
  return fold.state()
}
