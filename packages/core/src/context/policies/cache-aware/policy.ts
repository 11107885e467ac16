/**
 * Decides every change of the context by what it costs and what it loses. Blocks whose value is below their carrying
 * cost are evictable. When the carrying costs of all of them exceed the price of writing the rest again
 * (or the provider's cache is cold, or the window is near) one rewrite takes them all out. Until then the
 * prefix stays as it is, byte for byte, and is read from the cache.
 */
import { createDraft, type Draft, type RewriteDraft } from '../../draft.ts'
import type { ViewBlock } from '../../view-block.ts'
import { isCold, type Policy, type Situation } from '../../policy.ts'
import { ARRIVAL, type ContextView } from '../../view.ts'
import { makeFit, sizeAfter } from '../../steps/make-fit.ts'
import { charactersIn, endsOf, plainText } from '../../texts.ts'
import { evictableBlocks, leastValuableFirst } from './candidates.ts'
import { coldCut, warmCut, wouldLoseThinking, type Cut } from './cuts.ts'
import { LONG_OUTPUT, evict, dropOldRequests, shrinkOld } from './apply-rewrite.ts'
import { createBlockValue } from './block-value.ts'
import { createNameIndex } from './name-index.ts'
import { CACHE_AWARE_PRESETS, settingsFor, type CacheAwarePreset, type CacheAwareSettings } from './settings.ts'

/** The share of the available tokens that is used after the window forced a rewrite. */
const KEPT_AFTER_WINDOW = 0.5
/** The most that the index of names takes near the window's limit, as a share of the available tokens. */
const LARGEST_INDEX = 0.1
/** A view of more than the first multiple of the available tokens was never sent: all but the newest, up to the second
 * multiple, leaves at once. */
const FAR_TOO_LARGE = 3
const CONSIDERED_SHARE = 1.5

const INDEX_HEAD =
  'Earlier tool results were cleared to keep the context small; run a tool again to see one. Names that stood in them:'

const INDEX_TAG = '<earlier_names note="'

/** Tokens of what stands around the names, generously. */
const INDEX_FRAME = 100

/** The index of an earlier rewrite; what else was put in is not this policy's to take out. */
const isIndex = ({ kind, source: { original } }: ViewBlock): boolean =>
  kind === 'inserted' && original.type === 'text' && original.text.startsWith(INDEX_TAG)

