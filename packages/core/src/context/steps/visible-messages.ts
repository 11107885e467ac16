/** The visible messages with the items of their blocks: what is found by message and block is changed by item. */
import type { ModelMessage } from '../../session/model-history.ts'
import type { ContextItem } from '../item.ts'
import type { ContextView } from '../view.ts'

export interface VisibleMessage {
  readonly message: ModelMessage
  /** By block of the message. */
  readonly items: readonly ContextItem[]
}

export const visibleMessages = (view: ContextView): readonly VisibleMessage[] => {
  const items = view.items()
  let next = 0
  return view.history.messages().map((message) => {
    const from = next
    next += message.content.length
    return { message, items: items.slice(from, next) }
  })
}

/** Whether a message stands in the log, so that an insertion can be placed before it; rewrites' insertions don't. */
export const isFromLog = (view: ContextView, seq: number): boolean => view.history.blocksOf(seq).length > 0
