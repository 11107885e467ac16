/** The last resort of every policy: shrinks the view until it fits, or nothing more can be removed. */
import { isFixed, mayNotLeave, type Draft } from '../draft.ts'
import { frameTokens, type ViewBlock } from '../view-block.ts'
import { CLEARED, shortCall } from '../texts.ts'
import { cutToFit } from './cut-to-fit.ts'

/** The share of the limit that is aimed at, so that the next request does not need another rewrite. */
const GOAL = 0.75
/** However large the newest request is, those before it may keep this share of the limit. */
const OLDER_SHARE = 0.125
/** A result is cut to no fewer tokens than this when it is the oldest that can stay: it leaves instead. */
const LEAST_PART = 400

/**
 * Shrinks a draft that has more than `limit` tokens; one that fits stays as it is. First the oldest requests leave,
 * down to about three quarters of the limit, so that the next request needs no rewrite, the last of them only in part
 * where that is enough. Then, down to the limit: the largest blocks are cut, the newest results included; calls and
 * results that may not leave are shortened; the user's older messages and summaries leave. What is fixed (`isFixed`)
 * always stays, so the draft may end above the limit.
 */
export const makeFit = (draft: Draft, limit: number): void => {
  if (draft.tokens <= limit) return
  const blocks = draft.view.blocks()
  const newest = newestRequest(blocks)
  leaveOldest(draft, blocks, newest, sizeAfter(draft, limit, GOAL))
  cutToFit(draft, limit, 1)
  clearHeld(draft, blocks, limit)
  removeOlderWords(draft, blocks, limit)
}

/**
 * Tokens to come down to when the window forces a change: `share` of the limit, or what the newest request takes
 * (without the user's, summary's and system's blocks) and an eighth of the limit, whichever is more; never above the
 * limit.
 */
export const sizeAfter = (draft: Draft, limit: number, share: number): number => {
  const blocks = draft.view.blocks()
  const newest = newestRequest(blocks)
  const own = blocks.reduce(
    (sum, block) => (!isConversation(block) && block.request === newest ? sum + draft.tokensSent(block) : sum),
    0,
  )
  return Math.min(limit, Math.max(limit * share, own + limit * OLDER_SHARE))
}

const newestRequest = (blocks: readonly ViewBlock[]): number =>
  blocks.reduce((newest, block) => Math.max(newest, isConversation(block) ? 0 : block.request), 0)

/** Whether a block is the user's, a summary or the system's: these are removed last. */
const isConversation = ({ kind }: ViewBlock): boolean => kind === 'user' || kind === 'summary' || kind === 'system'

/**
 * Removes the older requests, oldest first, until the draft has `goal` tokens, not counting what the request `newest`,
 * which stays, will be cut by. Of the last to leave only the results are cut where that is enough. Requests with
 * something pinned stay; so do the blocks of people, summaries and the system.
 */
const leaveOldest = (draft: Draft, blocks: readonly ViewBlock[], newest: number, goal: number): void => {
  const units = unitsOf(blocks)
  const own = sumOf(draft, units.get(newest) ?? [])
  // What the newest request will be cut by need not be made up for by older ones.
  const excess = Math.max(0, own - goal * (1 - OLDER_SHARE))
  for (const [request, unit] of units) {
    const over = draft.tokens - excess - goal
    if (over <= 0) return
    if (request >= newest || unit.some(({ source }) => source.pin === 'pinned')) continue
    const tokens = sumOf(draft, unit)
    if (tokens - over >= LEAST_PART && keepPart(draft, unit, over)) return
    for (const block of unit) draft.remove(block, 'window')
  }
}

/**
 * Cuts the results of a request by so many tokens; returns whether that was enough. Does nothing, and returns false,
 * where it would leave less than 400 tokens a result on average.
 */
const keepPart = (draft: Draft, unit: readonly ViewBlock[], tokens: number): boolean => {
  const results = unit.filter((block) => block.source.original.type === 'tool_result' && !isFixed(block, draft.view))
  if (sumOf(draft, results) - tokens < LEAST_PART * results.length) return false
  const limit = draft.tokens - tokens
  cutToFit(draft, limit, 1, results)
  return draft.tokens <= limit
}

/** By request: the blocks that stay or go together, oldest first. */
const unitsOf = (blocks: readonly ViewBlock[]): ReadonlyMap<number, readonly ViewBlock[]> =>
  new Map(
    [
      ...Map.groupBy(
        blocks.filter((block) => !isConversation(block)),
        ({ request }) => request,
      ),
    ].sort(([left], [right]) => left - right),
  )

const sumOf = (draft: Draft, blocks: readonly ViewBlock[]): number =>
  blocks.reduce((sum, block) => sum + draft.tokensSent(block), 0)

/**
 * Shortens calls and results that may not leave, but may be shortened, as far as that goes, oldest first. Stops once
 * the draft has `limit` tokens.
 */
const clearHeld = (draft: Draft, blocks: readonly ViewBlock[], limit: number): void => {
  for (const block of blocks) {
    if (draft.tokens <= limit) return
    if (draft.isRemoved(block) || isFixed(block, draft.view) || !mayNotLeave(block, draft.view)) continue
    const { type } = block.source.original
    const text = type === 'tool_call' ? shortCall(block) : type === 'tool_result' ? CLEARED : undefined
    const now = draft.tokensSent(block) - frameTokens(block.source.original)
    if (text !== undefined && text.length < now * draft.view.charactersPerToken) draft.replace(block, 'window', text)
  }
}

/**
 * Removes the user's older messages and the summaries, the first of them last (it is often the task), until the draft
 * has `limit` tokens. What is fixed stays.
 */
const removeOlderWords = (draft: Draft, blocks: readonly ViewBlock[], limit: number): void => {
  const [first, ...others] = blocks.filter((block) => block.kind === 'user' || block.kind === 'summary')
  if (first === undefined) return
  for (const block of [...others, first]) {
    if (draft.tokens <= limit) return
    draft.remove(block, 'window')
  }
}
