/**
 * The model history: the messages and blocks that the log leaves for the next request. A reducer over the log. Each
 * entry is processed once, and reading the view costs what is visible, not the length of the log; only a rewind
 * reprocesses the entries that it leaves in force. Whether the view fits a window, and what to remove, is decided in
 * `context/`.
 */
import type {
  CompactionEntry,
  EditEntry,
  LogEntry,
  MessageEntry,
  PinEntry,
  RewindEntry,
  RewriteEntry,
  TruncationEntry,
} from '../session-log.ts'
import type { ContentBlock } from '../messages.ts'
import {
  addBlock,
  addPart,
  applyDecisions,
  createGroup,
  insertedMessage,
  isSeen,
  type Group,
  type HistoryBlock,
  type ModelMessage,
  type MutableBlock,
  type Part,
  type Replacement,
} from './history-blocks.ts'
import { createLiveEntries } from './live-entries.ts'
import { createVisibleGroups, type VisibleGroups } from './visible-groups.ts'

export type { HistoryBlock, ModelMessage } from './history-blocks.ts'

export interface ModelHistoryOptions {
  /** The reason why a block of a new entry can't be sent; called once per block. */
  readonly withheld?: (block: ContentBlock, entry: MessageEntry) => string | undefined
  /**
   * Whether a block can never be sent again, whichever model is called: decisions about it do not change the
   * conversation.
   */
  readonly isGone?: (block: HistoryBlock) => boolean
  /** The subagent whose conversation to follow; default: the main conversation, without any subagent's messages. */
  readonly subagent?: string
}

export interface ModelHistory {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The visible messages after the entries so far. Later steps do not change the array. */
  messages(): readonly ModelMessage[]
  /** The visible blocks, in order. The array is valid until the next step. */
  blocks(): readonly HistoryBlock[]
  /**
   * A block by its entry's number and its index in that entry, visible or not; an inserted text by its rewrite's number
   * and its index there. Undefined if there is none or a rewind took it back.
   */
  block(seq: number, block: number): HistoryBlock | undefined
  /** A block by its message's id and its index in that message, visible or not; undefined if there is none. */
  blockOf(messageId: string, block: number): HistoryBlock | undefined
  /** All blocks of an entry in order, visible or not; empty if the entry is not a message or was taken back. */
  blocksOf(seq: number): readonly HistoryBlock[]
  /**
   * Indexes of the first and last message removed from the view, among all messages that were not taken back; undefined
   * if there are none.
   */
  deletedRange(): readonly [number, number] | undefined
  /**
   * Marks a block of a message as one that can't be sent, or clears the mark if `why` is undefined; nothing for an
   * unknown block. Does not count as a change of the conversation.
   */
  withhold(seq: number, block: number, why: string | undefined): void
  /**
   * The order of the first block that changed since the last call, ignoring additions at the end; Infinity if none did.
   * Resets it.
   */
  takeFirstChange(): number
  /** The order of the message to which an entry belongs; undefined if the log does not have it. */
  orderOf(seq: number): number | undefined
}

/** The state that a rewind rebuilds. */
interface State {
  readonly options: ModelHistoryOptions
  readonly visible: VisibleGroups
  readonly groups: Group[]
  readonly parts: Map<number, Part>
  readonly partsById: Map<string, Part>
  /** Texts inserted by rewrites, by {@link blockKey}. */
  readonly insertedParts: Map<string, Part>
  groupCount: number
  insertionCount: number
  /** The newest group of a response, unless a user's message follows it; later lines of the response join it. */
  openResponse: Group | undefined
  /** The lowest order of a block that changed or was inserted, see `takeFirstChange`. */
  firstChange: number
}

/** The text that replaces a result cleared by an agent. */
const CLEARED = '[Old tool result content cleared]'

/** Creates an empty history. Feed it the log from the beginning, in order; its methods reflect the entries so far. */
export const createModelHistory = (options: ModelHistoryOptions = {}): ModelHistory => {
  /** Every entry except rewinds; a rewind replays those that it leaves in force. */
  const log: LogEntry[] = []
  const live = createLiveEntries()
  let state = emptyState(options, Infinity)

  /** Builds the state anew from the entries that a rewind leaves in force. */
  const rewind = (entry: RewindEntry): void => {
    live.step(entry)
    state = emptyState(options, state.firstChange)
    for (const kept of log) if (live.has(kept.seq)) takeEntry(state, kept)
  }

  const findBlock = (seq: number, block: number): MutableBlock | undefined => {
    const part = state.parts.get(seq)
    return part === undefined ? state.insertedParts.get(blockKey(seq, block))?.blocks[0] : part.blocks[block]
  }

  return {
    step: (entry) => {
      if (entry.kind !== 'message') state.visible.invalidate()
      if (entry.kind === 'rewind') {
        rewind(entry)
        return
      }
      log.push(entry)
      takeEntry(state, entry)
    },
    messages: () => state.visible.messages(),
    blocks: () => state.visible.blocks(),
    block: findBlock,
    blockOf: (messageId, block) => state.partsById.get(messageId)?.blocks[block],
    blocksOf: (seq) => state.parts.get(seq)?.blocks ?? [],
    withhold: (seq, block, why) => {
      const target = state.parts.get(seq)?.blocks[block]
      if (target === undefined || target.withheld === why) return
      target.withheld = why
      decide(state, target)
      state.visible.invalidate()
    },
    takeFirstChange: () => {
      const first = state.firstChange
      state.firstChange = Infinity
      return first
    },
    orderOf: (seq) => state.parts.get(seq)?.group.order,
    deletedRange: () => {
      const listed = new Set(state.visible.groups())
      const fromLog = state.groups.filter(({ isFromLog }) => isFromLog)
      const first = fromLog.findIndex((group) => !listed.has(group))
      return first === -1 ? undefined : [first, fromLog.findLastIndex((group) => !listed.has(group))]
    },
  }
}

