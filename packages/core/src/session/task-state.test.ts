import { describe, expect, it } from '@jest/globals'
import type { ContentBlock } from '../messages.ts'
import type { LogEntry, MessageEntry, NewLogEntry } from '../session-log.ts'
import {
  createTaskStateFold,
  initialTaskState,
  taskEffects,
  taskState,
  type TaskEvent,
  type TaskStateFold,
} from './task-state.ts'

const message = (role: MessageEntry['role'], more: Partial<MessageEntry> = {}): NewLogEntry => ({
  kind: 'message',
  at: 0,
  id: 'm',
  role,
  content: [{ type: 'text', text: 'x' }],
  ...more,
})
const results = (...failed: readonly boolean[]): NewLogEntry =>
  message('user', {
    content: failed.map((isError, index): ContentBlock => ({
      type: 'tool_result',
      callId: `${index}`,
      content: [],
      isError,
    })),
  })
const logOf = (...entries: readonly NewLogEntry[]): LogEntry[] => entries.map((entry, seq) => ({ ...entry, seq }))
const times = (fold: TaskStateFold, count: number, event: TaskEvent): void => {
  for (let index = 0; index < count; index += 1) fold.step(event)
}

describe('task state', () => {
  it('follows a stream', () => {
    const fold = createTaskStateFold()
    fold.step({ type: 'stream-started' })
    expect(fold.state()).toMatchObject({
      isStreaming: true,
      isWaitingForFirstChunk: true,
      didCompleteReadingStream: false,
    })
    fold.step({ type: 'first-chunk' })
    fold.step({ type: 'block-started', index: 2 })
    fold.step({ type: 'tool-used' })
    fold.step({ type: 'tool-rejected' })
    expect(fold.state()).toMatchObject({
      isWaitingForFirstChunk: false,
      currentStreamingContentIndex: 2,
      didAlreadyUseTool: true,
      didRejectTool: true,
    })
    fold.step({ type: 'stream-finished' })
    expect(fold.state()).toMatchObject({ isStreaming: false, didCompleteReadingStream: true })
    fold.step({ type: 'stream-started' })
    expect(fold.state()).toMatchObject({
      didAlreadyUseTool: false,
      didRejectTool: false,
      currentStreamingContentIndex: 0,
    })
    fold.step({ type: 'stream-aborted' })
    expect(fold.state()).toMatchObject({
      isStreaming: false,
      isWaitingForFirstChunk: false,
      didCompleteReadingStream: false,
    })
  })

  it('asks the user after three mistakes in a row', () => {
    const fold = createTaskStateFold()
    const types = (): string[] => taskEffects(fold.state()).map(({ type }) => type)
    for (const entry of logOf(results(true, true), results(true, false), results(true))) fold.step(entry)
    fold.step({ type: 'mistake' })
    expect(types()).toEqual([])
    fold.step({ type: 'mistake' })
    expect(taskEffects(fold.state())).toEqual([{ type: 'ask-user', mistakes: 3, limit: 3 }])
    fold.step({ type: 'user-answered' })
    expect(types()).toEqual([])
  })

  it('asks for approval after twenty unattended requests', () => {
    const fold = createTaskStateFold()
    times(fold, 19, { type: 'auto-approved' })
    expect(taskEffects(fold.state())).toEqual([])
    fold.step({ type: 'auto-approved' })
    expect(taskEffects(fold.state())).toEqual([{ type: 'ask-approval', requests: 20, limit: 20 }])
    fold.step({ ...message('user'), seq: 0 })
    expect(fold.state().consecutiveAutoApprovedRequestsCount).toBe(0)
    times(fold, 2, { type: 'auto-approved' })
    fold.step({ type: 'user-approved' })
    expect(fold.state().consecutiveAutoApprovedRequestsCount).toBe(0)
  })

  it('reminds of the todo list after six requests; a response in several lines counts once', () => {
    const answers = Array.from({ length: 6 }, (_, index) => message('assistant', { responseId: `r${index}` }))
    const pieces = answers.flatMap((answer) => [answer, answer])
    const state = taskState(logOf(...pieces, message('assistant', { subagent: 'helper' })))
    expect(state).toMatchObject({ apiRequestCount: 6, apiRequestsSinceLastTodoUpdate: 6 })
    expect(taskEffects(state)).toEqual([{ type: 'remind-todo', requests: 6, limit: 6 }])
    const updated = taskState(logOf(...pieces, { kind: 'todo', at: 0, items: [{ text: 'go', status: 'pending' }] }))
    expect(updated).toMatchObject({
      apiRequestCount: 6,
      apiRequestsSinceLastTodoUpdate: 0,
      currentFocusChainChecklist: '- [ ] go',
    })
    const fold = createTaskStateFold()
    for (const entry of logOf(...answers)) fold.step(entry)
    fold.step({ type: 'todo-reminded' })
    expect(taskEffects(fold.state())).toEqual([])
  })

  it('accepts other limits, and refuses impossible ones', () => {
    const state = { ...initialTaskState(), consecutiveMistakeCount: 5 }
    expect(taskEffects(state, { mistakes: 6 })).toEqual([])
    expect(taskEffects(state, { mistakes: Number.POSITIVE_INFINITY })).toEqual([])
    expect(taskEffects(state, { mistakes: 5 })).toHaveLength(1)
    expect(() => taskEffects(state, { mistakes: 0 })).toThrow(
      'The limit "mistakes" must be a whole number of at least 1.',
    )
  })

  it('records summaries, edits, checkpoints and truncations', () => {
    const fold = createTaskStateFold()
    fold.step({ type: 'compaction-started', index: 40 })
    expect(fold.state()).toMatchObject({ currentlySummarizing: true, lastAutoCompactTriggerIndex: 40 })
    const log = logOf(
      { kind: 'compaction', at: 0, trigger: 'auto' },
      { kind: 'file', at: 0, path: 'a', operation: 'edit' },
      { kind: 'truncation', at: 0, fromSeq: 4, toSeq: 9, reason: 'window' },
      { kind: 'truncation', at: 0, fromSeq: 2, toSeq: 7, reason: 'window' },
    )
    for (const entry of log) fold.step(entry)
    expect(fold.state()).toMatchObject({ currentlySummarizing: false, didEditFile: true, deletedSeqs: [2, 9] })
    fold.step({ kind: 'checkpoint', seq: 4, at: 0, checkpointId: 'c' })
    expect(fold.state().didEditFile).toBe(false)
  })

  it('a rewind restores the earlier state', () => {
    const log = logOf(message('user'), message('assistant'), results(true), message('assistant'), results(true))
    const rewound = taskState([...log, { kind: 'rewind', seq: 5, at: 0, toSeq: 2 }])
    expect(rewound).toEqual(taskState(log.slice(0, 3)))
    expect(rewound).toMatchObject({ apiRequestCount: 1, consecutiveMistakeCount: 1 })
  })
})
