/** How a session's log ends: the calls that wait for a result, and whether the model has answered. */
import { objectOf, parseJson, stringOf } from '../json.ts'
import { escapedLine } from '../memory/section-text.ts'
import type { ToolCallBlock } from '../messages.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { liveEntries } from '../session/live-entries.ts'
import { isLearnQuestion } from './learning.ts'

const CALL_CHARACTERS = 200

/** A call without a result. */
export interface OpenCall {
  readonly call: ToolCallBlock
  /** The reply that contains it, and its position there. */
  readonly messageId: string
  readonly block: number
  /** It was about to be run; whether it was is unknown. */
  readonly wasStarted: boolean
}

export interface LogEnd {
  /** The calls of the newest reply, in order. */
  readonly calls: readonly OpenCall[]
  /** The calls answer the learning question: the work was finished before. */
  readonly isLearning: boolean
  /**
   * The newest message is a complete reply without calls, so the model waits for the user. Also true for an empty log,
   * and if only the answer to the learning question came after.
   */
  readonly isAnswered: boolean
  /** The texts of the newest reply, excluding the answer to the learning question. */
  readonly text: string
}

/** The calls of a reply, none of them started. */
export const callsOf = ({ id, content }: Pick<MessageEntry, 'id' | 'content'>): readonly OpenCall[] =>
  content.flatMap((call, block) =>
    call.type === 'tool_call' ? [{ call, messageId: id, block, wasStarted: false }] : [],
  )

/**
 * A short description of a call for observers: its command, or its tool with the file; one line, cut to its first
 * characters.
 */
export const interruptedCall = ({ call: { name, input } }: OpenCall): string => {
  const { command, path } = objectOf(typeof input === 'string' ? parseJson(input)?.value : input)
  const words = stringOf(command) ?? [name, ...(stringOf(path) === undefined ? [] : [stringOf(path)])].join(' ')
  return escapedLine(words, CALL_CHARACTERS)
}

/** The texts of a reply, separated by blank lines. */
export const textOfReply = (content: MessageEntry['content']): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n')

/**
 * How a whole log ends: the newest reply's calls without a result (none once a message without results followed them),
 * whether the model has answered, and the newest reply's text. Rewound entries, interrupted replies that left the view,
 * and subagents don't count. The question after the work, about what was learnt, has no part in the text.
 */
export const endOfLog = (log: readonly LogEntry[]): LogEnd => {
  let calls: readonly OpenCall[] = []
  let isAnswered = true
  let text = ''
  let isLearning = false
  for (const entry of inForce(log)) {
    if (entry.kind === 'tool-start') {
      calls = calls.map((open) => (open.call.id === entry.callId ? { ...open, wasStarted: true } : open))
      continue
    }
    if (entry.kind !== 'message' || entry.subagent !== undefined) continue
    if (entry.role === 'assistant') {
      calls = callsOf(entry)
      isAnswered = calls.length === 0
      if (!isLearning) text = textOfReply(entry.content)
    } else {
      if (entry.role === 'user') isLearning = isLearnQuestion(entry)
      const answered = new Set(entry.content.flatMap((block) => (block.type === 'tool_result' ? [block.callId] : [])))
      if (answered.size > 0) calls = calls.filter(({ call }) => !answered.has(call.id))
      else calls = []
      isAnswered = false
    }
  }
  return { calls, isLearning, isAnswered: isAnswered || (isLearning && calls.length === 0), text }
}

/**
 * The entries not taken back by a rewind, without interrupted replies: each of those is truncated separately, by the
 * entry after it.
 */
const inForce = (log: readonly LogEntry[]): readonly LogEntry[] => {
  const kept = liveEntries(log)
  const broken = new Set(
    kept.flatMap((entry) =>
      entry.kind === 'truncation' && entry.fromSeq === entry.toSeq && entry.seq === entry.toSeq + 1
        ? [entry.fromSeq]
        : [],
    ),
  )
  return kept.filter(({ seq }) => !broken.has(seq))
}
