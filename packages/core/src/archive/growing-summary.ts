/** The summary of a growing conversation: adding a message costs its own size, not that of the conversation. */
import type { ToolCallBlock } from '../messages.ts'
import type { ConversationMessage } from '../summary/conversation.ts'
import { mergeSummaries } from '../summary/merge-summaries.ts'
import { summariseMessages } from '../summary/summarise-messages.ts'
import { emptySummary, type ThreadSummary } from '../summary/thread-summary.ts'
import { fileOperationsOf } from '../file-activity/file-tools.ts'

export interface GrowingSummary {
  /** Takes the conversation's next message; `summary` holds it from then on. */
  add(message: ConversationMessage): void
  /** Takes an operation on a file that the log records outside of messages. */
  addFile(file: RecordedFile): void
  /** The summary of all messages so far; the same as if they were summarised at once. May be asked at any time. */
  summary(): ThreadSummary
  /** Calls whose result has not come yet, oldest first; only the newest are remembered. */
  unanswered(): readonly ToolCallBlock[]
}

export interface RecordedFile {
  readonly path: string
  readonly operation: 'read' | 'edit'
  readonly at: number | null
  readonly seq: number
}

/** So many messages are summarised together, then for good. */
const PART = 48
/** A part waits no longer than this for the result of a call. */
const LONGEST_PART = 480
/** Calls that are remembered for their result; older ones will not get one. */
const MOST_WAITING = 200

/**
 * A summary that grows with the conversation, empty at first; `summary` gives all so far, `unanswered` the calls whose
 * results may still come. `waiting` are earlier calls of that kind. At most the newest `MOST_WAITING` calls are kept
 * waiting.
 */
export const createGrowingSummary = (waiting: readonly ToolCallBlock[] = []): GrowingSummary => {
  let finished = emptySummary
  let open: ConversationMessage[] = []
  /** Calls of finished parts. */
  let earlier = waiting.slice(-MOST_WAITING)
  /** Calls of the open part. */
  let asked = new Map<string, ToolCallBlock>()
  const answered = new Set<string>()
  let result: ThreadSummary | undefined = finished

  const ofOpen = (): ThreadSummary => {
    const summary = summariseMessages(open, { fileOperations: fileOperationsOf, at: null, earlierCalls: earlier })
    return { ...summary, madeAt: summary.covered.lastAt }
  }

  /** Merges the open part's messages into what is finished, for good; its calls without a result go on waiting. */
  const finishPart = (): void => {
    finished = mergeSummaries(finished, ofOpen())
    earlier = [...earlier.filter(({ id }) => !answered.has(id)), ...asked.values()].slice(-MOST_WAITING)
    answered.clear()
    open = []
    asked = new Map()
  }

  return {
    add: (message) => {
      open.push(message)
      result = undefined
      for (const block of message.content) {
        // One without an id gets no result.
        if (block.type === 'tool_call' && block.id !== '') asked.set(block.id, block)
        else if (block.type === 'tool_result' && !asked.delete(block.callId)) answered.add(block.callId)
      }
      if (open.length >= LONGEST_PART || (open.length >= PART && asked.size === 0)) finishPart()
    },
    addFile: (file) => {
      finishPart()
      finished = mergeSummaries(finished, ofFile(file))
      result = undefined
    },
    summary: () => (result ??= open.length === 0 ? finished : mergeSummaries(finished, ofOpen())),
    unanswered: () => [...earlier.filter(({ id }) => !answered.has(id)), ...asked.values()].slice(-MOST_WAITING),
  }
}

/** The summary of one operation on a file that no call made: the file alone is in it, and no tool is counted. */
const ofFile = ({ path, operation, at, seq }: RecordedFile): ThreadSummary => {
  const call: ToolCallBlock = { type: 'tool_call', id: '', name: '', input: { kind: operation, path } }
  const summary = summariseMessages([{ role: 'assistant', origin: 'summary', content: [call], at, seq }], {
    fileOperations: fileOperationsOf,
    at: null,
  })
  return { ...summary, tools: emptySummary.tools }
}