/** The default policy. */
export const cacheAwarePolicy = (
  preset: CacheAwarePreset = 'safe',
  changes: Partial<CacheAwareSettings> & { readonly name?: string } = {},
): Policy => {
  const { name = 'cache-aware', ...rest } = changes
  const given: CacheAwareSettings = { ...CACHE_AWARE_PRESETS[preset], ...rest }
  return {
    name,
    keepsWindow: true,
    start: (view) => {
      const blockValue = createBlockValue()
      const index = createNameIndex()
      view.subscribe({ onBlock: (block) => blockValue.add(block), onReset: () => blockValue.reset() })

      const withIndex = (draft: Draft, first: ViewBlock | undefined, settings: CacheAwareSettings): Draft => {
        const text = first === undefined ? '' : index.text(draft, charactersIn(settings.indexTokens, view))
        if (first !== undefined && text !== '') {
          const before = (first.source.original.type === 'tool_result' ? first.partner : undefined) ?? first
          draft.insert({
            before: before.source.seq,
            why: 'index',
            text: `${INDEX_TAG}${INDEX_HEAD}">\n${text}\n</earlier_names>`,
          })
        }
        return draft
      }

      const rewriteFrom = (draft: Draft, cut: Cut, settings: CacheAwareSettings): Draft => {
        for (const block of cut.evictable) evict(draft, block, 'dead', settings)
        const blocks = view.blocks().slice(cut.index)
        shrinkOld(draft, blocks, settings)
        dropOldRequests(draft, blocks, settings)
        for (const block of blocks) if (isIndex(block)) draft.remove(block, 'renewed')
        return draft
      }

      /** Frees what the window needs and no more: what is evictable, what is old, then what has the least value for its size. */
      const freeTokens = (
        draft: Draft,
        blocks: readonly ViewBlock[],
        from: number,
        situation: Situation,
        limit: number,
        settings: CacheAwareSettings,
      ): void => {
        const goal = sizeAfter(draft, limit, KEPT_AFTER_WINDOW)
        for (const { block } of evictableBlocks(view, blockValue, situation, settings, from))
          evict(draft, block, 'dead', settings)
        dropOldRequests(draft, blocks, settings, goal)
        shrinkOld(draft, blocks, settings, goal)
        if (draft.tokens > goal)
          for (const block of leastValuableFirst(view, blockValue, settings, from)) {
            if (draft.tokens <= goal) break
            evict(draft, block, 'window', settings)
          }
        for (const block of blocks) if (isIndex(block)) draft.remove(block, 'renewed')
      }

      const forWindow = (
        situation: Situation,
        limit: number,
        settings: CacheAwareSettings,
      ): RewriteDraft | undefined => {
        const blocks = view.blocks()
        const draft = createDraft(view)
        const from =
          view.tokens() > situation.availableTokens * FAR_TOO_LARGE
            ? startOfUnit(blocks, indexOfNewest(view, blocks, situation.availableTokens * CONSIDERED_SHARE))
            : 0
        for (const block of blocks.slice(0, from))
          if (block.kind !== 'user' && block.kind !== 'summary') draft.remove(block, 'window')
        const indexTokens = Math.min(settings.indexTokens, situation.availableTokens * LARGEST_INDEX)
        freeTokens(draft, blocks.slice(from), from, situation, limit - indexTokens, settings)
        makeFit(draft, limit - indexTokens)
        const first = view
          .blocks()
          .find((block) => draft.changes(block) && block.kind !== 'inserted' && !draft.isRemoved(block))
        return (
          draft.tokens <= limit - indexTokens ? withIndex(draft, first, { ...settings, indexTokens }) : draft
        ).build(name, 'window', situation.now)
      }

      return {
        decide: (situation) => {
          const settings = settingsFor(given, situation.window)
          const arrived = capArrivals(view, settings)
          if (!arrived.isEmpty) return arrived.build(name, ARRIVAL, situation.now)
          // Reasoning that a rewrite would cost the running turn is kept while the window has any tokens left.
          const reserve = wouldLoseThinking(view) ? 0 : settings.reserveShare
          const limit = Math.floor(situation.availableTokens * (1 - reserve))
          if (view.tokens() > limit) return forWindow(situation, limit, settings)
          if (view.lastRewriteRequest === view.requests) return undefined
          const evictable = evictableBlocks(view, blockValue, situation, settings)
          const cut = isCold(view, situation)
            ? coldCut(view, evictable, situation, settings)
            : warmCut(view, evictable, situation, settings)
          if (cut === undefined) return undefined
          const draft = rewriteFrom(createDraft(view), cut, settings)
          // In a small window an index of full size could take more than what leaves.
          const freed = view.tokens() - draft.tokens - INDEX_FRAME
          const indexTokens = Math.min(settings.indexTokens, Math.max(0, freed))
          return withIndex(draft, cut.evictable[0], { ...settings, indexTokens }).build(
            name,
            isCold(view, situation) ? 'cold-cache' : 'rent',
            situation.now,
          )
        },
      }
    },
  }
}

/** The index of the first of the newest blocks that take so many tokens together. */
const indexOfNewest = (view: ContextView, blocks: readonly ViewBlock[], tokens: number): number => {
  let sum = 0
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index]
    sum += block === undefined ? 0 : view.tokensSent(block)
    if (sum > tokens) return index
  }
  return 0
}

/** The first block of the request that the block at an index belongs to: a call and its result are not parted. */
const startOfUnit = (blocks: readonly ViewBlock[], index: number): number => {
  const request = blocks[index]?.request
  let start = index
  while (start > 0 && blocks[start - 1]?.request === request) start -= 1
  return start
}

/** Long outputs of commands that have just come, cut to their ends before they are sent for the first time. */
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
      draft.replace(block, LONG_OUTPUT, endsOf(plainText(block), charactersIn(settings.outputEndTokens, view)))
  }
  return draft
}
