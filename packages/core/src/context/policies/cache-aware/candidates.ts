/** The blocks that could leave the context: which of them are not worth their carrying, and which are worth least. */
import type { ContextItem } from '../../item.ts'
import type { Situation } from '../../policy.ts'
import type { ContextView } from '../../view.ts'
import { SMALL, canDie, isOpen } from './apply-rewrite.ts'
import type { BlockValue } from './block-value.ts'
import { missPrice, type CacheAwareSettings } from './settings.ts'

const PER_MILLION = 1e-6

interface Candidate {
  readonly item: ContextItem
  /** Its place among the visible items. */
  readonly index: number
  readonly tokens: number
}

export interface Dead extends Candidate {
  /** Requests for which it has been dead. */
  readonly since: number
}

/** The visible blocks, from a place on, that could leave; their facts are made. */
const candidatesFrom = (
  view: ContextView,
  liveness: BlockValue,
  settings: CacheAwareSettings,
  from: number,
): readonly Candidate[] => {
  const items = view.items()
  const candidates: Candidate[] = []
  // Not the first one's place: parts of a reply that came after a result stand before it; what is pinned may be let go.
  let oldest = Infinity
  for (let index = from; index < items.length; index++) {
    const item = items[index]
    if (item === undefined) continue
    const tokens = view.tokensSent(item)
    if (tokens < SMALL || !canDie(item)) continue
    oldest = Math.min(oldest, item.slot.seq)
    if (isOpen(item, view, settings)) candidates.push({ item, index, tokens })
  }
  if (candidates.length > 0) liveness.ready(oldest)
  return candidates
}

/** The visible blocks, from a place on, that are not worth their carrying. */
export const deadItems = (
  view: ContextView,
  liveness: BlockValue,
  { prices }: Situation,
  settings: CacheAwareSettings,
  from = 0,
): readonly Dead[] => {
  const worth = settings.missUsd * missPrice(prices)
  const dead: Dead[] = []
  for (const { item, index, tokens } of candidatesFrom(view, liveness, settings, from)) {
    const carrying = tokens * settings.horizon * prices.read * PER_MILLION
    const since =
      item.kind === 'program'
        ? view.requests - item.request
        : liveness.deadFor(item, view.requests, worth, settings.referenceShare, carrying)
    if (since !== undefined) dead.push({ item, index, tokens, since })
  }
  return dead
}

/** What could leave, what is worth least for its size first. */
export const leastWorthFirst = (
  view: ContextView,
  liveness: BlockValue,
  settings: CacheAwareSettings,
  from: number,
): readonly ContextItem[] =>
  candidatesFrom(view, liveness, settings, from)
    .map(({ item, tokens }) => ({
      item,
      worth: liveness.worth(item, view.requests, settings.missUsd, settings.referenceShare) / tokens,
    }))
    .sort((left, right) => left.worth - right.worth)
    .map(({ item }) => item)
