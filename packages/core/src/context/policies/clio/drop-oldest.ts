/** A step: the oldest units leave, as a walk from the newest back finds what a budget holds. */
import type { Draft } from '../../draft.ts'
import type { ViewBlock } from '../../view-block.ts'
import { protectedItems } from '../cline/protected-items.ts'
import { visibleUnits } from '../cline/units.ts'

/**
 * Drops what the budget does not hold, without a gap: nothing stays whose answer left, but what is fixed. The
 * newest unit always stays. In the draft only.
 * @param budget tokens of the whole view, fixed blocks included; 0: only the newest unit
 * @param ignored neither counted nor dropped
 * @returns the dropped blocks, oldest first
 */
export const dropOldest = (draft: Draft, budget: number, ignored?: ViewBlock): readonly ViewBlock[] => {
  const stays = protectedItems(draft.view)
  const units = visibleUnits(draft.view)
    .map((unit) => unit.filter((block) => !stays.has(block) && block !== ignored))
    .filter((unit) => unit.length > 0)
  const sizes = units.map((unit) => unit.reduce((sum, block) => sum + draft.tokensSent(block), 0))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  let left = budget - (draft.tokens - all - (ignored === undefined ? 0 : draft.tokensSent(ignored)))
  let kept = units.length
  while (kept > 0) {
    left -= sizes[kept - 1] ?? 0
    if (left < 0 && kept < units.length) break
    kept -= 1
  }
  const dropped = units.slice(0, kept).flat()
  for (const block of dropped) draft.remove(block, 'window')
  return dropped
}
