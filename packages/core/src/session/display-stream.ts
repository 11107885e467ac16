/**
 * What a person sees of a session: everything, in order, also what the model no longer does. Items are
 * only ever added; what changes with later entries (what is still in the model's history, what was taken
 * back, which result answers a call) is answered beside them, so that a view of a long session need not
 * be made anew. A subagent's items are nested where it first speaks.
 */
import type { LogEntry, MessageEntry } from '../session-log.ts'
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

/** A subagent's conversation, at the place of its first message. */
export interface DisplaySubagent {
  readonly kind: 'subagent'
  readonly seq: number
  readonly subagent: string
  readonly items: readonly DisplayMessage[]
}

export type DisplayItem = DisplayMessage | DisplayMarker | DisplaySubagent

/** Where a block stands. */
export interface EntryBlockPosition {
  readonly seq: number
  readonly block: number
}

/** A tool call and what it brought; a part is missing where the log does not have it (yet). */
export interface ToolLink {
  readonly call?: EntryBlockPosition
  readonly result?: EntryBlockPosition
}

/** Entries from one to another (both included) that the model does not see. */
export interface DeletedRange {
  readonly fromSeq: number
  readonly toSeq: number
  /** They were taken back, rather than trimmed. */
  readonly isRewound: boolean
}

export interface DisplayStream {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** In the order of the log; later steps add to it. */
  readonly items: readonly DisplayItem[]
  /** The index in the model history of the message that an entry is part of; undefined when it is in none. */
  historyIndex(seq: number): number | undefined
  /** The main conversation's messages that the model does not see, as ranges in order. */
  deletedRanges(): readonly DeletedRange[]
  /** By the call's id. */
  toolLink(callId: string): ToolLink | undefined
}

/** Entries that say something to a program only; what they decide shows in the ranges. */
const isHidden = (entry: LogEntry): boolean =>
  entry.kind === 'edit' || entry.kind === 'pin' || entry.kind === 'favourite' || entry.kind === 'file'

/** An empty stream. Feed it the log from its beginning. */
export const createDisplayStream = (): DisplayStream => {
  const items: DisplayItem[] = []
  const subagents = new Map<string, DisplayMessage[]>()
  const links = new Map<string, ToolLink>()
  const history = createModelHistory()
  /** Messages of the main conversation. */
  const messages: number[] = []
  const live = createLiveEntries()
  let indexes: ReadonlyMap<number, number> | undefined

  const addLinks = (entry: MessageEntry): void => {
    for (const [block, content] of entry.content.entries()) {
      const position = { seq: entry.seq, block }
      if (content.type === 'tool_call') links.set(content.id, { ...links.get(content.id), call: position })
      else if (content.type === 'tool_result')
        links.set(content.callId, { ...links.get(content.callId), result: position })
    }
  }

  const addMessage = (entry: MessageEntry): void => {
    const item: DisplayMessage = { kind: 'message', seq: entry.seq, entry }
    addLinks(entry)
    if (entry.subagent === undefined) {
      items.push(item)
      messages.push(entry.seq)
      return
    }
    const nested = subagents.get(entry.subagent)
    if (nested !== undefined) {
      nested.push(item)
      return
    }
    const started = [item]
    subagents.set(entry.subagent, started)
    items.push({ kind: 'subagent', seq: entry.seq, subagent: entry.subagent, items: started })
  }

  const indexOf = (seq: number): number | undefined => {
    indexes ??= new Map(
      history.messages().flatMap((message, index) => message.seqs.map((part): [number, number] => [part, index])),
    )
    return indexes.get(seq)
  }

  return {
    items,
    step: (entry) => {
      history.step(entry)
      live.step(entry)
      indexes = undefined
      if (entry.kind === 'message') addMessage(entry)
      else if (!isHidden(entry)) items.push({ kind: 'marker', seq: entry.seq, entry })
    },
    historyIndex: indexOf,
    deletedRanges: () => {
      const ranges: DeletedRange[] = []
      let isOpen = false
      for (const seq of messages) {
        const last = ranges.at(-1)
        const isRewound = !live.has(seq)
        if (indexOf(seq) !== undefined) isOpen = false
        else if (isOpen && last?.isRewound === isRewound) ranges[ranges.length - 1] = { ...last, toSeq: seq }
        else {
          ranges.push({ fromSeq: seq, toSeq: seq, isRewound })
          isOpen = true
        }
      }
      return ranges
    },
    toolLink: (callId) => links.get(callId),
  }
}
