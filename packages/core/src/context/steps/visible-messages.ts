/** The visible messages with the view's record of each of their blocks. */
import type { ModelMessage } from '../../session/model-history.ts'
import type { ViewBlock } from '../view-block.ts'
import type { ContextView } from '../view.ts'

export interface VisibleMessage {
  readonly message: ModelMessage
  /** By block of the message. */
  readonly blocks: readonly ViewBlock[]
}

/**
 * The messages that the model sees, in order, each with the view's blocks for its content (same length, same order).
 */
export const visibleMessages = (view: ContextView): readonly VisibleMessage[] => {
  const blocks = view.blocks()
  let next = 0
  return view.history.messages().map((message) => {
    const from = next
    next += message.content.length
    return { message, blocks: blocks.slice(from, next) }
  })
}

/** Whether a message stands in the log, so that an insertion can be placed before it; rewrites' insertions don't. */
export const isFromLog = (view: ContextView, seq: number): boolean => view.history.blocksOf(seq).length > 0
