/**
 * The model's view of a session: which messages, with which blocks, the log leaves for the next request.
 * A fold over the log, in incremental form: each entry is looked at once, and asking for the view costs
 * what is visible, not what was ever said; only a rewind folds again what it leaves. Whether the view
 * fits a window, and what should leave it, is decided in `context/`.
 */
import type { ContentBlock, Message } from '../messages.ts'
import type {
  BlockChange,
  CompactionEntry,
  LogEntry,
  MessageEntry,
  PinEntry,
  RewindEntry,
  RewriteEntry,
} from '../session-log.ts'
import { createLiveEntries } from './live-entries.ts'
import { replacedBlock } from './replaced-block.ts'

/** A message as the model sees it, with where it came from. */
export interface ModelMessage extends Message {
  /** Of the (first) entry that it was made of. */
  readonly id: string
  /** The entries whose blocks it holds, in order. */
  readonly seqs: readonly number[]
  /** Time of the first of them, ms. */
  readonly at: number | null
  readonly origin?: 'summary' | 'meta'
}

/** A block in the model's view, or one that was. The same object stands for it as long as the history lives. */
export interface HistoryBlock {
  /** The entry that holds it, and its place there. */
  readonly seq: number
  readonly block: number
  /** The message entry; for what a rewrite put in, one made up for it. */
  readonly entry: MessageEntry
  /** Where it stands among all blocks; fractions are possible, gaps are usual. */
  readonly order: number
  /** As the log has it. */
  readonly original: ContentBlock
  /** As the model sees it: the original, a replacement, or null when it left the view. */
  readonly seen: ContentBlock | null
  /** What the user decided about it. */
  readonly pin: PinEntry['state']
  /** A rewrite put it in: no entry of the log says it. */
  readonly isInsertion: boolean
  /** The text that stands in its place. */
  readonly replacement: string | undefined
  /** What replaced or removed it last: a rewrite's reason for the block, or the kind of the entry. */
  readonly why: string | undefined
  /** Why it can't be sent whatever anybody decides, a pin included; undefined for nearly all. */
  readonly withheld: string | undefined
}

export interface ModelHistoryOptions {
  /** Why a block of a new entry can't be sent; asked once for each. */
  readonly withheld?: (block: ContentBlock, entry: MessageEntry) => string | undefined
  /** The subagent whose conversation is wanted; default the main one, without any subagent's messages. */
  readonly subagent?: string
}

export interface ModelHistory {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The view after the entries so far. The array is not changed by later steps. */
  messages(): readonly ModelMessage[]
  /** The same view block by block, in order; the array is good until the next step. */
  blocks(): readonly HistoryBlock[]
  /** A block by its place, visible or not. */
  block(seq: number, block: number): HistoryBlock | undefined
  /** A block by its message's id, visible or not. */
  blockOf(messageId: string, block: number): HistoryBlock | undefined
  /** All blocks of an entry, visible or not. */
  blocksOf(seq: number): readonly HistoryBlock[]
  /**
   * First and last place of what left the view, counted over all messages that were not taken back;
   * undefined when none did.
   */
  deletedRange(): readonly [number, number] | undefined
  /** Says that a block can't be sent (or can again, without a reason). No change of the conversation. */
  withhold(seq: number, block: number, why: string | undefined): void
  /** The order of the first block that differs from when this was asked last, what was added aside; Infinity: none. */
  takeFirstChange(): number
  /** The order of the message that an entry is (part) of; undefined for what the log does not hold. */
  orderOf(seq: number): number | undefined
}

interface Slot extends HistoryBlock {
  seen: ContentBlock | null
  pin: PinEntry['state']
  replacement: string | undefined
  why: string | undefined
  withheld: string | undefined
  readonly part: Part
}

/** An entry's part of a message, with what later entries said of it. */
interface Part {
  readonly entry: MessageEntry
  readonly group: Group
  readonly slots: Slot[]
  /** Left the view by truncation or compaction: the kind of the entry that did it. */
  removedBy: string | undefined
  pin: PinEntry['state']
  /** By block; made when the first is pinned. */
  pins: Map<number, PinEntry['state']> | undefined
  /** By block; made when the first is changed. */
  changes: Map<number, Pick<BlockChange, 'why' | 'text'>> | undefined
}

/** Entries that are one message: a source may write a line for each block of a response. */
interface Group {
  readonly order: number
  readonly parts: Part[]
  /** Whether it stands in the list of visible groups (or did until the list is cleaned the next time). */
  isListed: boolean
  isFromLog: boolean
  message: ModelMessage | null | undefined
}

