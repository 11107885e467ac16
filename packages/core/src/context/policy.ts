/** What a policy is: it looks at the view and where the conversation stands, and says what to change. */
import type { RewriteDraft } from './draft.ts'
import type { AskedModel } from './thinking.ts'
import type { ContextView } from './view.ts'

/** Prices of a model by class, USD per million tokens. `write` and `read` equal `input` where there is no cache. */
export interface ContextPrices {
  readonly input: number
  readonly output: number
  readonly write: number
  readonly read: number
}

/** Where the conversation stands when a request is prepared. */
export interface Situation extends AskedModel {
  /** Time of the request, ms. */
  readonly now: number
  /** The model's whole window, tokens. */
  readonly window: number
  /** Tokens of the window that messages may take: without system prompt, tools and the reply's reserve. */
  readonly availableTokens: number
  /** Tokens of system prompt and tools, the same in every request. */
  readonly prefix: number
  /** Tokens of the last request and its reply as the provider counted (or estimated them); 0 before the first. */
  readonly lastUsed: number
  readonly prices: ContextPrices
  /** How long the provider keeps a prefix after its last use, seconds; 0 without a cache. */
  readonly cacheLifetime: number
  /** The provider refused the request as too long, so many times so far. */
  readonly refusals: number
  /** Estimated tokens of the messages that it refused last: the next try is smaller. */
  readonly refusedTokens?: number
}

/** A policy at work on one conversation; it may keep what it learns from the view's events. */
export interface PolicyRun {
  /** The rewrites that this request calls for, in order; each is decided on the view that the one before left. */
  decide(situation: Situation): RewriteDraft | undefined
}

export interface Policy {
  readonly name: string
  /** Whether the window's limit is kept; `none` only reports. */
  readonly keepsWindow: boolean
  start(view: ContextView): PolicyRun
}

/** Whether the provider's cache of the last request is gone. */
export const isCold = (view: ContextView, { now, cacheLifetime }: Situation): boolean =>
  view.lastRequestAt === null || now - view.lastRequestAt > cacheLifetime * 1000
