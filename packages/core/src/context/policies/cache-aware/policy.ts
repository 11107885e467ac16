/**
 * Decides every change of the context by what it costs and what it loses. Blocks whose value is below their carrying
 * cost are evictable. When leaving them out soon saves more than writing the rest again costs (or the provider's cache
 * is cold, or the window is near) one rewrite takes them all out. Until then the prefix stays as it is, byte for byte,
 * and is read from the cache.
 */
import { createDraft, type Draft, type RewriteDraft } from '../../draft.ts'
import type { ViewBlock } from '../../view-block.ts'
import { isCold, type Policy, type PolicyRun, type Situation } from '../../policy.ts'
import { ARRIVAL, type ContextView } from '../../view.ts'
import { makeFit, sizeAfter } from '../../steps/make-fit.ts'
import { charactersIn, endsOf, plainText } from '../../texts.ts'
import { evictableBlocks, leastValuableFirst } from './candidates.ts'
import { coldCut, warmCut, wouldLoseThinking, type Cut, type WarmCut } from './cuts.ts'
import { evict, dropOldRequests, shrinkOld } from './apply-rewrite.ts'
import { createBlockValue } from './block-value.ts'
import { createNameIndex } from './name-index.ts'
import { LONG_OUTPUT } from './protected-blocks.ts'
import { CACHE_AWARE_PRESETS, settingsFor, type CacheAwarePreset, type CacheAwareSettings } from './settings.ts'

/** The share of the available tokens that is in use after a rewrite for the window. */
const KEPT_AFTER_WINDOW = 0.5
/** The most that the index of names takes near the window's limit, as a share of the available tokens. */
const LARGEST_INDEX = 0.1
/**
 * A view larger than this multiple of the available tokens was never sent as it is: only its newest blocks, up to the
 * second multiple, are considered, and the others are removed at once.
 */
const FAR_TOO_LARGE = 3
const CONSIDERED_SHARE = 1.5

const INDEX_HEAD =
  'Earlier tool results were cleared to keep the context small; run a tool again to see one. Names that stood in them:'

const INDEX_TAG = '<earlier_names note="'

/** Tokens of the text around the names, rounded up. */
const INDEX_FRAME = 100

/** Whether a block is the index of an earlier rewrite: of what was inserted, this policy only removes its own. */
const isIndex = ({ kind, source: { original } }: ViewBlock): boolean =>
  kind === 'inserted' && original.type === 'text' && original.text.startsWith(INDEX_TAG)

/** The policy `cache-aware`: a preset's settings, with `changes` to some of them, and to its name. */
export const cacheAwarePolicy = (
  preset: CacheAwarePreset = 'safe',
  changes: Partial<CacheAwareSettings> & { readonly name?: string } = {},
): Policy => {
  const { name = 'cache-aware', ...rest } = changes
  const settings: CacheAwareSettings = { ...CACHE_AWARE_PRESETS[preset], ...rest }
  return { name, keepsWindow: true, start: (view) => new CacheAwareRun(view, name, settings) }
}

class CacheAwareRun implements PolicyRun {
  readonly #view: ContextView
  readonly #name: string
  /** For a full window. */
  readonly #settings: CacheAwareSettings
  readonly #blockValue = createBlockValue()
  readonly #index = createNameIndex()
  expectedCut: ViewBlock | undefined

  constructor(view: ContextView, name: string, settings: CacheAwareSettings) {
    this.#view = view
    this.#name = name
    this.#settings = settings
    const blockValue = this.#blockValue
    view.subscribe({ onBlock: (block) => blockValue.add(block), onReset: () => blockValue.reset() })
  }

