/** What an entry of a log does with files, and which blocks hold the content: operations count once they are known to have worked. */
import { fileOperationsOf, toolCallIn } from '../file-activity/file-tools.ts'
import { textAfterCall } from './text-after-call.ts'
import type { ToolCallBlock, ToolResultBlock } from '../messages.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import type { FileRecord } from './tracked-file.ts'

/** A block of the log. */
export interface BlockReference {
  readonly seq: number
  readonly block: number
}

/** A record about a file, before its state is known. */
export interface FileOccurrence extends Omit<FileRecord, 'state'> {
  /** As the log names it. */
  readonly path: string
  /** The block with the content that the model saw; null for what no message shows. */
  readonly content: BlockReference | null
  /** When it was done at the latest, ms: a call's result tells. */
  readonly doneAt: number | null
  /** The file's text after it, of the text before, as far as it is known: undefined. */
  readonly textAfter?: (before: string | undefined) => string | undefined
}

/** Collects occurrences entry by entry. */
export interface FileOccurrences {
  /** Takes the log's next entry; what it tells about files, in order. */
  step(entry: LogEntry): readonly FileOccurrence[]
}

interface WaitingCall {
  readonly call: ToolCallBlock
  readonly entry: MessageEntry
  readonly block: number
}

/** Calls without a result that are remembered; those of a log that lost its results are forgotten, the oldest first. */
const MOST_WAITING = 1_000

/**
 * A fold that gives, for each entry, the files that it touches. Feed it the log from its beginning. A call counts when
 * its result has come and is no error; a file's record beside a message that said the same gives nothing.
 */
export const createFileOccurrences = (): FileOccurrences => {
  const waiting = new Map<string, WaitingCall>()
  /** The newest message of the main conversation: a record without a message of its own is seen with it. */
  let newest: BlockReference | null = null
  /** What the message before told, by path and operation: a record beside it is the same thing. */
  let told = new Set<string>()

  const remember = (call: WaitingCall): void => {
    waiting.set(call.call.id, call)
    const oldest = waiting.size > MOST_WAITING ? waiting.keys().next().value : undefined
    if (oldest !== undefined) waiting.delete(oldest)
  }

  const ended = (result: ToolResultBlock, entry: MessageEntry, block: number): readonly FileOccurrence[] => {
    const call = waiting.get(result.callId)
    waiting.delete(result.callId)
    return call === undefined || result.isError === true ? [] : ofCall(call, { seq: entry.seq, block }, entry.at)
  }

  const ofMessage = (entry: MessageEntry): readonly FileOccurrence[] => {
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
        if (fileOperationsOf(call).length > 0) remember({ call, entry, block })
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

const basics = ({ seq, at, subagent }: MessageEntry): Pick<FileRecord, 'seq' | 'at' | 'by'> => ({
  seq,
  at,
  ...(subagent === undefined ? {} : { by: 'subagent' }),
})

/** Of a read the result holds the content, of an edit the call; both happened when the call was made. */
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
