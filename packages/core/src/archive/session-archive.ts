/**
 * The archive of one session. A reducer over its log: a further entry costs what is new (a rewind, and a message that the
 * user drops, read again what they leave), asking for the archive what is visible and how many threads there are.
 */
import type { ContentBlock } from '../messages.ts'
import type { FileEntry, LogEntry, MessageEntry, RewindEntry } from '../session-log.ts'
import { createLiveEntries } from '../session/live-entries.ts'
import { createModelHistory, type ModelHistory } from '../session/model-history.ts'
import type { ConversationMessage } from '../summary/conversation.ts'
import { renderThreadSummary } from '../summary/render-summary.ts'
import { toolCallIn } from '../file-activity/file-tools.ts'
import type { ArchiveThread, SessionArchive, TrimKind } from './archive.ts'
import { createGrowingSummary, type RecordedFile, type GrowingSummary } from './growing-summary.ts'

export interface ArchiveOptions {
  /** UTF-16 units that the text may take; default all that the merged summary holds. */
  readonly maxCharacters?: number
}

export interface ArchiveFold {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The archive after the entries so far. Later steps don't change it. */
  result(): SessionArchive
}

interface OpenThread {
  readonly fromSeq: number
  toSeq: number
  messages: number
  /** Of the main conversation. */
  main: number
  takenBack: number
  endedBy: TrimKind | null
  readonly summary: GrowingSummary
}

/** An empty archive. Feed it the log from its beginning. */
export const createArchive = (sessionId: string, { maxCharacters = Infinity }: ArchiveOptions = {}): ArchiveFold => {
  const history = createModelHistory()
  const threads: OpenThread[] = []
  const messagesAndFiles: (MessageEntry | FileEntry)[] = []
  const live = createLiveEntries()
  /** Of the live messages; undefined when it has to be made anew. */
  let merged: GrowingSummary | undefined = createGrowingSummary()

  const takeMessage = (entry: MessageEntry): void => {
    const last = threads.at(-1)
    const thread = last?.endedBy === null ? last : openThread(entry, last)
    thread.toSeq = entry.seq
    thread.messages += 1
    if (entry.subagent === undefined) thread.main += 1
    thread.summary.add(conversationMessage(entry))
    messagesAndFiles.push(entry)
    merged?.add(conversationMessage(entry))
  }

  const takeFile = (entry: FileEntry): void => {
    const file = fileIn(entry)
    if (file === undefined) return
    threads.at(-1)?.summary.addFile(file)
    messagesAndFiles.push(entry)
    merged?.addFile(file)
  }

  const openThread = ({ seq }: MessageEntry, before: OpenThread | undefined): OpenThread => {
    const summary = createGrowingSummary(before?.summary.unanswered())
    const thread: OpenThread = { fromSeq: seq, toSeq: seq, messages: 0, main: 0, takenBack: 0, endedBy: null, summary }
    threads.push(thread)
    return thread
  }

  /** What was in force before may not be now, and the reverse: a rewind can take back a rewind. */
  const rewind = (entry: RewindEntry): void => {
    live.step(entry)
    for (const thread of threads) thread.takenBack = 0
    for (const { seq, kind } of messagesAndFiles) {
      const thread = kind === 'file' || live.has(seq) ? undefined : threads[threadOf(threads, seq)]
      if (thread !== undefined) thread.takenBack += 1
    }
    merged = undefined
  }

  const mergedNow = (): GrowingSummary => {
    if (merged !== undefined) return merged
    merged = createGrowingSummary()
    for (const entry of messagesAndFiles) {
      if (!live.has(entry.seq)) continue
      const file = entry.kind === 'file' ? fileIn(entry) : undefined
      const message = entry.kind === 'message' ? withoutDropped(entry, history) : undefined
      if (file !== undefined) merged.addFile(file)
      if (message !== undefined) merged.add(message)
    }
    return merged
  }

  return {
    step: (entry) => {
      history.step(entry)
      if (entry.kind === 'message') takeMessage(entry)
      else if (entry.kind === 'file') takeFile(entry)
      else if (entry.kind === 'rewind') rewind(entry)
      else if (entry.kind === 'pin') merged = undefined
      const trim = trimOf(entry)
      const last = threads.at(-1)
      if (trim !== undefined && last !== undefined) last.endedBy ??= trim
    },
    result: () => {
      const seen = seenIn(threads, history)
      const summary = mergedNow().summary()
      return {
        sessionId,
        threads: threads.map((thread, index) => threadNow(thread, seen[index] ?? 0)),
        merged: summary,
        text: renderThreadSummary(summary, { maxCharacters }),
      }
    },
  }
}

