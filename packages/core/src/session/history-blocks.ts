/**
 * The records of a model history: blocks, the parts that entries add to messages, and groups of parts that form one
 * message. Decides how decisions about a block change what the model sees of it; model-history.ts knows which entries
 * decide what.
 */
import type { ContentBlock, Message } from '../messages.ts'
import type { BlockChange, MessageEntry, PinEntry, RewriteEntry } from '../session-log.ts'
import { replacedBlock } from './replaced-block.ts'

/** A message as the model sees it, with its origin in the log. */
export interface ModelMessage extends Message {
  /** The id of the (first) entry from which it was built. */
  readonly id: string
  /** The numbers of the entries that contribute its blocks, in order. */
  readonly seqs: readonly number[]
  /** Time of the first of these entries, ms. */
  readonly at: number | null
  readonly origin?: 'summary' | 'meta'
}

/** A block that is, or was, in the model's view. The same object represents it for the lifetime of the history. */
export interface HistoryBlock {
  /** The number of the entry that contains it. */
  readonly seq: number
  readonly block: number
  /** The message entry; a text inserted by a rewrite has a synthetic one. */
  readonly entry: MessageEntry
  /** Sort key of all blocks of the history; may be fractional and have gaps. */
  readonly order: number
  /** The block as recorded in the log. */
  readonly original: ContentBlock
  /** The block as the model sees it: the original, a replacement, or null if it is not in the view. */
  readonly seen: ContentBlock | null
  /** The user's decision about it. */
  readonly pin: PinEntry['state']
  /** Whether a rewrite inserted it, so that no message of the log contains it. */
  readonly isInsertion: boolean
  /** The text that replaces it. */
  readonly replacement: string | undefined
  /** What last replaced or removed it: a rewrite's reason for the block, or the kind of the entry. */
  readonly why: string | undefined
  /** The reason why it can't be sent whatever is decided, even if pinned; undefined for nearly all blocks. */
  readonly withheld: string | undefined
}

/** A block whose state can be changed by decisions. */
export interface MutableBlock extends HistoryBlock {
  seen: ContentBlock | null
  pin: PinEntry['state']
  replacement: string | undefined
  why: string | undefined
  withheld: string | undefined
  /** The decision, whether or not the block can be sent: a replacement text, null for left out, undefined for none. */
  decided: string | null | undefined
  readonly part: Part
}

/** A replacement text, or a removal if there is no text. */
export type Replacement = Pick<BlockChange, 'why' | 'text'>

/** What one entry adds to a message, together with later decisions about it. */
export interface Part {
  readonly entry: MessageEntry
  readonly group: Group
  readonly blocks: MutableBlock[]
  /** The kind of the truncation or compaction entry that removed it from the view. */
  removedBy: string | undefined
  pin: PinEntry['state']
  /** Pins by block index; created when the first block is pinned. */
  pins: Map<number, PinEntry['state']> | undefined
  /** Replacements by block index; created when the first block is changed. */
  changes: Map<number, Replacement> | undefined
}

/** Entries that form one message: a transcript may have one line for each block of a response. */
export interface Group {
  /** Position among the messages: a whole number, or a fraction for an inserted text. */
  readonly order: number
  readonly parts: Part[]
  /** Whether it is in the list of visible groups; may be outdated until the list is next cleaned. */
  isListed: boolean
  /** Whether it comes from messages of the log rather than a text inserted by a rewrite. */
  readonly isFromLog: boolean
  /** What the model sees of it, or null for nothing; undefined until first requested. */
  message: ModelMessage | null | undefined
}

/** Leaves 2^20 positions for the blocks of one message between two consecutive whole numbers. */
const BLOCK_STEP = 2 ** -20

/**
 * Creates a message without parts. `order` is its position among messages; `isFromLog` is false for a text inserted by
 * a rewrite.
 */
export const createGroup = (order: number, isFromLog: boolean): Group => ({
  order,
  parts: [],
  isListed: false,
  isFromLog,
  message: undefined,
})

