/** The last resort of every policy: goes on until the view fits, or nothing more can go. */
import { isAsked, type Draft } from '../draft.ts'
import { frameTokens, type ContextItem } from '../item.ts'
import { charactersIn, cutTo, endsOf, plainText, shortCall } from '../texts.ts'

/** What the largest blocks are cut to when whole requests can't go, tokens an end, one after the other. */
const CUTS = [500, 100, 20] as const
/** Tokens of what is left of a user's older message before it goes altogether. */
const OLD_USER_TOKENS = 60
/** Below the limit by this share, so that the next request does not have to begin again. */
const GOAL = 0.75

/**
 * Goes on, gently first, until the view fits: the oldest requests leave whole, then the newest results are
 * cut, then the user's older messages. Never the newest message of the user, nor what is pinned.
 */
export const makeFit = (draft: Draft, limit: number): void => {
  const { view } = draft
  if (draft.tokens <= limit) return
  const items = view.items()
  const goal = limit * GOAL
  const newestUnit = items.reduce((newest, item) => Math.max(newest, item.kind === 'user' ? 0 : item.request), 0)
  for (const unit of unitsOf(items)) {
    if (draft.tokens <= goal) break
    const request = unit[0]?.request ?? 0
    if (request >= newestUnit || unit.some((item) => item.slot.pin === 'pinned')) continue
    for (const item of unit) draft.remove(item, 'window')
  }
  for (const tokens of CUTS) cutLargest(draft, items, limit, tokens)
  cutOlderUsers(draft, items, limit)
}

/** What is no part of a request's work: it goes last. */
const isSaid = ({ kind }: ContextItem): boolean => kind === 'user' || kind === 'summary' || kind === 'system'

/** Blocks that are gone or kept together: a reply with its calls and their results. */
const unitsOf = (items: readonly ContextItem[]): readonly (readonly ContextItem[])[] => {
  const units = new Map<number, ContextItem[]>()
  for (const item of items) {
    if (isSaid(item)) continue
    const unit = units.get(item.request)
    if (unit === undefined) units.set(item.request, [item])
    else unit.push(item)
  }
  return [...units].sort(([left], [right]) => left - right).map(([, unit]) => unit)
}

const cutLargest = (draft: Draft, items: readonly ContextItem[], limit: number, tokens: number): void => {
  if (draft.tokens <= limit) return
  const characters = charactersIn(tokens, draft.view)
  const large = items.filter((item) => !isSaid(item) && !draft.isRemoved(item) && draft.tokensSent(item) > tokens * 2.2)
  large.sort((left, right) => draft.tokensSent(right) - draft.tokensSent(left))
  for (const item of large) {
    if (draft.tokens <= limit) return
    const text = item.slot.original.type === 'tool_call' ? shortCall(item) : endsOf(plainText(item), characters)
    const now = draft.tokensSent(item) - frameTokens(item.slot.original)
    if (text.length < now * draft.view.charactersPerToken) draft.replace(item, 'window', text)
  }
}

const cutOlderUsers = (draft: Draft, items: readonly ContextItem[], limit: number): void => {
  const older = items.filter((item) => (item.kind === 'user' || item.kind === 'summary') && !isAsked(item, draft.view))
  for (const shorten of [true, false]) {
    for (const item of older) {
      if (draft.tokens <= limit) return
      if (shorten) draft.replace(item, 'window', cutTo(plainText(item), charactersIn(OLD_USER_TOKENS, draft.view)))
      else draft.remove(item, 'window')
    }
  }
}
