/**
 * The model's view of a session: which messages, with which blocks, the log leaves for the next request. A reducer over
 * the log: each entry is looked at once, and asking for the view costs what is visible, not the length of the log; only
 * a rewind reads again the entries that it leaves in force. Whether the view fits a window, and what should leave it, is
 * decided in `context/`.
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
  /** Why a block of a new entry can't be sent; asked once for each. */
  readonly withheld?: (block: ContentBlock, entry: MessageEntry) => string | undefined
  /** Whether a block is never sent again, whoever is asked: what is decided about it is no change of the conversation. */
  readonly isGone?: (block: HistoryBlock) => boolean
  /** The subagent whose conversation is wanted; default the main one, without any subagent's messages. */
  readonly subagent?: string
}

export interface ModelHistory {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The view after the entries so far. The array is not changed by later steps. */
  messages(): readonly ModelMessage[]
  /** The blocks of the messages that the model sees, in order; the array is good until the next step. */
  blocks(): readonly HistoryBlock[]
  /**
   * A block by its entry's number and its index in that entry, visible or not; undefined when there is none, or a
   * rewind took it back.
   */
  block(seq: number, block: number): HistoryBlock | undefined
  /** A block by its message's id and its index in that message, visible or not; undefined when there is none. */
  blockOf(messageId: string, block: number): HistoryBlock | undefined
  /** All blocks of an entry in order, visible or not; empty for an entry that is no message, or was taken back. */
  blocksOf(seq: number): readonly HistoryBlock[]
  /**
   * Indexes of the first and last message that left the view, among all messages that were not taken back;
   * undefined when none did.
   */
  deletedRange(): readonly [number, number] | undefined
  /** Marks a block as one that can't be sent, or can again when `why` is undefined. No change of the conversation. */
  withhold(seq: number, block: number, why: string | undefined): void
  /** The order of the first block that changed since this was asked last, additions at the end aside; Infinity: none. */
  takeFirstChange(): number
  /** The order of the message that an entry is (part) of; undefined for what the log does not hold. */
  orderOf(seq: number): number | undefined
}

/** What a rewind makes anew. */
interface State {
  readonly options: ModelHistoryOptions
  readonly visible: VisibleGroups
  readonly groups: Group[]
  readonly parts: Map<number, Part>
  readonly partsById: Map<string, Part>
  /** Texts that rewrites inserted, by {@link blockKey}. */
  readonly insertedParts: Map<string, Part>
  groupCount: number
  insertionCount: number
  /** The newest group of a response, and no user's message after it: later lines of the response join it. */
  openResponse: Group | undefined
  firstChange: number
}

/** Replaces a result that an agent cleared. */
const CLEARED = '[Old tool result content cleared]'

/** An empty history. Feed it the log from its beginning, in order; what it returns is of the entries so far. */
export const createModelHistory = (options: ModelHistoryOptions = {}): ModelHistory => {
  /** Every entry but rewinds: a rewind reads again those that it leaves in force. */
  const log: LogEntry[] = []
  const live = createLiveEntries()
  let state = emptyState(options, Infinity)

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

/** Applies an entry that is no rewind. */
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

/** Takes a message in: as a part of the response that it goes on with, or as one of its own. */
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

/** Whether a message is a further part of a group's response. */
const isSameResponse = ({ parts }: Group, { responseId, role }: MessageEntry): boolean => {
  const first = parts[0]?.entry
  return responseId !== undefined && first?.responseId === responseId && first.role === role
}

const addGroup = (state: State, order: number, isFromLog: boolean): Group => {
  const group = createGroup(order, isFromLog)
  state.groups.push(group)
  return group
}

/** Adds an entry's blocks to the message that it is (part) of. */
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

/** Applies what was decided about a block, and lists its message when the model sees it. */
const decide = ({ visible }: State, target: MutableBlock): void => {
  applyDecisions(target)
  if (target.seen !== null) visible.add(target.part.group)
}

/**
 * The same, and notes whether what the model sees changed. Who is asked has no part in it: a block that only another
 * model may see counts, so that a log leads to the same requests whichever models were asked on the way.
 */
const refresh = (state: State, target: MutableBlock): void => {
  const { decided } = target
  decide(state, target)
  if (decided === target.decided || state.options.isGone?.(target) === true) return
  state.firstChange = Math.min(state.firstChange, target.order)
}

/** Notes a change of a block; nothing where there is no such block. */
const replace = (state: State, target: MutableBlock | undefined, replacement: Replacement): void => {
  if (target === undefined) return
  target.part.changes ??= new Map()
  target.part.changes.set(target.block, replacement)
  refresh(state, target)
}

/** Takes an edit of a block in; one of a message that is not there changes nothing. */
const edit = (state: State, { messageId, block, reason, text }: EditEntry): void => {
  replace(state, state.partsById.get(messageId)?.blocks[block], { why: reason, text })
}

/** Takes a pin in: of a block, or of a whole message. */
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

/** Takes a rewrite in: its changes, then what it inserts. */
const rewrite = (state: State, entry: RewriteEntry): void => {
  for (const { seq, block, why, text } of entry.changes) {
    const part = state.parts.get(seq)
    const target = part === undefined ? state.insertedParts.get(blockKey(seq, block))?.blocks[0] : part.blocks[block]
    replace(state, target, text === undefined ? { why } : { why, text })
  }
  for (const [index, insertion] of (entry.insertions ?? []).entries()) insert(state, entry, index, insertion)
}

/** Inserts a text as a message of its own: before the message of an entry, or at the end. */
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

/** Takes a truncation in: what is in its range is left out. */
const truncate = (state: State, { fromSeq, toSeq }: TruncationEntry): void => {
  removeParts(state, state.visible.listed(), 'truncation', ({ entry: { seq } }) => seq >= fromSeq && seq <= toSeq)
}

/** Takes a compaction in: what is older is left out, or only cleared where it is partial. */
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

/** Leaves parts out, and notes by what; those that are left out stay with their first reason. */
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

/** Replaces the results of calls by a notice. */
const clearResults = (state: State, calls: ReadonlySet<string>): void => {
  for (const { parts } of state.visible.listed())
    for (const { blocks } of parts)
      for (const block of blocks)
        if (block.seen !== null && block.original.type === 'tool_result' && calls.has(block.original.callId))
          replace(state, block, { why: 'compaction', text: CLEARED })
}

const blockKey = (seq: number, block: number): string => `${seq}:${block}`

/** The messages that the model sees after a whole log, in order; none for an empty log. */
export const modelHistory = (log: readonly LogEntry[], options?: ModelHistoryOptions): readonly ModelMessage[] => {
  const history = createModelHistory(options)
  for (const entry of log) history.step(entry)
  return history.messages()
}
