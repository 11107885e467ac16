/** One rewrite of the context: what is dead leaves, what is old shrinks, and an index keeps the names. */
import { isAsked, mayNotLeave, type Draft } from '../../draft.ts'
import type { ContextItem } from '../../item.ts'
import type { ContextView } from '../../view.ts'
import type { CacheAwareSettings } from './settings.ts'
import { CLEARED, charactersIn, cutTo, endsOf, plainText, shortCall } from '../../texts.ts'

/** Why a long output was cut when it came. */
export const LONG_OUTPUT = 'long-output'
/** Why a part of a block stands in its place: that dies like any other. */
const PARTS = new Set([LONG_OUTPUT, 'window', 'cut'])
/** Blocks under this many tokens are not worth a thought. */
export const SMALL = 80
/** A user's message over the first is cut to the second, tokens; the first message of all to the third. */
const USER_LONG = 780
const USER_CUT = 600
const FIRST_USER_CUT = 2400

/** Whether a rewrite may touch the block at all. */
export const isOpen = (
  item: ContextItem,
  view: ContextView,
  settings: Pick<CacheAwareSettings, 'protectedRequests'>,
): boolean =>
  item.slot.pin !== 'pinned' && item.request <= view.requests - settings.protectedRequests && item.kind !== 'system'

/** Tool results, calls and the program's notes: what dies when nobody needs it again. */
export const canDie = (item: ContextItem): boolean => {
  if (item.slot.replacement !== undefined && !PARTS.has(item.slot.why ?? '')) return false
  const { type } = item.slot.original
  return type === 'tool_result' || type === 'tool_call' || item.kind === 'program'
}

/** Takes a dead block out, as far as its call or result allows. */
export const evict = (draft: Draft, item: ContextItem, why: string, settings: CacheAwareSettings): void => {
  const { type } = item.slot.original
  if (type === 'tool_result') draft.replace(item, why, CLEARED)
  else if (type === 'tool_call') {
    const short = shortCall(item)
    if (short.length < item.characters - 40) draft.replace(item, why, short)
  } else draft.replace(item, why, cutTo(plainText(item), charactersIn(settings.replyTokens, draft.view)))
}

/** Takes out requests of which nothing worth keeping is left, oldest first, until the draft has `goal` tokens. */
export const dropOldRequests = (
  draft: Draft,
  items: readonly ContextItem[],
  settings: CacheAwareSettings,
  goal = 0,
): void => {
  const { view } = draft
  const oldest = view.requests - settings.skeletonRequests
  const units = new Map<number, ContextItem[]>()
  for (const item of items) {
    if (
      item.request > oldest ||
      item.kind === 'user' ||
      item.kind === 'summary' ||
      item.kind === 'system' ||
      item.kind === 'inserted'
    )
      continue
    const unit = units.get(item.request)
    if (unit === undefined) units.set(item.request, [item])
    else unit.push(item)
  }
  for (const unit of units.values()) {
    if (draft.tokens <= goal) return
    if (
      unit.some(
        (item) => mayNotLeave(item, view) || (canDie(item) && draft.tokensSent(item) >= SMALL && !draft.changes(item)),
      )
    )
      continue
    for (const item of unit) draft.remove(item, 'old')
  }
}

/**
 * Shrinks what a rewrite passes over anyway: reasoning, old replies, long messages of the user, small old results;
 * oldest first, until the draft has `goal` tokens.
 */
export const shrinkOld = (
  draft: Draft,
  items: readonly ContextItem[],
  settings: CacheAwareSettings,
  goal = 0,
): void => {
  const { view } = draft
  let isFirstUser = true
  for (const item of items) {
    const isFirst = item.kind === 'user' && isFirstUser
    if (item.kind === 'user') isFirstUser = false
    if (draft.tokens <= goal) return
    if (!isOpen(item, view, settings) || draft.changes(item) || item.slot.replacement !== undefined) continue
    const isOld = item.request <= view.requests - settings.freshRequests
    if (item.kind === 'user') cutUser(draft, item, isFirst)
    else if (!isOld) continue
    else if (item.kind === 'thinking') draft.remove(item, 'old')
    else if (item.kind === 'reply') cutReply(draft, item, settings.replyTokens)
    else if (item.slot.original.type === 'tool_result' && item.tokens < SMALL && item.characters > 4 * CLEARED.length)
      draft.replace(item, 'old', CLEARED)
  }
}

const cutReply = (draft: Draft, item: ContextItem, tokens: number): void => {
  const characters = charactersIn(tokens, draft.view)
  if (item.characters > characters * 1.2 && item.slot.original.type === 'text')
    draft.replace(item, 'old', cutTo(plainText(item), characters))
}

const cutUser = (draft: Draft, item: ContextItem, isFirst: boolean): void => {
  const { view } = draft
  if (isAsked(item, view) || item.slot.original.type !== 'text') return
  const [long, cut] = isFirst ? [FIRST_USER_CUT * 1.3, FIRST_USER_CUT] : [USER_LONG, USER_CUT]
  if (item.tokens > long) draft.replace(item, 'long', endsOf(plainText(item), charactersIn(cut / 2, view)))
}