/** What stands in the place of a result that an agent cleared. */
const CLEARED = '[Old tool result content cleared]'

/** Room for the blocks of one message between two whole numbers of the order. */
const BLOCK_STEP = 2 ** -20

/** An empty history. Feed it the log from its beginning. */
export const createModelHistory = (options: ModelHistoryOptions = {}): ModelHistory => {
  /** Every entry but rewinds: what a rewind folds again, as far as it leaves it in force. */
  const said: LogEntry[] = []
  const live = createLiveEntries()
  /** In order; groups that left the view are cleaned out when the view is asked for. */
  let visible: Group[] = []
  let parts = new Map<number, Part>()
  let partsById = new Map<string, Part>()
  let groupCount = 0
  let all: Group[] = []
  let inserted = 0
  /** Parts that rewrites put in, by place. */
  let insertedSlots = new Map<string, Part>()
  /** The newest group of a response, and no user's message after it: later lines of the response join it. */
  let openResponse: Group | undefined
  let messageView: readonly ModelMessage[] | undefined
  let blockView: Slot[] | undefined
  let firstChange = Infinity

  const list = (group: Group): void => {
    if (group.isListed) return
    group.isListed = true
    const last = visible.at(-1)
    if (last === undefined || last.order < group.order) visible.push(group)
    else visible.splice(placeOf(visible, group.order), 0, group)
  }

  /** Sees a block anew after a decision about it. */
  const refresh = (slot: Slot): void => {
    const { seen, replacement } = slot
    look(slot)
    const isSame = seen === slot.seen || (seen !== null && slot.seen !== null && replacement === slot.replacement)
    if (!isSame) firstChange = Math.min(firstChange, slot.order)
  }

  const look = (slot: Slot): void => {
    const { part } = slot
    const own = part.pins?.get(slot.block) ?? 'automatic'
    slot.pin = own === 'automatic' ? part.pin : own
    const change = part.changes?.get(slot.block)
    slot.replacement = undefined
    slot.why = undefined
    if (slot.withheld !== undefined) {
      slot.seen = null
      slot.why = slot.withheld
    } else if (slot.pin === 'pinned') slot.seen = slot.original
    else if (slot.pin === 'dropped') {
      slot.seen = null
      slot.why = 'dropped'
    } else if (part.removedBy !== undefined) {
      slot.seen = null
      slot.why = part.removedBy
    } else if (change !== undefined) {
      slot.replacement = change.text
      slot.why = change.why
      slot.seen = change.text === undefined ? null : replacedBlock(slot.original, change.text)
    } else slot.seen = slot.original
    part.group.message = undefined
    if (slot.seen !== null) list(part.group)
  }

  const addPart = (entry: MessageEntry, group: Group): void => {
    const before = group.parts.reduce((sum, part) => sum + part.slots.length, 0)
    const part: Part = {
      entry,
      group,
      slots: [],
      removedBy: undefined,
      pin: 'automatic',
      pins: undefined,
      changes: undefined,
    }
    const wasSeen = isSeen(group)
    for (const [block, original] of entry.content.entries()) {
      const order = group.order + (before + block + 1) * BLOCK_STEP
      const withheld = options.withheld?.(original, entry)
      part.slots.push({
        seq: entry.seq,
        block,
        entry,
        order,
        original,
        seen: withheld === undefined ? original : null,
        pin: 'automatic',
        isInsertion: false,
        replacement: undefined,
        why: withheld,
        withheld,
        part,
      })
    }
    group.parts.push(part)
    group.message = undefined
    parts.set(entry.seq, part)
    if (group.isFromLog) partsById.set(entry.id, part)
    const seen = part.slots.filter((slot) => slot.seen !== null)
    if (seen.length === 0) return
    list(group)
    addToViews(group, seen, !wasSeen)
  }

  const addMessage = (entry: MessageEntry): void => {
    if (entry.subagent !== options.subagent) return
    const response = openResponse?.parts[0]?.entry
    if (
      openResponse !== undefined &&
      entry.responseId !== undefined &&
      response?.responseId === entry.responseId &&
      response.role === entry.role
    ) {
      addPart(entry, openResponse)
      return
    }
    const group: Group = { order: (groupCount += 1), parts: [], isListed: false, isFromLog: true, message: undefined }
    all.push(group)
    addPart(entry, group)
    // Results of parallel calls may stand between the lines of one response.
    if (entry.responseId !== undefined) openResponse = group
    else if (entry.role !== 'tool') openResponse = undefined
  }

  const change = (part: Part | undefined, block: number, what: Pick<BlockChange, 'why' | 'text'>): void => {
    const slot = part?.slots[block]
    if (part === undefined || slot === undefined) return
    part.changes ??= new Map()
    part.changes.set(block, what)
    refresh(slot)
  }

  const insert = (entry: RewriteEntry): void => {
    const insertions = entry.insertions ?? []
    if (insertions.length === 0) return
    // One part holds them all, so that a later rewrite can name them; each stands in a group of its own.
    insertions.forEach(({ before, text }, index) => {
      const target = before === undefined ? undefined : parts.get(before)
      const order = target === undefined ? (groupCount += 1) : target.group.order - 0.5 + (inserted += 1) / 2 ** 32
      const group: Group = { order, parts: [], isListed: false, isFromLog: false, message: undefined }
      const made: MessageEntry = {
        kind: 'message',
        seq: entry.seq,
        at: entry.at,
        id: `rewrite:${entry.seq}:${index}`,
        role: 'user',
        origin: 'summary',
        content: [{ type: 'text', text }],
      }
      const part: Part = {
        entry: made,
        group,
        slots: [],
        removedBy: undefined,
        pin: 'automatic',
        pins: undefined,
        changes: undefined,
      }
      part.slots.push({
        seq: entry.seq,
        block: index,
        entry: made,
        order: order + BLOCK_STEP,
        original: { type: 'text', text },
        seen: { type: 'text', text },
        pin: 'automatic',
        isInsertion: true,
        replacement: undefined,
        why: undefined,
        withheld: undefined,
        part,
      })
      firstChange = Math.min(firstChange, order)
      group.parts.push(part)
      insertedSlots.set(placeKey(entry.seq, index), part)
      all.push(group)
      list(group)
    })
  }

  const rewrite = (entry: RewriteEntry): void => {
    for (const { seq, block, why, text } of entry.changes) {
      const what = text === undefined ? { why } : { why, text }
      const part = parts.get(seq)
      if (part !== undefined) {
        change(part, block, what)
        continue
      }
      const made = insertedSlots.get(placeKey(seq, block))
      const slot = made?.slots[0]
      if (made === undefined || slot === undefined) continue
      made.changes ??= new Map()
      made.changes.set(slot.block, what)
      refresh(slot)
    }
    insert(entry)
  }

  const removeGroups = (groups: readonly Group[], by: string, isGone: (part: Part) => boolean): void => {
    for (const group of groups) {
      for (const part of group.parts) {
        if (part.removedBy !== undefined || !isGone(part)) continue
        part.removedBy = by
        part.slots.forEach(refresh)
      }
    }
  }

  const compact = ({ partial, cleared, keptFrom, kept }: CompactionEntry): void => {
    if (partial === true) {
      if (cleared !== undefined) clearResults(new Set(cleared))
      return
    }
    const first = keptFrom === undefined ? undefined : partsById.get(keptFrom)?.group.order
    const stays = new Set(kept)
    const gone = first === undefined ? visible : visible.filter(({ order }) => order < first)
    removeGroups(gone, 'compaction', ({ entry: { id } }) => !stays.has(id))
  }

  const clearResults = (calls: ReadonlySet<string>): void => {
    for (const { parts: held } of visible)
      for (const part of held)
        for (const { block, original, seen } of part.slots)
          if (seen !== null && original.type === 'tool_result' && calls.has(original.callId))
            change(part, block, { why: 'compaction', text: CLEARED })
  }

  const pin = (entry: PinEntry): void => {
    const part = partsById.get(entry.messageId)
    if (part === undefined) return
    if (entry.block === undefined) part.pin = entry.state
    else {
      part.pins ??= new Map()
      part.pins.set(entry.block, entry.state)
    }
    part.slots.forEach(refresh)
  }

  const rewind = (entry: RewindEntry): void => {
    live.step(entry)
    visible = []
    all = []
    parts = new Map()
    partsById = new Map()
    insertedSlots = new Map()
    groupCount = 0
    inserted = 0
    openResponse = undefined
    for (const kept of said) if (live.has(kept.seq)) take(kept)
  }

  /** What only adds to the end adds to the views; everything else makes them anew. */
  const addToViews = (group: Group, slots: readonly Slot[], isNew: boolean): void => {
    if (visible.at(-1) !== group) {
      blockView = undefined
      messageView = undefined
      return
    }
    if (blockView !== undefined) for (const slot of slots) blockView.push(slot)
    if (messageView === undefined) return
    group.message = seenMessage(group)
    if (group.message !== null) messageView = [...(isNew ? messageView : messageView.slice(0, -1)), group.message]
  }

  const step = (entry: LogEntry): void => {
    if (entry.kind !== 'message') {
      messageView = undefined
      blockView = undefined
    }
    if (entry.kind === 'rewind') {
      rewind(entry)
      return
    }
    said.push(entry)
    take(entry)
  }

  const take = (entry: LogEntry): void => {
    switch (entry.kind) {
      case 'message':
        addMessage(entry)
        break
      case 'edit':
        change(partsById.get(entry.messageId), entry.block, { why: entry.reason, text: entry.text })
        break
      case 'pin':
        pin(entry)
        break
      // The log's truncations, compactions and rewrites are of the main conversation.
      case 'truncation':
        if (options.subagent === undefined)
          removeGroups(visible, 'truncation', ({ entry: { seq } }) => seq >= entry.fromSeq && seq <= entry.toSeq)
        break
      case 'compaction':
        if (options.subagent === undefined) compact(entry)
        break
      case 'rewrite':
        if (options.subagent === undefined) rewrite(entry)
        break
      default:
        break
    }
  }

  /** Cleans out the groups of which nothing is seen any more. */
  const seenGroups = (): readonly Group[] => {
    const gone = visible.filter((group) => !isSeen(group))
    if (gone.length > 0) {
      for (const group of gone) group.isListed = false
      visible = visible.filter(({ isListed }) => isListed)
    }
    return visible
  }

  const makeBlocks = (): Slot[] => {
    const blocks: Slot[] = []
    for (const group of seenGroups())
      for (const part of group.parts) for (const slot of part.slots) if (slot.seen !== null) blocks.push(slot)
    return blocks
  }

  const makeMessages = (): readonly ModelMessage[] => {
    const messages: ModelMessage[] = []
    for (const group of seenGroups()) {
      if (group.message === undefined) group.message = seenMessage(group)
      if (group.message !== null) messages.push(group.message)
    }
    return messages
  }

  return {
    step,
    messages: () => (messageView ??= makeMessages()),
    blocks: () => (blockView ??= makeBlocks()),
    block: (seq, block) => {
      const part = parts.get(seq)
      return part === undefined ? insertedSlots.get(placeKey(seq, block))?.slots[0] : part.slots[block]
    },
    blockOf: (messageId, block) => partsById.get(messageId)?.slots[block],
    blocksOf: (seq) => parts.get(seq)?.slots ?? [],
    withhold: (seq, block, why) => {
      const slot = parts.get(seq)?.slots[block]
      if (slot === undefined || slot.withheld === why) return
      slot.withheld = why
      look(slot)
      messageView = undefined
      blockView = undefined
    },
    takeFirstChange: () => {
      const first = firstChange
      firstChange = Infinity
      return first
    },
    orderOf: (seq) => parts.get(seq)?.group.order,
    deletedRange: () => {
      const listed = new Set(seenGroups())
      const own = all.filter(({ isFromLog }) => isFromLog)
      const first = own.findIndex((group) => !listed.has(group))
      return first === -1 ? undefined : [first, own.findLastIndex((group) => !listed.has(group))]
    },
  }
}

