/** What a context policy is: given the view and the situation of a request, it decides what to change. */
import type { RewriteDraft } from './draft.ts'
import type { AskedModel } from './thinking.ts'
import type { ContextView } from './view.ts'
import type { ViewBlock } from './view-block.ts'

/** Prices of a model by class, USD per million tokens. `write` and `read` equal `input` where there is no cache. */
export interface ContextPrices {
  readonly input: number
  readonly output: number
  readonly write: number
  readonly read: number
}

/** The facts about a request that a policy decides on: its model, limits, prices and history. */
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
  /** How many times the provider has refused this request as too long. */
  readonly refusals: number
  /** Estimated tokens of the messages that it refused last; the next attempt has to be smaller. */
  readonly refusedTokens?: number
  /** What the user has the work look at; it stands in the request whatever the policy does. */
  readonly focus?: string
}

/** A policy applied to one conversation; it may keep state of its own between requests. */
export interface PolicyRun {
  /** The next rewrite for this request; called again on the rewritten view until it returns undefined. */
  decide(situation: Situation): RewriteDraft | undefined
  /**
   * The first block that the next rewrite will most likely change, as of the last `decide`; undefined where the policy
   * can't tell. A cache breakpoint is kept before it, so that the rewrite finds what stands before it in the cache.
   */
  readonly expectedCut?: ViewBlock | undefined
}

/** Decides what of a conversation the next request holds. */
export interface Policy {
  readonly name: string
  /** Whether the policy keeps requests within the window; false for `none`, which only reports. */
  readonly keepsWindow: boolean
  /**
   * Begins to follow a conversation. The run reads the view at every decision and may subscribe to it; one run a
   * conversation.
   */
  start(view: ContextView): PolicyRun
}

/**
 * Whether the provider has dropped the last request from its cache: more than `cacheLifetime` seconds have passed since
 * then. True before the first request, too.
 */
export const isCold = (view: ContextView, { now, cacheLifetime }: Situation): boolean =>
  view.lastRequestAt === null || now - view.lastRequestAt > cacheLifetime * 1000
