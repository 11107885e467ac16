/**
 * Decides every change of the context by what it costs and what it loses. Blocks that are not worth their
 * carrying are dead; dead blocks pay rent, and when their rents exceed the price of writing the rest again
 * (or the provider's cache is cold, or the window is near) one rewrite takes them all out. Until then the
 * prefix stays as it is, byte for byte, and is read from the cache.
 */
import { createDraft, type Draft, type RewriteDraft } from '../../draft.ts'
import type { ContextItem } from '../../item.ts'
import { isCold, type Policy, type Situation } from '../../policy.ts'
import { ARRIVAL, type ContextView } from '../../view.ts'
import { makeFit, sizeAfter } from '../../steps/make-fit.ts'
import { charactersIn, endsOf, plainText } from '../../texts.ts'
import { deadItems, leastWorthFirst } from './candidates.ts'
import { coldCut, warmCut, wouldLoseThinking, type Cut } from './cuts.ts'
import { LONG_OUTPUT, evict, dropOldRequests, shrinkOld } from './apply-rewrite.ts'
import { createBlockValue } from './block-value.ts'
import { createNameIndex } from './name-index.ts'
import { CACHE_AWARE_PRESETS, settingsFor, type CacheAwarePreset, type CacheAwareSettings } from './settings.ts'

/** The share of the room's limit that is used after the window forced a rewrite. */
const KEPT_AFTER_WINDOW = 0.5
/** Of the room, near the window's limit. */
const LARGEST_INDEX = 0.1
/** A view of more rooms than the first was never sent: all but the newest rooms of the second leaves at once. */
const FAR_TOO_LARGE = 3
const WORTH_A_LOOK = 1.5

export const INDEX_HEAD =
  'Earlier tool results were cleared to keep the context small; run a tool again to see one. Names that stood in them:'

const INDEX_TAG = '<earlier_names note="'

/** Tokens of what stands around the names, generously. */
const INDEX_FRAME = 100