/** Adds a part without blocks to a group (several entries may be parts of one message) and returns the part. */
export const addPart = (entry: MessageEntry, group: Group): Part => {
  const part: Part = {
    entry,
    group,
    blocks: [],
    removedBy: undefined,
    pin: 'automatic',
    pins: undefined,
    changes: undefined,
  }
  group.parts.push(part)
  group.message = undefined
  return part
}

/**
 * Adds a block to a part. `block` is its index in the entry's content, `position` its 1-based position in the whole
 * message, and `withheld` the reason why it can't be sent. Without `withheld` it is sent.
 */
export const addBlock = (
  part: Part,
  block: number,
  original: ContentBlock,
  { position, withheld }: { readonly position: number; readonly withheld?: string | undefined },
): void => {
  part.blocks.push({
    seq: part.entry.seq,
    block,
    entry: part.entry,
    order: part.group.order + position * BLOCK_STEP,
    original,
    seen: withheld === undefined ? original : null,
    pin: 'automatic',
    isInsertion: !part.group.isFromLog,
    replacement: undefined,
    why: withheld,
    withheld,
    decided: undefined,
    part,
  })
}

/**
 * Creates a synthetic message entry for a text inserted by a rewrite: role user, origin `summary`, the rewrite's time.
 * `index` is the insertion's index in the rewrite and determines the id.
 */
export const insertedMessage = ({ seq, at }: RewriteEntry, index: number, text: string): MessageEntry => ({
  kind: 'message',
  seq,
  at,
  id: `rewrite:${seq}:${index}`,
  role: 'user',
  origin: 'summary',
  content: [{ type: 'text', text }],
})

/**
 * Updates a block's state from the decisions about it, in this order of precedence: withheld, the user's pin or drop
 * (the block's own before its message's), truncation or compaction, replacement. A pinned block is sent as it was.
 * Changes the block.
 */
export const applyDecisions = (target: MutableBlock): void => {
  const { part } = target
  const pinOfBlock = part.pins?.get(target.block) ?? 'automatic'
  target.pin = pinOfBlock === 'automatic' ? part.pin : pinOfBlock
  target.replacement = undefined
  target.why = undefined
  target.decided = undefined
  target.seen = target.original
  part.group.message = undefined
  const change = part.changes?.get(target.block)
  if (target.pin === 'automatic' && part.removedBy !== undefined) leaveOut(target, part.removedBy)
  else if (target.pin === 'dropped') leaveOut(target, 'dropped')
  else if (target.pin === 'automatic' && change !== undefined) replaceOrLeaveOut(target, change)
  if (target.withheld === undefined) return
  target.replacement = undefined
  target.seen = null
  target.why = target.withheld
}

/** Removes a block from the model's view, recording the reason. */
const leaveOut = (target: MutableBlock, why: string): void => {
  target.decided = null
  target.seen = null
  target.why = why
}

/** Replaces a block by a text in the model's view, or removes it. Without a text it is removed. */
const replaceOrLeaveOut = (target: MutableBlock, { why, text }: Replacement): void => {
  if (text === undefined) {
    leaveOut(target, why)
    return
  }
  target.decided = text
  target.replacement = text
  target.why = why
  // What can't be sent needs no content of its own.
  target.seen = target.withheld === undefined ? replacedBlock(target.original, text) : null
}

/** Whether the model sees any block of the message; false for one without blocks. */
export const isSeen = ({ parts }: Group): boolean => {
  for (const { blocks } of parts) for (const { seen } of blocks) if (seen !== null) return true
  return false
}

/**
 * What the model sees of the message, with the numbers of the contributing entries; null if it sees nothing. Id, role
 * and time are those of the first entry that is seen.
 */
export const seenMessage = (group: Group): ModelMessage | null => {
  const content: ContentBlock[] = []
  const seqs: number[] = []
  let first: MessageEntry | undefined
  for (const { entry, blocks } of group.parts) {
    const before = content.length
    for (const { seen } of blocks) if (seen !== null) content.push(seen)
    if (content.length === before) continue
    first ??= entry
    seqs.push(entry.seq)
  }
  if (first === undefined) return null
  const { id, role, at, origin } = first
  return { id, role, content, seqs, at, ...(origin === undefined ? {} : { origin }) }
}
