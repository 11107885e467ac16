/** Where a rewrite would begin, and whether it pays now. */
import type { ViewBlock } from '../../view-block.ts'
import type { Situation } from '../../policy.ts'
import type { ContextView } from '../../view.ts'
import { tokensKept } from './apply-rewrite.ts'
import type { Candidate } from './candidates.ts'
import type { CacheAwareSettings } from './settings.ts'

/** Where a rewrite would begin (an index into the view's visible blocks), and the blocks that would leave with it. */
export interface Cut {
  readonly index: number
  readonly evictable: readonly ViewBlock[]
}

/** The best cut on a warm cache. */
export interface WarmCut extends Cut {
  /** Whether it pays already. One that does not is where the next rewrite will most likely begin. */
  readonly pays: boolean
}

const PER_MILLION = 1e-6

/**
 * The cut on a cold cache, where everything is written again anyway: all evictable blocks leave. Undefined where that
 * would free less than `leastCold` tokens, or reasoning that would be lost with it costs more to think again than what
 * leaves would cost to write.
 */
export const coldCut = (
  view: ContextView,
  evictable: readonly Candidate[],
  { prices }: Situation,
  settings: CacheAwareSettings,
): Cut | undefined => {
  const freed = evictable.reduce((sum, { tokens }) => sum + tokens, 0)
  if (evictable.length === 0 || freed < settings.leastCold) return undefined
  if (thinkingLost(view) * prices.output > freed * prices.write) return undefined
  return { index: 0, evictable: evictable.map(({ block }) => block) }
}

/**
 * While the provider still has the prefix in its cache: the index in the view from which on everything is rewritten,
 * chosen so that what is no longer read until the rewrite has to have paid exceeds the price of writing the rest again
 * by most, or falls short of it by least (`pays` is false then). All evictable blocks from there on leave. Undefined
 * when no cut frees `leastWarm` tokens.
 * @param evictable in the order of the view
 */
export const warmCut = (
  view: ContextView,
  evictable: readonly Candidate[],
  { prices }: Situation,
  settings: CacheAwareSettings,
): WarmCut | undefined => {
  const blocks = view.blocks()
  const rewrite = (prices.write - prices.read) * PER_MILLION
  const isLost = lostToChange(view)
  const spared = paybackRequests(view, settings) * prices.read * PER_MILLION
  let kept = 0
  let freed = 0
  let shrunk = 0
  let lost = 0
  let next = blocks.length
  let best: { readonly gain: number; readonly from: number } | undefined
  for (let from = evictable.length - 1; from >= 0; from--) {
    const candidate = evictable[from]
    if (candidate === undefined) continue
    for (let index = next - 1; index > candidate.index; index--) {
      const block = blocks[index]
      if (block === undefined) continue
      if (isLost(block)) lost += thoughtTokens(block, view)
      else {
        const tokens = tokensKept(block, view, settings)
        kept += tokens
        shrunk += view.tokensSent(block) - tokens
      }
    }
    next = candidate.index
    freed += candidate.tokens
    const written = kept + Math.min(settings.indexTokens, freed)
    const gain = (freed + shrunk) * spared - written * rewrite - lost * prices.output * PER_MILLION
    if (freed >= settings.leastWarm && (best === undefined || gain > best.gain)) best = { gain, from }
  }
  if (best === undefined) return undefined
  const cut = evictable.slice(best.from)
  return { index: cut[0]?.index ?? 0, evictable: cut.map(({ block }) => block), pays: best.gain >= 0 }
}

/** Within how many requests a rewrite on a warm cache must have paid for itself. */
const paybackRequests = (view: ContextView, { paybackShare, mostPaybackRequests }: CacheAwareSettings): number => {
  const usual = Math.min(view.requests * paybackShare, mostPaybackRequests)
  // The next turn's reasoning will stand in the way for about as long as this one's did.
  return isBound(view) ? Math.max(usual, view.endedTurn()) : usual
}

const isBound = (view: ContextView): boolean => view.asked.thinkingSignature === 'bound-to-conversation'

/** Whether reasoning is lost to the running turn by a change before it: then the model has to think it again. */
const lostToChange = (view: ContextView): ((block: ViewBlock) => boolean) =>
  isBound(view) ? (block) => view.isRunningThinking(block) : () => false

/**
 * Whether rewriting from the first block on would make reasoning of the running turn unusable, because its signature
 * covers what stands before it.
 */
export const wouldLoseThinking = (view: ContextView): boolean =>
  isBound(view) && view.thinkingOfTurn().findLast((block) => view.isRunningThinking(block)) !== undefined

/** Tokens of the running turn's reasoning that a rewrite from the beginning on would lose. */
const thinkingLost = (view: ContextView): number =>
  isBound(view)
    ? view
        .thinkingOfTurn()
        .reduce((sum, block) => (view.isRunningThinking(block) ? sum + thoughtTokens(block, view) : sum), 0)
    : 0

/** Tokens of reasoning; where the provider does not return its text, the signature's length is used instead. */
const thoughtTokens = ({ source: { original }, tokens }: ViewBlock, view: ContextView): number =>
  original.type === 'thinking' && original.text === ''
    ? Math.ceil((original.signature?.length ?? 0) / view.charactersPerToken)
    : tokens
