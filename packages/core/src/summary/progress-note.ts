/** The note that is written before a trim: where the work stands, as Markdown that a person can read, too. */
import { textOfJson } from '../messages.ts'
import type { TodoItem } from '../session-log.ts'
import { instantText } from '../time-text.ts'
import { cleanText, cutText, oneLine } from './bounded-text.ts'
import { resultsByCall, type ConversationMessage } from './conversation.ts'
import { todoLines } from './todo-lines.ts'

export interface RecentToolCall {
  readonly name: string
  /** What it was called with, as text. */
  readonly input: string
  readonly outcome: 'done' | 'failed' | 'no result'
}

export interface Progress {
  /** When the note is written, ms; null where nobody knows. */
  readonly at: number | null
  readonly sessionId?: string
  /** The newest message of the user. */
  readonly task?: string
  readonly todo: readonly TodoItem[]
  /** Oldest first; the last ten are written. */
  readonly recentToolCalls: readonly RecentToolCall[]
  /** Requests to the model so far. */
  readonly requests: number
  /** What is about to be trimmed, and why. */
  readonly reason?: string
}

const NOTE_LIMITS = {
  taskCharacters: 4000,
  calls: 10,
  nameCharacters: 100,
  inputCharacters: 160,
  reasonCharacters: 300,
} as const

/**
 * A Markdown note of where the work stands: task, todo list, recent tool calls. Every line of what was said or called
 * is quoted or in a list, so that none passes for a heading. Of calls the newest are shown; long texts are cut.
 */
export const progressNote = (progress: Progress): string => {
  const { at, sessionId, task, todo, recentToolCalls, requests, reason } = progress
  const calls = recentToolCalls.slice(-NOTE_LIMITS.calls)
  return [
    '# Session progress',
    '',
    ...(at === null ? [] : [`- Written: ${instantText(at)}`]),
    ...(sessionId === undefined ? [] : [`- Session: ${line(sessionId, NOTE_LIMITS.nameCharacters)}`]),
    `- Requests to the model: ${requests}`,
    ...(reason === undefined ? [] : [`- Before: ${line(reason, NOTE_LIMITS.reasonCharacters)}`]),
    '',
    '## Current task',
    task === undefined
      ? '(none)'
      : cutText(cleanText(task), NOTE_LIMITS.taskCharacters)
          .split('\n')
          .map((text) => `> ${text}`)
          .join('\n'),
    '',
    '## Todo',
    ...(todo.length === 0 ? ['(none)'] : todoLines(todo)),
    '',
    '## Recent tool calls',
    ...(calls.length === 0 ? ['(none)'] : calls.map(callLine)),
    ...(recentToolCalls.length > calls.length
      ? [`(not listed: ${recentToolCalls.length - calls.length} earlier)`]
      : []),
    '',
  ].join('\n')
}

/**
 * The calls of a conversation with what became of them, oldest first; at most the last `limit`. A call whose result is
 * not among the messages has `no result`.
 */
export const listRecentToolCalls = (
  messages: readonly ConversationMessage[],
  limit: number = NOTE_LIMITS.calls,
): readonly RecentToolCall[] => {
  const results = resultsByCall(messages)
  const calls = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_call' ? [block] : [])),
  )
  return calls.slice(Math.max(0, calls.length - limit)).map((call) => {
    const { name, input } = call
    const result = results.get(call)
    return {
      name,
      input: textOfJson(input),
      outcome: result === undefined ? 'no result' : result.isError === true ? 'failed' : 'done',
    }
  })
}

const callLine = ({ name, input, outcome }: RecentToolCall): string =>
  `- ${line(name, NOTE_LIMITS.nameCharacters)}${input === '' ? '' : `: ${line(input, NOTE_LIMITS.inputCharacters)}`}${outcome === 'done' ? '' : ` (${outcome})`}`

const line = (text: string, maximum: number): string => cutText(oneLine(cleanText(text)), maximum)