/** The index of an earlier rewrite; what else was put in is not this policy's to take out. */
const isIndex = ({ kind, slot: { original } }: ContextItem): boolean =>
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
      const liveness = createBlockValue()
      const index = createNameIndex()
      view.onItem = (item) => liveness.add(item)
      view.onReset = () => liveness.reset()

      const withIndex = (draft: Draft, first: ContextItem | undefined, settings: CacheAwareSettings): Draft => {
        const text = first === undefined ? '' : index.text(draft, charactersIn(settings.indexTokens, view))
        if (first !== undefined && text !== '') {
          const before = (first.slot.original.type === 'tool_result' ? first.partner : undefined) ?? first
          draft.insert({
            before: before.slot.seq,
            why: 'index',
            text: `${INDEX_TAG}${INDEX_HEAD}">\n${text}\n</earlier_names>`,
          })
        }
        return draft
      }

      const fold = (draft: Draft, cut: Cut, settings: CacheAwareSettings): Draft => {
        for (const item of cut.dead) evict(draft, item, 'dead', settings)
        const items = view.items().slice(cut.index)
        shrinkOld(draft, items, settings)
        dropOldRequests(draft, items, settings)
        for (const item of items) if (isIndex(item)) draft.remove(item, 'renewed')
        return draft
      }

      /** Frees what the window needs and no more: what is dead, what is old, then what is worth least for its size. */
      const freeRoom = (
        draft: Draft,
        items: readonly ContextItem[],
        from: number,
        situation: Situation,
        limit: number,
        settings: CacheAwareSettings,
      ): void => {
        const goal = sizeAfter(draft, limit, KEPT_AFTER_WINDOW)
        for (const { item } of deadItems(view, liveness, situation, settings, from))
          evict(draft, item, 'dead', settings)
        dropOldRequests(draft, items, settings, goal)
        shrinkOld(draft, items, settings, goal)
        if (draft.tokens > goal)
          for (const item of leastWorthFirst(view, liveness, settings, from)) {
            if (draft.tokens <= goal) break
            evict(draft, item, 'window', settings)
          }
        for (const item of items) if (isIndex(item)) draft.remove(item, 'renewed')
      }

      const forWindow = (
        situation: Situation,
        limit: number,
        settings: CacheAwareSettings,
      ): RewriteDraft | undefined => {
        const items = view.items()
        const draft = createDraft(view)
        const from =
          view.tokens() > situation.room * FAR_TOO_LARGE
            ? startOfUnit(items, indexOfNewest(view, items, situation.room * WORTH_A_LOOK))
            : 0
        for (const item of items.slice(0, from))
          if (item.kind !== 'user' && item.kind !== 'summary') draft.remove(item, 'window')
        const indexTokens = Math.min(settings.indexTokens, situation.room * LARGEST_INDEX)
        freeRoom(draft, items.slice(from), from, situation, limit - indexTokens, settings)
        makeFit(draft, limit - indexTokens)
        const first = view
          .items()
          .find((item) => draft.changes(item) && item.kind !== 'inserted' && !draft.isRemoved(item))
        return (
          draft.tokens <= limit - indexTokens ? withIndex(draft, first, { ...settings, indexTokens }) : draft
        ).build(name, 'window', situation.now)
      }

      return {
        decide: (situation) => {
          const settings = settingsFor(given, situation.window)
          const arrived = capArrivals(view, settings)
          if (!arrived.isEmpty) return arrived.build(name, ARRIVAL, situation.now)
          // Reasoning that a rewrite would cost the running turn is kept while the window has any room.
          const reserve = wouldLoseThinking(view) ? 0 : settings.reserveShare
          const limit = Math.floor(situation.room * (1 - reserve))
          if (view.tokens() > limit) return forWindow(situation, limit, settings)
          if (view.lastRewriteRequest === view.requests) return undefined
          const dead = deadItems(view, liveness, situation, settings)
          const cut = isCold(view, situation)
            ? coldCut(view, dead, situation, settings)
            : warmCut(view, dead, situation, settings)
          if (cut === undefined) return undefined
          const draft = fold(createDraft(view), cut, settings)
          // In a small window an index of full size could take more than what leaves.
          const freed = view.tokens() - draft.tokens - INDEX_FRAME
          const indexTokens = Math.min(settings.indexTokens, Math.max(0, freed))
          return withIndex(draft, cut.dead[0], { ...settings, indexTokens }).build(
            name,
            isCold(view, situation) ? 'cold-cache' : 'rent',
            situation.now,
          )
        },
      }
    },
  }
}

/** The place of the first of the newest blocks that take so many tokens together. */
const indexOfNewest = (view: ContextView, items: readonly ContextItem[], tokens: number): number => {
  let sum = 0
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    sum += item === undefined ? 0 : view.tokensSent(item)
    if (sum > tokens) return index
  }
  return 0
}

/** The first block of the request that the block at a place belongs to: a call and its result are not parted. */
const startOfUnit = (items: readonly ContextItem[], index: number): number => {
  const request = items[index]?.request
  let start = index
  while (start > 0 && items[start - 1]?.request === request) start -= 1
  return start
}

/** Long outputs of commands that have just come, cut to their ends before they are sent for the first time. */
const capArrivals = (view: ContextView, settings: CacheAwareSettings): Draft => {
  const draft = createDraft(view)
  const items = view.items()
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item === undefined || item.request < view.requests) break
    if (
      (item.kind !== 'command' && item.kind !== 'search') ||
      item.slot.replacement !== undefined ||
      item.tokens <= settings.outputTokens
    )
      continue
    if (view.tokensSent(item) > settings.outputTokens)
      draft.replace(item, LONG_OUTPUT, endsOf(plainText(item), charactersIn(settings.outputEndTokens, view)))
  }
  return draft
}
