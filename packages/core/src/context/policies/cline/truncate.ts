/** A step: the messages after the first exchange leave, as many as Cline would take, and a notice says so. */
import type { RewriteEntry } from '../../../session-log.ts'
import { nextTruncationRange, type TruncationKeep } from './truncation-range.ts'
import type { Draft } from '../../draft.ts'
import type { ViewBlock } from '../../view-block.ts'
import type { ContextView } from '../../view.ts'
import { isFromLog, visibleMessages, type VisibleMessage } from '../../steps/visible-messages.ts'
import { protectedItems } from './protected-items.ts'
import { visibleUnits } from './units.ts'

/** Nobody says how many messages left: then the notice, and the prompt's beginning, stays the same. */
export const TRUNCATION_NOTICE =
  '[Older messages after this one left the context to keep it within the window. The first exchange above and the newest messages below are unchanged. Read a file or run a tool again for what is missing.]'
const NOTICE_REASON = 'truncation-notice'

export interface Truncation {
  /**
   * Removes one range more. Returns whether anything left the view by it.
   * @param keep as in `nextTruncationRange`, of what is left so far; only `none` takes the newest reply and its results
   */
  remove(keep: TruncationKeep): boolean
}

/**
 * Truncates a draft, range by range: `remove` takes out the next one, and gives false when nothing more can go. The
 * first one puts the notice in, unless it stands already. What may not leave stays, and so does the newest unit, unless
 * `keep` is `none`.
 */
export const createTruncation = (draft: Draft): Truncation => {
  const { view } = draft
  const notice = visibleInsertion(view, NOTICE_REASON)
  const visible = visibleMessages(view).filter(({ blocks }) => blocks[0] === undefined || blocks[0] !== notice)
  const messages = visible.map(({ message }) => message)
  const fixed = protectedItems(view)
  const newest = new Set(visibleUnits(view).at(-1))
  let range: [number, number] | undefined
  let isNoted = notice !== undefined

  /**
   * Removes the messages' blocks but the fixed ones and, unless `keep` is `none`, those of the newest unit. Returns
   * whether any went.
   */
  const removeMessages = (gone: readonly VisibleMessage[], keep: TruncationKeep): boolean => {
    let isAnyGone = false
    for (const block of gone.flatMap(({ blocks }) => blocks)) {
      if (fixed.has(block) || (keep !== 'none' && newest.has(block)) || draft.isRemoved(block)) continue
      draft.remove(block, 'window')
      isAnyGone = true
    }
    return isAnyGone
  }

  return {
    /**
     * Takes the next range out of the draft; the first that takes anything puts the notice in. False if nothing went.
     */
    remove: (keep) => {
      const next = nextTruncationRange(messages, range, keep)
      if (next === undefined) return false
      range = next
      const gone = visible.slice(next[0], next[1] + 1)
      if (!removeMessages(gone, keep)) return false
      if (!isNoted) {
        isNoted = true
        const before = firstInLog(view, gone)
        draft.insert({ ...(before === undefined ? {} : { before }), why: NOTICE_REASON, text: TRUNCATION_NOTICE })
      }
      return true
    },
  }
}

/** The number of the first visible message that is in the log itself; undefined if all were put in. */
const firstInLog = (view: ContextView, visible: readonly VisibleMessage[]): number | undefined => {
  for (const { message } of visible) {
    const [seq] = message.seqs
    if (seq !== undefined && isFromLog(view, seq)) return seq
  }
  return undefined
}

/** The newest visible text that a rewrite put in for this reason; undefined without one. */
export const visibleInsertion = (view: ContextView, why: string): ViewBlock | undefined => {
  for (const entry of view.rewrites.toReversed()) {
    const index = indexOfInsertion(entry, why)
    const block = index === -1 ? undefined : view.block(entry.seq, index)
    if (block !== undefined && block.source.seen !== null) return block
  }
  return undefined
}

const indexOfInsertion = ({ insertions }: RewriteEntry, why: string): number =>
  insertions?.findIndex((insertion) => insertion.why === why) ?? -1