  /**
   * The rewrite to make before the next request; undefined for none. Large arrivals are capped first, then what exceeds
   * the window, then what is cheaper to rewrite than to keep, unless a rewrite was made for this request already. Only
   * a draft: the view is not changed. Sets `expectedCut`.
   */
  decide(situation: Situation): RewriteDraft | undefined {
    const view = this.#view
    const settings = settingsFor(this.#settings, situation.window)
    this.expectedCut = undefined
    const arrived = capArrivals(view, settings)
    if (!arrived.isEmpty) return arrived.build(this.#name, ARRIVAL, situation.now)
    // A rewrite that would cost the running turn its reasoning waits until the window is full.
    const reserve = wouldLoseThinking(view) ? 0 : settings.reserveShare
    const limit = Math.floor(situation.availableTokens * (1 - reserve))
    if (view.tokens() > limit) return this.#forWindow(situation, limit, settings)
    return view.lastRewriteRequest === view.requests ? undefined : this.#forCost(situation, settings)
  }

  /**
   * The rewrite that pays: on a cold cache, or because it soon saves more than writing the rest again costs. Undefined
   * if none does; on a warm cache `expectedCut` then says where the next one will most likely begin.
   */
  #forCost(situation: Situation, settings: CacheAwareSettings): RewriteDraft | undefined {
    const view = this.#view
    const evictable = evictableBlocks(view, this.#blockValue, situation, settings)
    const cold = isCold(view, situation)
    const cut = cold
      ? coldCut(view, evictable, situation, settings)
      : this.#dueCut(warmCut(view, evictable, situation, settings))
    if (cut === undefined) return undefined
    const draft = this.#rewriteFrom(cut, settings)
    this.#insertIndex(draft, cut.evictable[0], settings.indexTokens - indexTokensOf(draft))
    return draft.build(this.#name, cold ? 'cold-cache' : 'rent', situation.now)
  }

  /** The cut if it pays. One that does not gives undefined, and its first block becomes `expectedCut`. */
  #dueCut(cut: WarmCut | undefined): Cut | undefined {
    if (cut?.pays === true) return cut
    this.expectedCut = cut?.evictable[0]
    return undefined
  }

  /**
   * Removes what the cut names, and shortens or drops what is old behind it: everything there is written to the cache
   * again anyway.
   */
  #rewriteFrom(cut: Cut, settings: CacheAwareSettings): Draft {
    const draft = createDraft(this.#view)
    for (const block of cut.evictable) evict(draft, block, 'dead', settings)
    const blocks = this.#view.blocks().slice(cut.index)
    dropOldRequests(draft, blocks, settings)
    shrinkOld(draft, blocks, settings)
    removeIndexes(draft, blocks)
    return draft
  }

  /**
   * The rewrite that the window's limit forces, down to about half of it, with an index of names where that fits;
   * undefined if nothing can leave. What has to stay may keep it above the limit.
   */
  #forWindow(situation: Situation, limit: number, settings: CacheAwareSettings): RewriteDraft | undefined {
    const view = this.#view
    const blocks = view.blocks()
    const draft = createDraft(view)
    const from = firstConsidered(view, blocks, situation.availableTokens)
    for (const block of blocks.slice(0, from))
      if (block.kind !== 'user' && block.kind !== 'summary') draft.remove(block, 'window')
    const indexTokens = Math.min(settings.indexTokens, situation.availableTokens * LARGEST_INDEX)
    const goal = sizeAfter(draft, limit - indexTokens, KEPT_AFTER_WINDOW)
    this.#freeTokens(draft, from, goal, situation, settings)
    makeFit(draft, limit - indexTokens)
    if (draft.tokens <= limit - indexTokens) {
      const first = blocks.find((block) => draft.changes(block) && block.kind !== 'inserted' && !draft.isRemoved(block))
      this.#insertIndex(draft, first, indexTokens)
    }
    return draft.build(this.#name, 'window', situation.now)
  }

  /**
   * Evicts all that is evictable among the visible blocks from an index on; then, only as far as the draft has more
   * than `goal` tokens, drops old requests, shrinks what is old, and evicts what has the least value for its size. May
   * end above the goal. Earlier indexes of names there leave as well.
   */
  #freeTokens(draft: Draft, from: number, goal: number, situation: Situation, settings: CacheAwareSettings): void {
    const view = this.#view
    const blocks = view.blocks().slice(from)
    for (const { block } of evictableBlocks(view, this.#blockValue, situation, settings, from))
      evict(draft, block, 'dead', settings)
    dropOldRequests(draft, blocks, settings, goal)
    shrinkOld(draft, blocks, settings, goal)
    if (draft.tokens > goal)
      for (const block of leastValuableFirst(view, this.#blockValue, settings, from)) {
        if (draft.tokens <= goal) break
        evict(draft, block, 'window', settings)
      }
    removeIndexes(draft, blocks)
  }

  /**
   * Inserts an index of names, of at most `most` tokens and no more than the draft has freed, before a block or, if it
   * is a result, before its call. Nothing without a block or without hidden names.
   */
  #insertIndex(draft: Draft, first: ViewBlock | undefined, most: number): void {
    // In a small window an index of full size could take more than what leaves.
    const freed = this.#view.tokens() - draft.tokens - INDEX_FRAME
    const tokens = Math.min(most, freed)
    if (first === undefined || tokens <= 0) return
    const text = this.#index.text(draft, charactersIn(tokens, this.#view))
    if (text === '') return
    const before = (first.source.original.type === 'tool_result' ? first.partner : undefined) ?? first
    draft.insert({
      before: before.source.seq,
      why: 'index',
      text: `${INDEX_TAG}${INDEX_HEAD}">\n${text}\n</earlier_names>`,
    })
  }
}

/** Removes the indexes of earlier rewrites that are among `blocks` from the draft: a new one takes their place. */
const removeIndexes = (draft: Draft, blocks: readonly ViewBlock[]): void => {
  for (const block of blocks) if (isIndex(block)) draft.remove(block, 'renewed')
}

/** Tokens of the indexes that stand before what a draft rewrites, and stay. */
const indexTokensOf = (draft: Draft): number =>
  draft.view.blocks().reduce((sum, block) => (isIndex(block) ? sum + draft.tokensSent(block) : sum), 0)

/** The index of the first block that a rewrite for the window looks at; what stands before it leaves unseen. */
const firstConsidered = (view: ContextView, blocks: readonly ViewBlock[], availableTokens: number): number =>
  view.tokens() > availableTokens * FAR_TOO_LARGE
    ? startOfUnit(blocks, indexOfNewest(view, blocks, availableTokens * CONSIDERED_SHARE))
    : 0

/** The index of the first of the newest blocks that take so many tokens together. 0 if all of them take fewer. */
const indexOfNewest = (view: ContextView, blocks: readonly ViewBlock[], tokens: number): number => {
  let sum = 0
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index]
    sum += block === undefined ? 0 : view.tokensSent(block)
    if (sum > tokens) return index
  }
  return 0
}

/**
 * The first block of the request that the block at an index belongs to: a call and its result are not parted. Returned
 * as an index.
 */
const startOfUnit = (blocks: readonly ViewBlock[], index: number): number => {
  const request = blocks[index]?.request
  let start = index
  while (start > 0 && blocks[start - 1]?.request === request) start -= 1
  return start
}

const RUN_AGAIN = '; run the tool again to see them'

/**
 * A draft that cuts the outputs of commands and searches that have just come, and are over `outputTokens`, to their
 * ends, before they are sent for the first time. Empty where there are none.
 */
const capArrivals = (view: ContextView, settings: CacheAwareSettings): Draft => {
  const draft = createDraft(view)
  const blocks = view.blocks()
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index]
    if (block === undefined || block.request < view.requests) break
    if (
      (block.kind !== 'command' && block.kind !== 'search') ||
      block.source.replacement !== undefined ||
      block.tokens <= settings.outputTokens
    )
      continue
    if (view.tokensSent(block) > settings.outputTokens)
      draft.replace(
        block,
        LONG_OUTPUT,
        endsOf(plainText(block), charactersIn(settings.outputEndTokens, view), RUN_AGAIN),
      )
  }
  return draft
}