/** The archive of a whole log (or of its beginning: as of a time). */
export const sessionArchive = (
  entries: readonly LogEntry[],
  sessionId: string,
  options?: ArchiveOptions,
): SessionArchive => {
  const archive = createArchive(sessionId, options)
  for (const entry of entries) archive.step(entry)
  return archive.result()
}

/** What only touches what was not sent yet takes nothing away. */
const ARRIVAL = 'arrival'

const trimOf = (entry: LogEntry): TrimKind | undefined => {
  switch (entry.kind) {
    case 'truncation':
    case 'rewind':
      return entry.kind
    case 'compaction':
      return entry.partial === true ? undefined : 'compaction'
    case 'rewrite':
      return entry.trigger === ARRIVAL || entry.changes.length === 0 ? undefined : 'rewrite'
    default:
      return undefined
  }
}

/** A subagent is asked by the agent: its words are no requests or answers of the user's. */
export const conversationMessage = ({
  role,
  content,
  at,
  seq,
  origin,
  subagent,
}: MessageEntry): ConversationMessage => {
  const from = origin ?? (subagent === undefined ? undefined : 'meta')
  return {
    role,
    content: content.map((block) => callIn(block, role)),
    at,
    seq,
    ...(from === undefined ? {} : { origin: from }),
  }
}

/** The generic format names a tool beside its text, in a call and in its result. */
const callIn = (block: ContentBlock, role: MessageEntry['role']): ContentBlock =>
  block.type === 'other' && role !== 'tool' ? (toolCallIn(block) ?? block) : block

/** What people edit themselves is no work of the session's. */
const fileIn = ({ path, operation, at, seq }: FileEntry): RecordedFile | undefined =>
  operation === 'external-edit' ? undefined : { path, operation: operation === 'edit' ? 'edit' : 'read', at, seq }

/** What the user took out of the context must not come back to the model as a record. */
const withoutDropped = (entry: MessageEntry, history: ModelHistory): ConversationMessage | undefined => {
  const dropped = new Set(history.blocksOf(entry.seq).flatMap(({ pin, block }) => (pin === 'dropped' ? [block] : [])))
  if (dropped.size === 0) return conversationMessage(entry)
  const content = entry.content.filter((_, block) => !dropped.has(block))
  return content.length === 0 ? undefined : conversationMessage({ ...entry, content })
}

const threadNow = (
  { fromSeq, toSeq, messages, main, takenBack, endedBy, summary }: OpenThread,
  seen: number,
): ArchiveThread => {
  const made = summary.summary()
  const { firstAt, lastAt } = made.covered
  return {
    fromSeq,
    toSeq,
    fromAt: firstAt,
    toAt: lastAt,
    messages,
    outOfView: main - seen,
    takenBack,
    endedBy,
    summary: made,
  }
}

/** How many messages of each thread the model sees something of. */
const seenIn = (threads: readonly OpenThread[], history: ModelHistory): readonly number[] => {
  const counts = threads.map(() => 0)
  const insertions = new Set(history.blocks().flatMap(({ isInsertion, seq }) => (isInsertion ? [seq] : [])))
  for (const { seqs } of history.messages()) {
    for (const seq of seqs) {
      if (insertions.has(seq)) continue
      const index = threadOf(threads, seq)
      counts[index] = (counts[index] ?? 0) + 1
    }
  }
  return counts
}

/** The index of the thread that a message's place lies in. */
const threadOf = (threads: readonly OpenThread[], seq: number): number => {
  let low = 0
  let high = threads.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((threads[middle]?.fromSeq ?? Infinity) <= seq) low = middle
    else high = middle - 1
  }
  return low
}
