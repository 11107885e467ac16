/** What stays word for word, with what belongs to it. */
import { mayNotLeave } from '../../draft.ts'
import type { ViewBlock } from '../../view-block.ts'
import type { ContextView } from '../../view.ts'

/**
 * The blocks that may not leave and, so that no pair is parted, the calls and results of their pairs. A set of blocks
 * of the view itself, to be compared by identity. What a draft has removed counts as well, as it is still in the view.
 */
export const protectedItems = (view: ContextView): ReadonlySet<ViewBlock> => {
  const blocks = new Set<ViewBlock>()
  for (const block of view.blocks()) {
    if (!mayNotLeave(block, view)) continue
    blocks.add(block)
    if (block.partner !== undefined) blocks.add(block.partner)
  }
  return blocks
}