/** The state before any entry. `firstChange`: as takeFirstChange gives it. */
const emptyState = (options: ModelHistoryOptions, firstChange: number): State => ({
  options,
  visible: createVisibleGroups(),
  groups: [],
  parts: new Map(),
  partsById: new Map(),
  insertedParts: new Map(),
  groupCount: 0,
  insertionCount: 0,
  openResponse: undefined,
  firstChange,
})

/**
 * Applies any entry except a rewind. Kinds that are no decision about the view change nothing; truncations, compactions
 * and rewrites do not apply to a subagent's history.
 */
const takeEntry = (state: State, entry: LogEntry): void => {
  // The log's truncations, compactions and rewrites are of the main conversation.
  const isMain = state.options.subagent === undefined
  if (entry.kind === 'message') addMessage(state, entry)
  else if (entry.kind === 'edit') edit(state, entry)
  else if (entry.kind === 'pin') pin(state, entry)
  else if (entry.kind === 'truncation' && isMain) truncate(state, entry)
  else if (entry.kind === 'compaction' && isMain) compact(state, entry)
  else if (entry.kind === 'rewrite' && isMain) rewrite(state, entry)
}

/**
 * Adds a message: as a part of the response it continues, or as a new message. Ignored if it is of another
 * conversation.
 */
const addMessage = (state: State, entry: MessageEntry): void => {
  if (entry.subagent !== state.options.subagent) return
  const { openResponse } = state
  if (openResponse !== undefined && isSameResponse(openResponse, entry)) {
    addEntry(state, entry, openResponse)
    return
  }
  const group = addGroup(state, (state.groupCount += 1), true)
  addEntry(state, entry, group)
  // Results of parallel calls may come between the lines of one response.
  if (entry.responseId !== undefined) state.openResponse = group
  else if (entry.role !== 'tool') state.openResponse = undefined
}

/** Whether a message is another part of a group's response. */
const isSameResponse = ({ parts }: Group, { responseId, role }: MessageEntry): boolean => {
  const first = parts[0]?.entry
  return responseId !== undefined && first?.responseId === responseId && first.role === role
}

/**
 * Adds an empty group and returns it.
 * @param isFromLog false for what a rewrite put in
 */
const addGroup = (state: State, order: number, isFromLog: boolean): Group => {
  const group = createGroup(order, isFromLog)
  state.groups.push(group)
  return group
}

/** Adds an entry's blocks to the message to which it belongs, and lists that message if the model sees any of them. */
const addEntry = (state: State, entry: MessageEntry, group: Group): void => {
  const before = group.parts.reduce((sum, { blocks }) => sum + blocks.length, 0)
  const wasSeen = isSeen(group)
  const part = addPart(entry, group)
  for (const [block, original] of entry.content.entries())
    addBlock(part, block, original, {
      position: before + block + 1,
      withheld: state.options.withheld?.(original, entry),
    })
  state.parts.set(entry.seq, part)
  state.partsById.set(entry.id, part)
  const seen = part.blocks.filter((block) => block.seen !== null)
  if (seen.length === 0) return
  state.visible.add(group)
  state.visible.append(group, seen, !wasSeen)
}

/** Updates a block from the decisions about it, and lists its message if the model sees it. */
const decide = ({ visible }: State, target: MutableBlock): void => {
  applyDecisions(target)
  if (target.seen !== null) visible.add(target.part.group)
}

/**
 * Like `decide`; if the decision is another one than before, `firstChange` becomes the block's order, if that is lower.
 * This ignores which model is called: a block that only another model may see also counts, so that a log leads to the
 * same requests whichever models were used. One that no model may see again (`isGone`) does not.
 */
