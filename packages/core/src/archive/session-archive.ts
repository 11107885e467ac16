/**
 * The archive of one session, a reducer over its log. A step costs what the entry adds; after a rewind, or when the
 * user drops a message, what is left is read again. A result costs the visible messages and the number of threads.
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

/** A fold that keeps a session's threads and summaries, empty at first. Feed it the log from its beginning. */
export const createArchive = (sessionId: string, { maxCharacters = Infinity }: ArchiveOptions = {}): ArchiveFold =>
  new Archive(sessionId, maxCharacters)

class Archive implements ArchiveFold {
  readonly #sessionId: string
  readonly #maxCharacters: number
  readonly #history = createModelHistory()
  readonly #threads: OpenThread[] = []
  readonly #messagesAndFiles: (MessageEntry | FileEntry)[] = []
  readonly #live = createLiveEntries()
  /** Of the live messages; undefined when it has to be rebuilt. */
  #merged: GrowingSummary | undefined = createGrowingSummary()

  constructor(sessionId: string, maxCharacters: number) {
    this.#sessionId = sessionId
    this.#maxCharacters = maxCharacters
  }

  /**
   * Takes the session's next entry, in the order of the log. A thread ends at a rewind, a truncation, a whole
   * compaction or a rewrite.
   */
  step(entry: LogEntry): void {
    this.#history.step(entry)
    if (entry.kind === 'message') this.#takeMessage(entry)
    else if (entry.kind === 'file') this.#takeFile(entry)
    else if (entry.kind === 'rewind') this.#takeRewind(entry)
    else if (entry.kind === 'pin') this.#merged = undefined
    const trim = trimOf(entry)
    const last = this.#threads.at(-1)
    if (trim !== undefined && last !== undefined) last.endedBy ??= trim
  }

  /** The archive of the entries taken so far; more may follow. */
  result(): SessionArchive {
    const seen = seenIn(this.#threads, this.#history)
    const merged = this.#mergedSummary().summary()
    return {
      sessionId: this.#sessionId,
      threads: this.#threads.map((thread, index) => threadNow(thread, seen[index] ?? 0)),
      merged,
      text: renderThreadSummary(merged, { maxCharacters: this.#maxCharacters }),
    }
  }

  /** Counts a message to the open thread; after its end, or for the first one, it opens another. */
  #takeMessage(entry: MessageEntry): void {
    const last = this.#threads.at(-1)
    const thread = last?.endedBy === null ? last : this.#openThread(entry, last)
    const message = conversationMessage(entry)
    thread.toSeq = entry.seq
    thread.messages += 1
    if (entry.subagent === undefined) thread.main += 1
    thread.summary.add(message)
    this.#messagesAndFiles.push(entry)
    this.#merged?.add(message)
  }

  /** Counts a file to the open thread and the whole; before the first thread only to the whole. */
  #takeFile(entry: FileEntry): void {
    const file = fileIn(entry)
    if (file === undefined) return
    this.#threads.at(-1)?.summary.addFile(file)
    this.#messagesAndFiles.push(entry)
    this.#merged?.addFile(file)
  }

  /**
   * Opens a thread at a message; it takes over the calls of the last one whose results may still come. It is added to
   * the archive's threads.
   */
  #openThread({ seq }: MessageEntry, before: OpenThread | undefined): OpenThread {
    const summary = createGrowingSummary(before?.summary.unanswered())
    const thread: OpenThread = { fromSeq: seq, toSeq: seq, messages: 0, main: 0, takenBack: 0, endedBy: null, summary }
    this.#threads.push(thread)
    return thread
  }

  /** Counts again what was taken back: a rewind can also take back an earlier rewind. */
  #takeRewind(entry: RewindEntry): void {
    this.#live.step(entry)
    for (const thread of this.#threads) thread.takenBack = 0
    for (const { seq, kind } of this.#messagesAndFiles) {
      const isLive = kind === 'file' || this.#live.has(seq)
      const thread = isLive ? undefined : this.#threads[threadOf(this.#threads, seq)]
      if (thread !== undefined) thread.takenBack += 1
    }
    this.#merged = undefined
  }

  /** The summary of all threads without what was rewound or dropped, built again only if such an entry came since. */
  #mergedSummary(): GrowingSummary {
    if (this.#merged !== undefined) return this.#merged
    const merged = createGrowingSummary()
    for (const entry of this.#messagesAndFiles) {
      if (!this.#live.has(entry.seq)) continue
      const file = entry.kind === 'file' ? fileIn(entry) : undefined
      const message = entry.kind === 'message' ? withoutDropped(entry, this.#history) : undefined
      if (file !== undefined) merged.addFile(file)
      if (message !== undefined) merged.add(message)
    }
    this.#merged = merged
    return merged
  }
}

/**
 * The threads and summaries of a session's whole log, or of its beginning (its archive as of a time). Empty for an
 * empty log.
 */
export const sessionArchive = (
  entries: readonly LogEntry[],
  sessionId: string,
  options?: ArchiveOptions,
): SessionArchive => {
  const archive = createArchive(sessionId, options)
  for (const entry of entries) archive.step(entry)
  return archive.result()
}

/**
 * The trigger of a rewrite that only touches messages which were not sent yet, so that it takes nothing out of view.
 */
const ARRIVAL = 'arrival'

/**
 * How an entry shortened the context; undefined if it did not. Partial compactions and the shortening of single
 * arrivals don't count.
 */
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

/** An entry as a message of the conversation. A subagent is asked by the agent, so its messages are not the user's. */
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

/** A tool call of the generic format, which names the tool beside the text, as a call; other blocks as they are. */
const callIn = (block: ContentBlock, role: MessageEntry['role']): ContentBlock =>
  block.type === 'other' && role !== 'tool' ? (toolCallIn(block) ?? block) : block

/**
 * The file that an entry records, read or edited (whatever is no edit counts as read); undefined for an edit that a
 * person made outside of the session.
 */
const fileIn = ({ path, operation, at, seq }: FileEntry): RecordedFile | undefined =>
  operation === 'external-edit' ? undefined : { path, operation: operation === 'edit' ? 'edit' : 'read', at, seq }

/**
 * The message without blocks that the user dropped from the context: no summary may bring them back. Undefined if
 * nothing is left of it.
 */
const withoutDropped = (entry: MessageEntry, history: ModelHistory): ConversationMessage | undefined => {
  const dropped = new Set(history.blocksOf(entry.seq).flatMap(({ pin, block }) => (pin === 'dropped' ? [block] : [])))
  if (dropped.size === 0) return conversationMessage(entry)
  const content = entry.content.filter((_, block) => !dropped.has(block))
  return content.length === 0 ? undefined : conversationMessage({ ...entry, content })
}

/** A thread as it is now; `seen` is how many of its messages are still in the context. */
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

/**
 * For each thread the number of its messages of which the model sees at least a part. In their order; what a policy put
 * in does not count.
 */
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

/** The index of the thread that a message belongs to. Threads are in order; for a message before the first it is 0. */
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
