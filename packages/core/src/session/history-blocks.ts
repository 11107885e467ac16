/**
 * The records of a model history: blocks, the parts of messages that entries add, and groups of parts that are one
 * message. Says how decisions about a block change what the model sees of it; which entries decide what is in
 * model-history.ts.
 */
import type { ContentBlock, Message } from '../messages.ts'
import type { BlockChange, MessageEntry, PinEntry, RewriteEntry } from '../session-log.ts'
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
  /** The entry that holds it, and the block's index there. */
  readonly seq: number
  readonly block: number
  /** The message entry; a text that a rewrite inserted has one made up for it. */
  readonly entry: MessageEntry
  /** Sorts all blocks of the history; fractions are possible, gaps are usual. */
  readonly order: number
  /** As the log has it. */
  readonly original: ContentBlock
  /** As the model sees it: the original, a replacement, or null when it left the view. */
  readonly seen: ContentBlock | null
  /** What the user decided about it. */
  readonly pin: PinEntry['state']
  /** A rewrite inserted it: it is not in any message of the log. */
  readonly isInsertion: boolean
  /** The text that replaces it. */
  readonly replacement: string | undefined
  /** What replaced or removed it last: a rewrite's reason for the block, or the kind of the entry. */
  readonly why: string | undefined
  /** Why it can't be sent whatever is decided, even when pinned; undefined for nearly all. */
  readonly withheld: string | undefined
}

/** A block whose state decisions change. */
export interface MutableBlock extends HistoryBlock {
  seen: ContentBlock | null
  pin: PinEntry['state']
  replacement: string | undefined
  why: string | undefined
  withheld: string | undefined
  /** What was decided about it, whether it can be sent or not: the text that replaces it, null: left out, undefined: nothing. */
  decided: string | null | undefined
  readonly part: Part
}

/** A replacement text, or a removal where there is no text. */
export type Replacement = Pick<BlockChange, 'why' | 'text'>

/** What one entry adds to a message, with what later entries decided about it. */
export interface Part {
  readonly entry: MessageEntry
  readonly group: Group
  readonly blocks: MutableBlock[]
  /** Left the view by truncation or compaction: the kind of the entry that did it. */
  removedBy: string | undefined
  pin: PinEntry['state']
  /** By block; made when the first is pinned. */
  pins: Map<number, PinEntry['state']> | undefined
  /** By block; made when the first is changed. */
  changes: Map<number, Replacement> | undefined
}

/** Entries that are one message: a transcript may have a line for each block of a response. */
export interface Group {
  /** Its position among the messages: a whole number, or a fraction for an inserted text. */
  readonly order: number
  readonly parts: Part[]
  /** It is in the list of visible groups, or was until the list is cleaned the next time. */
  isListed: boolean
  /** Of messages of the log, not of a text that a rewrite inserted. */
  readonly isFromLog: boolean
  /** What the model sees of it, null for nothing; undefined until it is asked for. */
  message: ModelMessage | null | undefined
}

/** Leaves 2^20 positions for the blocks of one message between two whole numbers of the order. */
const BLOCK_STEP = 2 ** -20

/**
 * A message without parts yet. `order`: its position among messages; `isFromLog`: it is in the log, not inserted by a
 * rewrite.
 */
export const createGroup = (order: number, isFromLog: boolean): Group => ({
  order,
  parts: [],
  isListed: false,
  isFromLog,
  message: undefined,
})

/** Adds a part without blocks to a group: several entries may be parts of one message. Returns the part. */
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
 * Adds a block to a part. `block`: its index in the entry's content; `position`: its 1-based position in the whole
 * message; `withheld`: why it can't be sent.
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
 * A message entry made up for a text that a rewrite inserted: the user's, with the origin `summary` and the rewrite's
 * time; `index` of the insertion in the rewrite, which makes its id.
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
 * Brings a block's state up to date with the decisions about it, by precedence: withheld, the user's pin or drop,
 * truncation or compaction, replacement.
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

/** Has the model see nothing of a block, and notes why. */
const leaveOut = (target: MutableBlock, why: string): void => {
  target.decided = null
  target.seen = null
  target.why = why
}

/** Has the model see a text in place of a block, or nothing of it. */
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

/** What the model sees of the message, with the numbers of the entries that it comes from; null for nothing. */
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
