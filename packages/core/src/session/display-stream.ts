/**
 * The display stream: what a person sees of a session, in order, including what the model no longer sees. Items are
 * only ever appended. Facts that later entries change (whether something is still in the model's history, was rewound,
 * or which result belongs to a call) are answered by methods, so the view of a long session never has to be rebuilt. A
 * subagent's items are nested at its first message.
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

/** A line between messages, such as a compaction, a rewind, a checkpoint or a notice. */
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

/** The positions of a tool call and its result; a part is absent until the log has it. */
export interface ToolLink {
  readonly call?: EntryBlockPosition
  readonly result?: EntryBlockPosition
}

/** A range of entries (both ends included) that the model does not see. */
export interface DeletedRange {
  readonly fromSeq: number
  readonly toSeq: number
  /** Whether a rewind took the range back; otherwise it was trimmed. */
  readonly isRewound: boolean
}

export interface DisplayStream {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** In log order; later steps append to this array. */
  readonly items: readonly DisplayItem[]
  /** The index, in the model history, of the message to which an entry belongs; undefined if it belongs to none. */
  historyIndex(seq: number): number | undefined
  /**
   * Ranges of the main conversation's messages that the model does not see, in order. Rewound messages form separate
   * ranges.
   */
  deletedRanges(): readonly DeletedRange[]
  /** A tool call with the entries of its result, by the call's id; undefined if the log has no such call. */
  toolLink(callId: string): ToolLink | undefined
}

/** Entries that only programs read; what they decide shows in the ranges. */
const isHidden = ({ kind }: LogEntry): boolean => HIDDEN.has(kind)

const HIDDEN: ReadonlySet<EntryKind> = new Set(['edit', 'pin', 'favourite', 'file', 'tool-start'])

/** Creates an empty stream. Feed it the log from the beginning; an entry that is fed twice counts twice. */
export const createDisplayStream = (): DisplayStream => new SessionDisplay()

class SessionDisplay implements DisplayStream {
  readonly items: DisplayItem[] = []
  readonly #subagents = new Map<string, DisplayMessage[]>()
  readonly #links = new Map<string, ToolLink>()
  readonly #history = createModelHistory()
  readonly #live = createLiveEntries()
  /** Messages of the main conversation, by `seq`. */
  readonly #messages: number[] = []
  /** Index in the model history by `seq`; computed on demand. */
  #indexes: ReadonlyMap<number, number> | undefined

  /** Takes the log's next entry; hidden kinds make no item. Messages of a subagent are nested in its item. */
  step(entry: LogEntry): void {
    this.#history.step(entry)
    this.#live.step(entry)
    this.#indexes = undefined
    if (entry.kind === 'message') this.#addMessage(entry)
    else if (!isHidden(entry)) this.items.push({ kind: 'marker', seq: entry.seq, entry })
  }

  /**
   * The index of the model's message that an entry is part of; undefined for one of a subagent or no message, and for
   * one that is no longer in the context.
   */
  historyIndex(seq: number): number | undefined {
    this.#indexes ??= new Map(
      this.#history.messages().flatMap(({ seqs }, index) => seqs.map((part): [number, number] => [part, index])),
    )
    return this.#indexes.get(seq)
  }

  /**
   * The runs of messages that are no longer in the context, in order; rewound ones apart from those compacted or
   * truncated. Those of subagents are in none.
   */
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

  /** Adds a message. Those of a subagent are nested in one item where its first came. */
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

  /** Notes where each call and its result are, by the call's id. A later one with the same id wins. */
  #addLinks({ seq, content }: MessageEntry): void {
    for (const [index, block] of content.entries()) {
      const position = { seq, block: index }
      if (block.type === 'tool_call') this.#links.set(block.id, { ...this.#links.get(block.id), call: position })
      else if (block.type === 'tool_result')
        this.#links.set(block.callId, { ...this.#links.get(block.callId), result: position })
    }
  }
}
