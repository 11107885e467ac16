/**
 * What each entry of a log does with files, and which blocks contain the content. Operations count once they are known
 * to have succeeded.
 */
import { fileOperationsOf, toolCallIn } from '../file-activity/file-tools.ts'
import { textAfterCall } from './text-after-call.ts'
import type { ToolCallBlock, ToolResultBlock } from '../messages.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { createPendingCalls } from '../pending-calls.ts'
import type { FileRecord } from './tracked-file.ts'

/** A block of the log. */
export interface BlockReference {
  readonly seq: number
  readonly block: number
}

/** A record about a file, before its state is known. */
export interface FileOccurrence extends Omit<FileRecord, 'state'> {
  /** The path as named in the log. */
  readonly path: string
  /** The block with the content that the model saw; null if no message shows it. */
  readonly content: BlockReference | null
  /** The latest time at which it can have happened, ms; the call's result determines it. */
  readonly doneAt: number | null
  /** Computes the file's text after the operation from the text before; undefined as far as it is unknown. */
  readonly textAfter?: (before: string | undefined) => string | undefined
}

/** Collects occurrences entry by entry. */
export interface FileOccurrences {
  /** Takes the log's next entry and returns what it says about files, in order. */
  step(entry: LogEntry): readonly FileOccurrence[]
}

interface WaitingCall {
  readonly call: ToolCallBlock
  readonly entry: MessageEntry
  readonly block: number
}

/**
 * Creates a fold that returns, for each entry, the files it touches. Feed it the log from the beginning. A call counts
 * once its result arrives and is not an error; an attached file, and a call that is written in a text, at once. A file
 * record beside a message that said the same returns nothing.
 */
export const createFileOccurrences = (): FileOccurrences => {
  const waiting = createPendingCalls<WaitingCall>()
  /** The newest message of the main conversation; a record without its own message is attributed to it. */
  let newest: BlockReference | null = null
  /** What the previous message reported, by path and operation: a record beside it means the same operation. */
  let told = new Set<string>()

  const ended = (result: ToolResultBlock, entry: MessageEntry, block: number): readonly FileOccurrence[] => {
    const call = waiting.answer(result.callId)
    return call === undefined || result.isError === true ? [] : ofCall(call, { seq: entry.seq, block }, entry.at)
  }

  /**
   * The occurrences that a message adds. A file tool's call gives none before its result, but is remembered until then.
   */
  const ofMessage = (entry: MessageEntry): readonly FileOccurrence[] => {
    waiting.begin(entry.role)
    const found = entry.content.flatMap((part, block): readonly FileOccurrence[] => {
      if (part.type === 'tool_result') return ended(part, entry, block)
      if (part.type === 'file')
        return [
          {
            ...basics(entry),
            path: part.path,
            source: 'mention',
            content: { seq: entry.seq, block },
            doneAt: entry.at,
          },
        ]
      const call = toolCallIn(part)
      if (call === undefined) return []
      if (part.type === 'tool_call') {
        // Also those of no file: one with the same id may follow.
        waiting.add(call.id, { call, entry, block })
        return []
      }
      return entry.role === 'tool' ? [] : ofCall({ call, entry, block }, { seq: entry.seq, block }, entry.at)
    })
    if (entry.subagent === undefined) newest = { seq: entry.seq, block: 0 }
    told = new Set(found.map(({ path, source }) => sameness(path, source)))
    return found
  }

  return {
    step: (entry) => {
      if (entry.kind === 'message') return ofMessage(entry)
      if (entry.kind !== 'file') return []
      const { path, operation: source, hash, by, at, seq } = entry
      if (told.has(sameness(path, source))) return []
      return [
        {
          path,
          seq,
          at,
          source,
          content: source === 'external-edit' ? null : newest,
          doneAt: at,
          ...(hash === undefined ? {} : { hash }),
          ...(by === undefined ? {} : { by }),
        },
      ]
    },
  }
}

const sameness = (path: string, source: string): string => JSON.stringify([path, source])

/** What a file record has from its message; `by` is the word `subagent`, and absent in the main conversation. */
const basics = ({ seq, at, subagent }: MessageEntry): Pick<FileRecord, 'seq' | 'at' | 'by'> => ({
  seq,
  at,
  ...(subagent === undefined ? {} : { by: 'subagent' }),
})

/**
 * The occurrences of a call that succeeded, with the number and time of the call; `doneAt` is the time of its result.
 * For a read, the result has the content; for an edit, the call does.
 */
const ofCall = (
  { call, entry, block }: WaitingCall,
  result: BlockReference,
  doneAt: number | null,
): readonly FileOccurrence[] =>
  fileOperationsOf(call).map(({ path, operation }) => ({
    ...basics(entry),
    path,
    source: operation,
    content: operation === 'read' ? result : { seq: entry.seq, block },
    doneAt: doneAt ?? entry.at,
    ...(operation === 'edit' ? { textAfter: textAfterCall(call) } : {}),
  }))