const refresh = (state: State, target: MutableBlock): void => {
  const { decided } = target
  decide(state, target)
  if (decided === target.decided || state.options.isGone?.(target) === true) return
  state.firstChange = Math.min(state.firstChange, target.order)
}

/** Records a replacement of a block, or its removal if that has no text; does nothing if there is no such block. */
const replace = (state: State, target: MutableBlock | undefined, replacement: Replacement): void => {
  if (target === undefined) return
  target.part.changes ??= new Map()
  target.part.changes.set(target.block, replacement)
  refresh(state, target)
}

/** Applies an edit of a block; does nothing if there is no such message or block. */
const edit = (state: State, { messageId, block, reason, text }: EditEntry): void => {
  replace(state, state.partsById.get(messageId)?.blocks[block], { why: reason, text })
}

/** Applies a pin of a block or of a whole message. Nothing for an unknown message. */
const pin = (state: State, entry: PinEntry): void => {
  const part = state.partsById.get(entry.messageId)
  if (part === undefined) return
  if (entry.block === undefined) part.pin = entry.state
  else {
    part.pins ??= new Map()
    part.pins.set(entry.block, entry.state)
  }
  for (const block of part.blocks) refresh(state, block)
}

/** Applies a rewrite: its changes, then its insertions. Changes of unknown blocks are ignored. */
const rewrite = (state: State, entry: RewriteEntry): void => {
  for (const { seq, block, why, text } of entry.changes) {
    const part = state.parts.get(seq)
    const target = part === undefined ? state.insertedParts.get(blockKey(seq, block))?.blocks[0] : part.blocks[block]
    replace(state, target, text === undefined ? { why } : { why, text })
  }
  for (const [index, insertion] of (entry.insertions ?? []).entries()) insert(state, entry, index, insertion)
}

/**
 * Inserts a text as a separate message, before the message of an entry or at the end. An unknown entry counts as none.
 */
const insert = (
  state: State,
  entry: RewriteEntry,
  index: number,
  { before, text }: NonNullable<RewriteEntry['insertions']>[number],
): void => {
  const target = before === undefined ? undefined : state.parts.get(before)
  const order =
    target === undefined ? (state.groupCount += 1) : target.group.order - 0.5 + (state.insertionCount += 1) / 2 ** 32
  const group = addGroup(state, order, false)
  const part = addPart(insertedMessage(entry, index, text), group)
  addBlock(part, index, { type: 'text', text }, { position: 1 })
  state.firstChange = Math.min(state.firstChange, order)
  state.insertedParts.set(blockKey(entry.seq, index), part)
  state.visible.add(group)
}

/** Applies a truncation: leaves out the entries in its range, both ends included; pinned blocks stay. */
const truncate = (state: State, { fromSeq, toSeq }: TruncationEntry): void => {
  removeParts(state, state.visible.listed(), 'truncation', ({ entry: { seq } }) => seq >= fromSeq && seq <= toSeq)
}

/**
 * Applies a compaction: of the messages that are seen, leaves out those before the message `keptFrom` (all, if it is
 * absent or unknown), except messages named in `kept` and pinned blocks. A partial one only clears the results of the
 * calls in `cleared`.
 */
const compact = (state: State, { partial, cleared, keptFrom, kept }: CompactionEntry): void => {
  if (partial === true) {
    if (cleared !== undefined) clearResults(state, new Set(cleared))
    return
  }
  const first = keptFrom === undefined ? undefined : state.partsById.get(keptFrom)?.group.order
  const staying = new Set(kept)
  const listed = state.visible.listed()
  const older = first === undefined ? listed : listed.filter(({ order }) => order < first)
  removeParts(state, older, 'compaction', ({ entry: { id } }) => !staying.has(id))
}

/** Leaves parts out and records the reason; parts already left out keep their first reason. */
const removeParts = (
  state: State,
  groups: readonly Group[],
  removedBy: string,
  isRemoved: (part: Part) => boolean,
): void => {
  for (const { parts } of groups)
    for (const part of parts) {
      if (part.removedBy !== undefined || !isRemoved(part)) continue
      part.removedBy = removedBy
      for (const block of part.blocks) refresh(state, block)
    }
}

/** Replaces the results of calls by a notice. Only those that are seen. */
const clearResults = (state: State, calls: ReadonlySet<string>): void => {
  for (const { parts } of state.visible.listed())
    for (const { blocks } of parts)
      for (const block of blocks)
        if (block.seen !== null && block.original.type === 'tool_result' && calls.has(block.original.callId))
          replace(state, block, { why: 'compaction', text: CLEARED })
}

const blockKey = (seq: number, block: number): string => `${seq}:${block}`

/** The messages that the model sees after a whole log, in order; empty for an empty log. */
export const modelHistory = (log: readonly LogEntry[], options?: ModelHistoryOptions): readonly ModelMessage[] => {
  const history = createModelHistory(options)
  for (const entry of log) history.step(entry)
  return history.messages()
}
