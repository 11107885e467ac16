/**
 * What a person sees of a session: everything in order, also what the model no longer sees. Items are only ever added.
 * What later entries change (what is still in the model's history, what was rewound, which result belongs to a call) is
 * answered by methods, so that a view of a long session need not be built again. A subagent's items are nested where
 * its first message is.
 */
import type { EntryKind, LogEntry, MessageEntry } from '../session-log.ts'
import { createLiveEntries } from './live-entries.ts'
import { createModelHistory } from './model-history.ts'

/** A message of a person, the model or a tool. */
export interface DisplayMessage {
  readonly kind: 'message'
  readonly seq: number
  readonly entry: MessageEntry
}

/** A line between messages: a compaction, a rewind, a checkpoint, a notice, … */
export interface DisplayMarker {
  readonly kind: 'marker'
  readonly seq: number
  readonly entry: Exclude<LogEntry, MessageEntry>
}

/** A subagent's conversation, where its first message is in the log. */
export interface DisplaySubagent {
  readonly kind: 'subagent'
  readonly seq: number
  readonly subagent: string
  readonly items: readonly DisplayMessage[]
}

export type DisplayItem = DisplayMessage | DisplayMarker | DisplaySubagent

/** A block of an entry, by its index in the entry's content. */
export interface EntryBlockPosition {
  readonly seq: number
  readonly block: number
}

/** Where a tool call and its result are; a part is missing while the log does not have it. */
export interface ToolLink {
  readonly call?: EntryBlockPosition
  readonly result?: EntryBlockPosition
}

/** Entries from one to another (both included) that the model does not see. */
export interface DeletedRange {
  readonly fromSeq: number
  readonly toSeq: number
  /** Taken back by a rewind, rather than trimmed. */
  readonly isRewound: boolean
}

export interface DisplayStream {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** In the order of the log; later steps add to it. */
  readonly items: readonly DisplayItem[]
  /** The index in the model history of the message that an entry is part of; undefined when it is in none. */
  historyIndex(seq: number): number | undefined
  /**
   * Runs of the main conversation's messages that the model does not see, in order; those taken back by a rewind are
   * runs of their own.
   */
  deletedRanges(): readonly DeletedRange[]
  /** A tool call with the entries of its result, by the call's id; undefined for a call that the log does not hold. */
  toolLink(callId: string): ToolLink | undefined
}

/** Entries that only programs read; what they decide shows in the ranges. */
const isHidden = ({ kind }: LogEntry): boolean => HIDDEN.has(kind)

const HIDDEN: ReadonlySet<EntryKind> = new Set(['edit', 'pin', 'favourite', 'file', 'tool-start'])

/** An empty stream. Feed it the log from its beginning; an entry that is fed twice counts twice. */
export const createDisplayStream = (): DisplayStream => new SessionDisplay()

class SessionDisplay implements DisplayStream {
  readonly items: DisplayItem[] = []
  readonly #subagents = new Map<string, DisplayMessage[]>()
  readonly #links = new Map<string, ToolLink>()
  readonly #history = createModelHistory()
  readonly #live = createLiveEntries()
  /** Messages of the main conversation, by `seq`. */
  readonly #messages: number[] = []
  /** Index in the model history by `seq`; made when it is asked for. */
  #indexes: ReadonlyMap<number, number> | undefined

  step(entry: LogEntry): void {
    this.#history.step(entry)
    this.#live.step(entry)
    this.#indexes = undefined
    if (entry.kind === 'message') this.#addMessage(entry)
    else if (!isHidden(entry)) this.items.push({ kind: 'marker', seq: entry.seq, entry })
  }

  historyIndex(seq: number): number | undefined {
    this.#indexes ??= new Map(
      this.#history.messages().flatMap(({ seqs }, index) => seqs.map((part): [number, number] => [part, index])),
    )
    return this.#indexes.get(seq)
  }

  deletedRanges(): readonly DeletedRange[] {
    const ranges: DeletedRange[] = []
    let isOpen = false
    for (const seq of this.#messages) {
      const last = ranges.at(-1)
      const isRewound = !this.#live.has(seq)
      if (this.historyIndex(seq) !== undefined) isOpen = false
      else if (isOpen && last?.isRewound === isRewound) ranges[ranges.length - 1] = { ...last, toSeq: seq }
      else {
        ranges.push({ fromSeq: seq, toSeq: seq, isRewound })
        isOpen = true
      }
    }
    return ranges
  }

  toolLink(callId: string): ToolLink | undefined {
    return this.#links.get(callId)
  }

  #addMessage(entry: MessageEntry): void {
    const item: DisplayMessage = { kind: 'message', seq: entry.seq, entry }
    this.#addLinks(entry)
    if (entry.subagent === undefined) {
      this.items.push(item)
      this.#messages.push(entry.seq)
      return
    }
    const nested = this.#subagents.get(entry.subagent)
    if (nested !== undefined) {
      nested.push(item)
      return
    }
    const started = [item]
    this.#subagents.set(entry.subagent, started)
    this.items.push({ kind: 'subagent', seq: entry.seq, subagent: entry.subagent, items: started })
  }

  #addLinks({ seq, content }: MessageEntry): void {
    for (const [index, block] of content.entries()) {
      const position = { seq, block: index }
      if (block.type === 'tool_call') this.#links.set(block.id, { ...this.#links.get(block.id), call: position })
      else if (block.type === 'tool_result')
        this.#links.set(block.callId, { ...this.#links.get(block.callId), result: position })
    }
  }
}
