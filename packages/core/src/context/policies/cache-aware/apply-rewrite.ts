/** One rewrite of the context: evictable blocks leave, what is old shrinks, and an index keeps the names. */
import { isAsked, isFixed, mayNotLeave, type Draft } from '../../draft.ts'
import { frameTokens, type ViewBlock } from '../../view-block.ts'
import type { ContextView } from '../../view.ts'
import { OLD_TEXT, SMALL, canEvict, isProtected } from './protected-blocks.ts'
import type { CacheAwareSettings } from './settings.ts'
import { CLEARED, charactersIn, cutTo, endsOf, plainText, shortCall, withoutOldText } from '../../texts.ts'

/** A user's message over the first is cut to the second, tokens; the first message of all to the third. */
const USER_LONG = 780
const USER_CUT = 600
const FIRST_USER_CUT = 2400

/**
 * Puts a stub for a block into the draft; the block is never removed whole. A result becomes a mark that it was
 * cleared; a call keeps its short arguments, and stays as it is where cutting would save less than 40 characters; any
 * other text keeps its start (`replyTokens`). Does nothing to a fixed block.
 */
export const evict = (draft: Draft, block: ViewBlock, why: string, settings: CacheAwareSettings): void => {
  const { type } = block.source.original
  if (type === 'tool_result') draft.replace(block, why, CLEARED)
  else if (type === 'tool_call') {
    const short = shortCall(block)
    if (short.length < block.characters - 40) draft.replace(block, why, short)
  } else draft.replace(block, why, cutTo(plainText(block), charactersIn(settings.replyTokens, draft.view)))
}

/**
 * Removes whole old requests (a reply with its calls and results), oldest first, until the draft has no more than
 * `goal` tokens. Only requests older than the newest `skeletonRequests`, and only those of which nothing sizeable is
 * still shown in full and nothing has to stay; the messages of the user and the system, summaries and insertions stay.
 * May end above the goal. Without a goal it removes all of them.
 */
export const dropOldRequests = (
  draft: Draft,
  blocks: readonly ViewBlock[],
  settings: CacheAwareSettings,
  goal = 0,
): void => {
  const { view } = draft
  const oldest = view.requests - settings.skeletonRequests
  const units = new Map<number, ViewBlock[]>()
  for (const block of blocks) {
    if (
      block.request > oldest ||
      block.kind === 'user' ||
      block.kind === 'summary' ||
      block.kind === 'system' ||
      block.kind === 'inserted'
    )
      continue
    const unit = units.get(block.request)
    if (unit === undefined) units.set(block.request, [block])
    else unit.push(block)
  }
  for (const unit of units.values()) {
    if (draft.tokens <= goal) return
    if (
      unit.some(
        (block) =>
          mayNotLeave(block, view) || (canEvict(block) && draft.tokensSent(block) >= SMALL && !draft.changes(block)),
      )
    )
      continue
    for (const block of unit) draft.remove(block, 'old')
  }
}

/**
 * Removes old reasoning and shortens old replies, what edits replaced, long messages of the user and small results, in
 * the order of `blocks`, until the draft has no more than `goal` tokens. Protected blocks, and those already changed,
 * stay. May end above the goal. Without a goal it does so for all of them.
 */
export const shrinkOld = (draft: Draft, blocks: readonly ViewBlock[], settings: CacheAwareSettings, goal = 0): void => {
  const { view } = draft
  let isFirstUser = true
  for (const block of blocks) {
    const isFirst = block.kind === 'user' && isFirstUser
    if (block.kind === 'user') isFirstUser = false
    if (draft.tokens <= goal) return
    if (isProtected(block, view, settings) || draft.changes(block) || block.source.replacement !== undefined) continue
    if (block.kind === 'user') cutUser(draft, block, isFirst)
    else shrinkOldBlock(draft, block, settings)
  }
}

/**
 * About how many tokens of a block that a rewrite does not evict are sent after it: all of a protected one and of other
 * kinds than these. Reasoning that is not fixed counts as 0, a reply as at most `replyTokens`, an edit's call without
 * the text that it replaced.
 */
export const tokensKept = (block: ViewBlock, view: ContextView, settings: CacheAwareSettings): number => {
  const sent = view.tokensSent(block)
  if (isProtected(block, view, settings)) return sent
  if (block.kind === 'thinking') return isFixed(block, view) ? sent : 0
  if (block.kind === 'reply') return Math.min(sent, settings.replyTokens)
  const short = block.source.replacement === undefined ? shortEdit(block) : undefined
  if (short === undefined) return sent
  return Math.ceil(short.length / view.charactersPerToken) + frameTokens(block.source.original)
}

/** By call: its arguments without the text that it replaced, null where that text is not worth cutting. */
const shortEdits = new WeakMap<ViewBlock, string | null>()

/** {@link withoutOldText} of a call, made once; undefined where it would save less than 40 characters. */
const shortEdit = (block: ViewBlock): string | undefined => {
  if (block.kind !== 'call') return undefined
  let short = shortEdits.get(block)
  if (short === undefined) {
    const made = withoutOldText(block)
    short = made !== undefined && made.length < block.characters - 40 ? made : null
    shortEdits.set(block, short)
  }
  return short ?? undefined
}

/**
 * Shrinks a block that no person wrote, by its kind: reasoning leaves, replies are cut, small results are cleared where
 * that is shorter by far, and of an edit's call the text that it replaced is cut. Other calls, larger results and all
 * else stay.
 */
const shrinkOldBlock = (draft: Draft, block: ViewBlock, { replyTokens }: CacheAwareSettings): void => {
  if (block.kind === 'thinking') draft.remove(block, 'old')
  else if (block.kind === 'reply') cutReply(draft, block, replyTokens)
  else if (block.kind === 'call') cutOldText(draft, block)
  else if (
    block.source.original.type === 'tool_result' &&
    block.tokens < SMALL &&
    block.characters > 4 * CLEARED.length
  )
    draft.replace(block, 'old', CLEARED)
}

/** Cuts the text that an edit replaced; what it wrote stays. */
const cutOldText = (draft: Draft, block: ViewBlock): void => {
  const short = shortEdit(block)
  if (short !== undefined) draft.replace(block, OLD_TEXT, short)
}

/** Shortens a reply's text to about `tokens` if it is more than a fifth longer. */
const cutReply = (draft: Draft, block: ViewBlock, tokens: number): void => {
  const characters = charactersIn(tokens, draft.view)
  if (block.characters > characters * 1.2 && block.source.original.type === 'text')
    draft.replace(block, 'old', cutTo(plainText(block), characters))
}

/**
 * Shortens a long message of the user's to its beginning and end. The first may stay longer; one still to be answered
 * is not touched.
 */
const cutUser = (draft: Draft, block: ViewBlock, isFirst: boolean): void => {
  const { view } = draft
  if (isAsked(block, view) || block.source.original.type !== 'text') return
  const [long, cut] = isFirst ? [FIRST_USER_CUT * 1.3, FIRST_USER_CUT] : [USER_LONG, USER_CUT]
  if (block.tokens > long) draft.replace(block, 'long', endsOf(plainText(block), charactersIn(cut / 2, view)))
}