const placeKey = (seq: number, block: number): string => `${seq}:${block}`

/** Where a group of this order belongs. */
const placeOf = (groups: readonly Group[], order: number): number => {
  let low = 0
  let high = groups.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((groups[middle]?.order ?? 0) < order) low = middle + 1
    else high = middle
  }
  return low
}

const isSeen = ({ parts }: Group): boolean => {
  for (const { slots } of parts) for (const { seen } of slots) if (seen !== null) return true
  return false
}

const seenMessage = (group: Group): ModelMessage | null => {
  const content: ContentBlock[] = []
  const seqs: number[] = []
  let first: MessageEntry | undefined
  for (const { entry, slots } of group.parts) {
    const before = content.length
    for (const { seen } of slots) if (seen !== null) content.push(seen)
    if (content.length === before) continue
    first ??= entry
    seqs.push(entry.seq)
  }
  if (first === undefined) return null
  const { id, role, at, origin } = first
  return { id, role, content, seqs, at, ...(origin === undefined ? {} : { origin }) }
}

/** The model's view of a whole log. */
export const modelHistory = (log: readonly LogEntry[], options?: ModelHistoryOptions): readonly ModelMessage[] => {
  const history = createModelHistory(options)
  for (const entry of log) history.step(entry)
  return history.messages()
}
