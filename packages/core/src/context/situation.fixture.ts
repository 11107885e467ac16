import type { Situation } from './policy.ts'

/** A conversation with Claude Sonnet in a window of 200,000 tokens, whose last request has just been answered. */
export const SITUATION: Situation = {
  now: 0,
  window: 200_000,
  availableTokens: 172_000,
  prefix: 20_000,
  lastUsed: 0,
  prices: { input: 3, output: 15, write: 3.75, read: 0.3 },
  cacheLifetime: 300,
  refusals: 0,
}

/** The same in another window (tokens), of which messages get seven tenths, at a time (ms). */
export const situationOf = (window: number, now: number, refusals = 0): Situation => ({
  ...SITUATION,
  now,
  window,
  availableTokens: Math.floor(window * 0.7),
  prefix: Math.floor(window * 0.1),
  refusals,
})
