/** Where a rewrite would begin, and whether it pays now. */
import type { ContextItem } from '../../item.ts'
import type { Situation } from '../../policy.ts'
import type { ContextView } from '../../view.ts'
import type { Dead } from './candidates.ts'
import type { CacheAwareSettings } from './settings.ts'

/** Where a fold would begin, and what it would free and write again. */
export interface Cut {
  readonly index: number
  readonly dead: readonly ContextItem[]
}

const PER_MILLION = 1e-6

/**
 * On a cold cache everything is written again anyway: whatever is dead leaves, but the files that were read or edited of
 * late. Reasoning that would be lost with it must cost less to think again than what leaves would cost to write.
 */
export const coldCut = (
  view: ContextView,
  dead: readonly Dead[],
  { prices }: Situation,
  settings: CacheAwareSettings,
): Cut | undefined => {
  const recent = recentFiles(view, settings)
  const leaving = dead.filter(({ item }) => !recent.has(item))
  const [first] = leaving
  const freed = leaving.reduce((sum, { tokens }) => sum + tokens, 0)
  if (first === undefined || freed < settings.leastCold) return undefined
  if (thinkingLost(view) * prices.output > freed * prices.write) return undefined
  return { index: 0, dead: leaving.map(({ item }) => item) }
}

/**
 * The newest look at, and the newest edit of, each file of late: after a pause the agent, or its user, goes on there. A
 * call and its result go together.
 */
const recentFiles = (view: ContextView, settings: CacheAwareSettings): ReadonlySet<ContextItem> => {
  const recent = new Set<ContextItem>()
  const seen = new Set<string>()
  const items = view.items()
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item === undefined || item.request <= view.requests - settings.freshRequests) break
    if (item.slot.original.type !== 'tool_result') continue
    const keys = item.operations.map(({ path, operation, part }) => `${operation} ${path} ${part ?? ''}`)
    if (keys.every((key) => seen.has(key))) continue
    for (const key of keys) seen.add(key)
    recent.add(item)
    if (item.partner !== undefined) recent.add(item.partner)
  }
  return recent
}

/** The cut whose rents exceed the price of its rewrite by most; undefined when none does. */
export const warmCut = (
  view: ContextView,
  dead: readonly Dead[],
  { prices }: Situation,
  settings: CacheAwareSettings,
): Cut | undefined => {
  const items = view.items()
  const rewrite = (prices.write - prices.read) * PER_MILLION
  const isLost = lostToChange(view)
  // The next turn's reasoning will stand in the way for about as long as this one's did.
  const leastRequests = isBound(view) ? view.endedTurn() : 0
  let kept = 0
  let freed = 0
  let rents = 0
  let lost = 0
  let next = items.length
  let best: { readonly gain: number; readonly from: number } | undefined
  for (let from = dead.length - 1; from >= 0; from--) {
    const candidate = dead[from]
    if (candidate === undefined) continue
    for (let index = next - 1; index > candidate.index; index--) {
      const item = items[index]
      if (item === undefined) continue
      if (isLost(item)) lost += thoughtTokens(item, view)
      else kept += view.tokensSent(item)
    }
    next = candidate.index
    freed += candidate.tokens
    rents += candidate.tokens * prices.read * PER_MILLION * Math.max(candidate.since + 1, leastRequests)
    const gain =
      rents - settings.rentFactor * rewrite * (kept + settings.indexTokens) - lost * prices.output * PER_MILLION
    if (freed >= settings.leastWarm && gain >= 0 && (best === undefined || gain > best.gain)) best = { gain, from }
  }
  if (best === undefined) return undefined
  const cut = dead.slice(best.from)
  return { index: cut[0]?.index ?? 0, dead: cut.map(({ item }) => item) }
}

const isBound = (view: ContextView): boolean => view.asked.thinkingSignature === 'bound-to-conversation'

/** Whether reasoning is lost to the running turn by a change before it: then the model has to think it again. */
const lostToChange = (view: ContextView): ((item: ContextItem) => boolean) =>
  isBound(view) ? (item) => view.isRunningThinking(item) : () => false

/** Whether a rewrite from the beginning on would cost the running turn any of its reasoning. */
export const wouldLoseThinking = (view: ContextView): boolean =>
  isBound(view) && view.thinkingOfTurn().findLast((item) => view.isRunningThinking(item)) !== undefined

/** Tokens of it. */
const thinkingLost = (view: ContextView): number =>
  isBound(view)
    ? view
        .thinkingOfTurn()
        .reduce((sum, item) => (view.isRunningThinking(item) ? sum + thoughtTokens(item, view) : sum), 0)
    : 0

/** Of reasoning whose text the provider keeps to itself, the signature tells about how much there was. */
const thoughtTokens = ({ slot: { original }, tokens }: ContextItem, view: ContextView): number =>
  original.type === 'thinking' && original.text === ''
    ? Math.ceil((original.signature?.length ?? 0) / view.charactersPerToken)
    : tokens
