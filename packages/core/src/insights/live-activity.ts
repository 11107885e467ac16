/** What a session is doing, told from the end of its log. */
import type { ContentBlock } from '../messages.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { callBrief } from '../session/call-brief.ts'
import { classifySpeech } from '../user-words/user-words.ts'
import type { LiveActivity, LiveCall } from './live.ts'

/**
 * Whose turn it is after a message of the main conversation: a person's after a reply, the model's after results and a
 * person's words; undefined where the message says nothing of it.
 */
const turnAfter = (entry: MessageEntry): 'model' | 'person' | undefined => {
  if (entry.role === 'assistant') return 'person'
  if (entry.role === 'tool' || entry.content.some(({ type }) => type === 'tool_result')) return 'model'
  return isPersons(entry) ? 'model' : undefined
}

/** Whether a person said it: a task or an assent. */
const isPersons = (entry: MessageEntry): boolean => {
  const speech = classifySpeech(entry)
  return speech === 'task' || speech === 'assent'
}

/** A call as it is shown: its name, what it is about, its time (ms or null), and the subagent that made it or null. */
const callOf = (block: ContentBlock & { readonly type: 'tool_call' }, { at, subagent }: MessageEntry): LiveCall => ({
  name: block.name,
  about: callBrief(block.input),
  at,
  subagent: subagent ?? null,
})

/**
 * What the last entries of a log say: the newest call that runs (`tool`), else whose turn it is. Null where no call
 * runs and no message of the main conversation says so. A call before a person's last words no longer runs.
 */
export const activityOf = (lastEntries: readonly LogEntry[]): LiveActivity | null => {
  const running = new Map<string, LiveCall>()
  let lastCall: LiveCall | null = null
  let turn: 'model' | 'person' | undefined
  for (const entry of lastEntries) {
    if (entry.kind !== 'message') continue
    const isMain = entry.subagent === undefined
    if (isMain && isPersons(entry)) running.clear()
    for (const block of entry.content) {
      if (block.type === 'tool_result') running.delete(block.callId)
      if (block.type !== 'tool_call') continue
      lastCall = callOf(block, entry)
      running.set(block.id, lastCall)
    }
    if (isMain) turn = turnAfter(entry) ?? turn
  }
  const runningCall = [...running.values()].at(-1)
  if (runningCall !== undefined) return { state: 'tool', call: runningCall }
  return turn === undefined ? null : { state: turn, call: lastCall }
}
