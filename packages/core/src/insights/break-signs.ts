/** Why a request did not find the cache of the one before, by what is recorded of both. */
import { BREAK_CAUSES, type BreakCause } from './break-causes.ts'
import type { Chain, ChainRequest } from './chains.ts'
import { hasShrunk } from './rewrites.ts'

/**
 * Gives why a request of the chain, which must have lost its cache, did: of several causes the first in `BREAK_CAUSES`.
 * `dropped` where nothing changed and part of the cache was still found; `unknown` where nothing of it was, and for the
 * first request.
 */
export const breakCauseOf = (chain: Chain): ((request: ChainRequest) => BreakCause) => {
  const thinkingTurns = new Set(chain.requests.flatMap(({ thinks, turn }) => (thinks && turn !== null ? [turn] : [])))
  return (request) => {
    const before = chain.requests[request.index - 1]
    if (before === undefined) return 'unknown'
    const causes = new Set(chain.changedBefore.get(request.index))
    if (before.stored.model !== request.stored.model) causes.add('model')
    else if (foundAllWritten(before, request)) causes.add('unwritten')
    else if (hasShrunk(before, request)) causes.add('shortened')
    if (isOtherMode(before, request)) causes.add('mode')
    if (leftReasoningOut(before, request, thinkingTurns)) causes.add('reasoning')
    if (isOtherThinking(before, request, thinkingTurns)) causes.add('thinking')
    const told = BREAK_CAUSES.find(({ cause }) => causes.has(cause))?.cause
    return told ?? (request.stored.cacheReadTokens > 0 ? 'dropped' : 'unknown')
  }
}

/**
 * Whether all that the request before had read or written was read, and something more was sent: what is lacking had
 * never been written. False where writes are not recorded.
 */
const foundAllWritten = ({ stored, input }: ChainRequest, request: ChainRequest): boolean => {
  const inCache = input - stored.inputTokens
  // Where writes are not recorded, the whole input may have been cached.
  return inCache > stored.cacheReadTokens && request.stored.cacheReadTokens >= inCache
}

/** Whether the modes differ. Where one of them is not known, it may have been the same. */
const isOtherMode = ({ stored: before }: ChainRequest, { stored: after }: ChainRequest): boolean =>
  before.mode !== null && after.mode !== null && before.mode !== after.mode

/**
 * Whether a prompt came in between and the input of the same model became less all the same, after a turn with
 * reasoning. False where a turn is not known. `thinkingTurns`: the turns with reasoning.
 */
const leftReasoningOut = (before: ChainRequest, request: ChainRequest, thinkingTurns: ReadonlySet<number>): boolean => {
  if (before.turn === null || request.turn === null || before.turn === request.turn) return false
  const didReason = thinkingTurns.has(before.turn) || (before.stored.reasoningTokens ?? 0) > 0
  return didReason && before.stored.model === request.stored.model && request.input < before.input
}

/**
 * Whether thinking was switched between two requests of different turns: by the setting noted with the prompts, and
 * where neither has one, by the replies. A turn in which any reply has reasoning had it on; one in which none has may
 * have had it off, as a model thinks when it likes. Where only one prompt has a setting, it counts as switched unless a
 * reply of the other turn has reasoning. `thinkingTurns`: the turns with reasoning.
 */
const isOtherThinking = (before: ChainRequest, request: ChainRequest, thinkingTurns: ReadonlySet<number>): boolean => {
  if (before.turn === null || request.turn === null || before.turn === request.turn) return false
  const [didThink, doesThink] = [thinkingTurns.has(before.turn), thinkingTurns.has(request.turn)]
  if (before.thinking === undefined && request.thinking === undefined)
    return before.thinks ? !doesThink : request.thinks && !didThink
  // One whose prompt has no setting was not off if it thought.
  if (before.thinking === undefined) return !didThink
  if (request.thinking === undefined) return !doesThink
  return before.thinking !== request.thinking
}
