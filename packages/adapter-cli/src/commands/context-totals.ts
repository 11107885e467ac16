/** Totals over the blocks of a context, and the command that brings a block back. */
import type { ContextBlock, ContextMessage, BlockKind } from '@cairn/core'
import type { CommandText } from './context-session.ts'

/** The totals of one kind of block. */
export interface KindTotal {
  readonly kind: BlockKind
  /** Blocks that would be sent, and their estimated tokens. */
  readonly blocks: number
  readonly tokens: number
  /** Blocks of which only a part or an outline is sent, and blocks that are not sent at all. */
  readonly shortened: number
  readonly leftOut: number
  /** Tokens of all blocks if each were sent in full. */
  readonly saidTokens: number
}

/** Returns totals for each kind of block, sent or not, the kind with the most tokens first; empty without messages. */
export const kindTotals = (messages: readonly ContextMessage[]): readonly KindTotal[] => {
  const groups = Map.groupBy(
    messages.flatMap(({ blocks }) => blocks),
    ({ kind }) => kind,
  )
  return [...groups]
    .map(([kind, blocks]): KindTotal => totalOf(kind, blocks))
    .sort((left, right) => right.tokens - left.tokens || right.saidTokens - left.saidTokens)
}

/**
 * The sums of the blocks of one kind: how many are sent, shortened and left out, with the tokens as sent and as they
 * would be whole.
 */
const totalOf = (kind: BlockKind, blocks: readonly ContextBlock[]): KindTotal => ({
  kind,
  blocks: blocks.filter((block) => !isGone(block)).length,
  tokens: blocks.reduce((sum, { tokensSent }) => sum + tokensSent, 0),
  shortened: blocks.filter(({ state }) => state === 'shortened').length,
  leftOut: blocks.filter(isGone).length,
  saidTokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0),
})

/** Whether a block was left out or dropped, so that nothing of it is sent. */
export const isGone = ({ state }: ContextBlock): boolean => state === 'left-out' || state === 'dropped'

/** Returns the command that brings a block back, as text to paste; null if the block is in the context in full. */
export const restoreCommand = (block: ContextBlock, shortId: string, command: CommandText): string | null =>
  isGone(block) || block.state === 'shortened' ? command('restore', `${shortId}:${block.block}`) : null
