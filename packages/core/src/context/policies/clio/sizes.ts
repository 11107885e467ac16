/** When the policy `clio` acts, and what it comes down to: shares of the window, in tokens of messages. */
import type { Situation } from '../../policy.ts'

export interface ClioShares {
  /** The share of the window, 0 to 1, from which on it trims. */
  readonly start: number
  /** The share that it trims to. */
  readonly target: number
}

/** After a refusal: half of the window, then a quarter; after that only the newest exchange stays. */
const AFTER_REFUSALS = [0.5, 0.25] as const

/**
 * The share of so many tokens of a request that messages may take. Where system prompt and tools take most of
 * a small window, half of that share of what they leave: every size scales with the window.
 */
const messageTokens = (share: number, request: number, { availableTokens, prefix }: Situation): number =>
  Math.floor(Math.max(share * request - prefix, (share / 2) * availableTokens))

/** The tokens of messages from which on the policy trims; never below 0. */
export const startTokens = (shares: ClioShares, situation: Situation): number =>
  messageTokens(shares.start, situation.window, situation)

/** The tokens of messages that a trim comes down to. */
export const targetTokens = (shares: ClioShares, situation: Situation): number =>
  messageTokens(shares.target, situation.window, situation)

/**
 * The tokens that a trim has to free: each one has the rest of the request written to the provider's cache again. Half of
 * what it is meant to free, from where it starts down to the target.
 */
export const leastFreed = (shares: ClioShares, situation: Situation): number =>
  Math.max(0, Math.floor((startTokens(shares, situation) - targetTokens(shares, situation)) / 2))

/** The target when the messages don't fit: that share of what the window has for a request, without the reply. */
export const validationTokens = (shares: ClioShares, situation: Situation): number =>
  messageTokens(shares.target, situation.availableTokens + situation.prefix, situation)

/**
 * How many tokens of messages may stay after the provider refused the request (`situation.refusals`, from 1), rounded
 * down: the least of half of what is visible now, the available tokens halved once a refusal, and, after the first and
 * second refusal, a share of the window; later ones have none. So each refusal at least halves what is visible: the
 * provider counts otherwise than the estimate.
 */
export const refusedTokens = (visibleTokens: number, situation: Situation): number => {
  const { refusals, availableTokens, window } = situation
  const share = AFTER_REFUSALS[refusals - 1]
  const ofWindow = share === undefined ? Infinity : messageTokens(share, window, situation)
  return Math.floor(Math.min(ofWindow, visibleTokens / 2, availableTokens / 2 ** refusals))
}

/** Whether the request was refused so often that only the newest exchange and request may stay. */
export const isMinimal = ({ refusals }: Situation): boolean => refusals > AFTER_REFUSALS.length
