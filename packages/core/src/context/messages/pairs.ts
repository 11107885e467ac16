/** Which tool result answers which call. */
import { blocksOf, viewOf, type LooseMessage, type BlockPosition } from './loose.ts'

export interface CallPosition extends BlockPosition {
  readonly id: string
  /** Everything that answers it, in order; more than one when a result was repeated. */
  readonly results: readonly BlockPosition[]
}

export interface Pairs {
  /** In order. */
  readonly calls: readonly CallPosition[]
  /** Results without a call before them. */
  readonly orphans: readonly BlockPosition[]
  /** Calls that nothing can answer: without an id, not by the assistant, or a second of its id in one message. */
  readonly strayCalls: readonly BlockPosition[]
}

/**
 * Finds which results belong to which calls, by position: results of no call are `orphans`, calls that can't have one
 * (no id, not the assistant's, an id for the second time in one message) `strayCalls`. A result belongs to the nearest
 * call before it that has its id: some providers count their ids again in every turn. A call may have several. One
 * pass.
 */
export const findPairs = (messages: readonly LooseMessage[]): Pairs => {
  const calls: { message: number; block: number; id: string; results: BlockPosition[] }[] = []
  const orphans: BlockPosition[] = []
  const strayCalls: BlockPosition[] = []
  const open = new Map<string, (typeof calls)[number]>()
  for (const [message, loose] of messages.entries()) {
    for (const [block, value] of blocksOf(loose).entries()) {
      const view = viewOf(value)
      if (view.kind === 'call') {
        if (view.id === '' || loose.role !== 'assistant' || open.get(view.id)?.message === message) {
          strayCalls.push({ message, block })
          continue
        }
        const call = { message, block, id: view.id, results: [] }
        calls.push(call)
        open.set(view.id, call)
      } else if (view.kind === 'result') {
        const call = open.get(view.id)
        if (call === undefined) orphans.push({ message, block })
        else call.results.push({ message, block })
      }
    }
  }
  return { calls, orphans, strayCalls }
}
