/** The blocks that could leave the context: which of them cost more to carry than their value, and which have the least value. */
import type { ViewBlock } from '../../view-block.ts'
import type { Situation } from '../../policy.ts'
import type { ContextView } from '../../view.ts'
import type { BlockValue } from './block-value.ts'
import { SMALL, canEvict, isProtected } from './protected-blocks.ts'
import { missPrice, type CacheAwareSettings } from './settings.ts'

const PER_MILLION = 1e-6

/** A block that could leave. */
export interface Candidate {
  readonly block: ViewBlock
  /** Its index among the visible blocks. */
  readonly index: number
  readonly tokens: number
}

/**
 * The visible blocks, from an index on, that could leave: of a kind that may be evicted, at least `SMALL` tokens, not
 * protected. Has `blockValue` compute their features.
 */
const candidatesFrom = (
  view: ContextView,
  blockValue: BlockValue,
  settings: CacheAwareSettings,
  from: number,
): readonly Candidate[] => {
  const blocks = view.blocks()
  const candidates: Candidate[] = []
  // The minimum, not the first: a reply's later parts stand before results that came earlier. Pinned blocks count, as they may be unpinned.
  let oldest = Infinity
  for (let index = from; index < blocks.length; index++) {
    const block = blocks[index]
    if (block === undefined) continue
    const tokens = view.tokensSent(block)
    if (tokens < SMALL || !canEvict(block)) continue
    oldest = Math.min(oldest, block.source.seq)
    if (!isProtected(block, view, settings)) candidates.push({ block, index, tokens })
  }
  if (candidates.length > 0) blockValue.ready(oldest)
  return candidates
}

/**
 * Of the blocks that may leave (as in `candidatesFrom`), those whose value is below what reading them from the cache
 * costs over `horizon` requests, and all notes of the program, in the order of the view. `from` is an index into the
 * view's visible blocks: earlier ones are not looked at. Empty where there are none.
 */
export const evictableBlocks = (
  view: ContextView,
  blockValue: BlockValue,
  { prices }: Situation,
  settings: CacheAwareSettings,
  from = 0,
): readonly Candidate[] => {
  const missUsd = settings.missUsd * missPrice(prices)
  const carrying = settings.horizon * prices.read * PER_MILLION
  return candidatesFrom(view, blockValue, settings, from).filter(
    ({ block, tokens }) =>
      block.kind === 'program' ||
      blockValue.value(block, view.requests, missUsd, settings.referenceShare) < tokens * carrying,
  )
}

/**
 * The blocks that may be evicted, sorted by value per token (USD), lowest first. `from` is an index into the view's
 * visible blocks.
 */
export const leastValuableFirst = (
  view: ContextView,
  blockValue: BlockValue,
  settings: CacheAwareSettings,
  from: number,
): readonly ViewBlock[] =>
  candidatesFrom(view, blockValue, settings, from)
    .map(({ block, tokens }) => ({
      block,
      value: blockValue.value(block, view.requests, settings.missUsd, settings.referenceShare) / tokens,
    }))
    .sort((left, right) => left.value - right.value)
    .map(({ block }) => block)
