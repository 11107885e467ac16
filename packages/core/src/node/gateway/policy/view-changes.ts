/** What of a request differs from what the client sent, block by block. */
import { BOUND_THINKING, isThinking } from '../../../context/thinking.ts'
import type { ContentBlock, Role } from '../../../messages.ts'
import { replacedBlock } from '../../../session/replaced-block.ts'
import type { HistoryBlock } from '../../../session/model-history.ts'
import type { BlockPosition } from '../read-request.ts'
import { isUnknown, type Spoken } from './conversation-log.ts'
import type { LiveConversation } from './live-conversation.ts'

/** What becomes of a block: undefined stays as it came, null leaves, a block takes its place. */
export type Fate = ContentBlock | null | undefined

/** Texts that stand before a block of the body; without one at the end. */
export interface PutIn {
  readonly texts: readonly string[]
  readonly before: BlockPosition | undefined
}

export interface ViewChanges {
  /** By item of the body's list: what becomes of its blocks. Items that stay as they came are missing. */
  readonly fates: ReadonlyMap<number, readonly Fate[]>
  readonly putIn: readonly PutIn[]
}

/**
 * How the policy's view of a conversation, which has taken all of `spoken`, differs from the conversation. `fates` are
 * by the position of the client's items; blocks that stay have none.
 */
export const viewChanges = (spoken: readonly Spoken[], live: LiveConversation): ViewChanges => {
  const fates = new Map<number, Fate[]>()
  const positionOf = new Map<HistoryBlock, BlockPosition>()
  const { view } = live.context
  for (const [index, { positions, role }] of spoken.entries()) {
    const seq = live.seqOf(index)
    for (const source of seq === undefined ? [] : view.history.blocksOf(seq)) {
      const position = positions[source.block]
      if (position === undefined) continue
      positionOf.set(source, position)
      const fate = fateOf(source, role, view.block(source.seq, source.block)?.partner?.source.seen)
      if (fate === undefined) continue
      const item = fates.get(position.item) ?? []
      item[position.block] = fate
      fates.set(position.item, item)
    }
  }
  return { fates, putIn: putInTexts(live, positionOf) }
}

/**
 * What a block becomes in the request: undefined to leave it, null to remove it, or a replacement. What the API can't
 * miss is replaced by a notice where it was dropped.
 * @param call what is sent of the call that it answers
 */
const fateOf = (source: HistoryBlock, role: Role, call: ContentBlock | null | undefined): Fate => {
  const { original, seen, withheld, why, isInsertion, pin } = source
  if (isInsertion || seen === original || isUnknown(original)) return undefined
  if (seen !== null) return seen
  // What answers a call that stays, and a turn of the user's, can't be missing.
  if (pin === 'dropped' && (original.type === 'tool_result' ? (call ?? null) !== null : role === 'user'))
    return replacedBlock(original, DROPPED)
  // Whether reasoning without a signature is taken back is for the client to know, unless a policy took it out.
  return isThinking(original) && why === undefined && withheld !== BOUND_THINKING ? undefined : null
}

/** Stands for what the user dropped. */
const DROPPED = '[dropped by the user]'

/** The texts put in, each before the position of the next block of the client's; undefined is the end. */
const putInTexts = (
  { context: { view } }: LiveConversation,
  positionOf: ReadonlyMap<HistoryBlock, BlockPosition>,
): PutIn[] => {
  const putIn: PutIn[] = []
  let waiting: string[] = []
  for (const { source } of view.blocks()) {
    if (source.isInsertion) {
      if (source.seen?.type === 'text') waiting.push(source.seen.text)
      continue
    }
    const before = positionOf.get(source)
    if (before === undefined) continue
    if (waiting.length > 0) putIn.push({ texts: waiting, before })
    waiting = []
  }
  return waiting.length === 0 ? putIn : [...putIn, { texts: waiting, before: undefined }]
}
