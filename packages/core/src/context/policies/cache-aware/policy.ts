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
import { makeFit } from '../../steps/make-fit.ts'
import { charactersIn, endsOf, plainText } from '../../texts.ts'
import { LONG_OUTPUT, SMALL, bury, canDie, dropOldRequests, isOpen, shrinkOld } from './fold.ts'
import { createLiveness, type Liveness } from './liveness.ts'
import { createNameIndex } from './name-index.ts'
import {
  CACHE_AWARE_PRESETS,
  missPrice,
  settingsFor,
  type CacheAwarePreset,
  type CacheAwareSettings,
} from './settings.ts'

/** Where a fold would begin, and what it would free and write again. */
interface Cut {
  readonly index: number
  readonly dead: readonly ContextItem[]
}

const PER_MILLION = 1e-6
/** How often the worth of what is kept is halved to get below the window's limit. */
const HALVINGS = 9
/** The share of the room that is free after the window forced a rewrite. */
const FREE_AFTER_WINDOW = 0.5
/** A view of more rooms than the first was never sent: all but the newest rooms of the second leaves at once. */
const FAR_TOO_LARGE = 3
const WORTH_A_LOOK = 1.5

export const INDEX_HEAD =
  'Earlier tool results were cleared to keep the context small; run a tool again to see one. Names that stood in them:'

const INDEX_TAG = '<earlier_names note="'

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
      const liveness = createLiveness()
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
        for (const item of cut.dead) bury(draft, item, 'dead', settings)
        const items = view.items().slice(cut.index)
        shrinkOld(draft, items, settings)
        dropOldRequests(draft, items, settings)
        for (const item of items) if (isIndex(item)) draft.remove(item, 'renewed')
        return draft
      }

      /** What is dead when the worth of a miss is halved until about half of the room would be free. */
      const deadForRoom = (
        draft: Draft,
        from: number,
        situation: Situation,
        settings: CacheAwareSettings,
      ): readonly ContextItem[] => {
        let dead: readonly Dead[] = []
        for (let halving = 0; halving <= HALVINGS; halving++) {
          dead = deadItems(view, liveness, situation, settings, settings.missUsd / 2 ** halving, from)
          const freed = dead.reduce((sum, { tokens }) => sum + tokens, 0)
          if (draft.tokens - freed <= situation.room * FREE_AFTER_WINDOW) break
        }
        return dead.map(({ item }) => item)
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
        fold(draft, { index: from, dead: deadForRoom(draft, from, situation, settings) }, settings)
        const indexTokens = Math.min(settings.indexTokens, situation.room * 0.1)
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
          const limit = Math.floor(situation.room - settings.reserveShare * situation.room)
          if (view.tokens() > limit) return forWindow(situation, limit, settings)
          if (view.lastRewriteRequest === view.requests) return undefined
          const dead = deadItems(view, liveness, situation, settings, settings.missUsd)
          const cut = isCold(view, situation) ? coldCut(dead, settings) : warmCut(view, dead, situation, settings)
          if (cut === undefined) return undefined
          const draft = fold(createDraft(view), cut, settings)
          return withIndex(draft, cut.dead[0], settings).build(
            name,
            isCold(view, situation) ? 'cold-cache' : 'rent',
            situation.now,
          )
        },
      }
    },
  }
}

interface Dead {
  readonly item: ContextItem
  /** Its place among the visible items. */
  readonly index: number
  readonly tokens: number
  /** Requests for which it has been dead. */
  readonly since: number
}

/** The visible blocks, from a place on, that are not worth their carrying. */
const deadItems = (
  view: ContextView,
  liveness: Liveness,
  situation: Situation,
  settings: CacheAwareSettings,
  missUsd: number,
  from = 0,
): readonly Dead[] => {
  const { prices } = situation
  const items = view.items()
  const candidates: { readonly item: ContextItem; readonly index: number; readonly tokens: number }[] = []
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
  const worth = missUsd * missPrice(prices)
  const dead: Dead[] = []
  for (const { item, index, tokens } of candidates) {
    const carrying = tokens * settings.horizon * prices.read * PER_MILLION
    const since =
      item.kind === 'program'
        ? view.requests - item.request
        : liveness.deadFor(item, view.requests, worth, settings.referenceShare, carrying)
    if (since !== undefined) dead.push({ item, index, tokens, since })
  }
  return dead
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

/** On a cold cache everything is written again anyway: whatever is dead leaves. */
const coldCut = (dead: readonly Dead[], settings: CacheAwareSettings): Cut | undefined =>
  dead.reduce((sum, { tokens }) => sum + tokens, 0) < settings.leastCold
    ? undefined
    : { index: 0, dead: dead.map(({ item }) => item) }

/** The cut whose rents exceed the price of its rewrite by most; undefined when none does. */
const warmCut = (
  view: ContextView,
  dead: readonly Dead[],
  { prices }: Situation,
  settings: CacheAwareSettings,
): Cut | undefined => {
  const items = view.items()
  const rewrite = (prices.write - prices.read) * PER_MILLION
  let kept = 0
  let freed = 0
  let rents = 0
  let next = items.length
  let best: { readonly gain: number; readonly from: number } | undefined
  for (let from = dead.length - 1; from >= 0; from--) {
    const candidate = dead[from]
    if (candidate === undefined) continue
    for (let index = next - 1; index > candidate.index; index--) kept += tokensAt(view, items, index)
    next = candidate.index
    freed += candidate.tokens
    rents += candidate.tokens * prices.read * PER_MILLION * (candidate.since + 1)
    const gain = rents - settings.rentFactor * rewrite * (kept + settings.indexTokens)
    if (freed >= settings.leastWarm && gain >= 0 && (best === undefined || gain > best.gain)) best = { gain, from }
  }
  if (best === undefined) return undefined
  const cut = dead.slice(best.from)
  return { index: cut[0]?.index ?? 0, dead: cut.map(({ item }) => item) }
}

const tokensAt = (view: ContextView, items: readonly ContextItem[], index: number): number => {
  const item = items[index]
  return item === undefined ? 0 : view.tokensSent(item)
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
