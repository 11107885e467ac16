/**
 * How much of a window a conversation may take: the window less the reply, the system prompt and the tools,
 * each by its own number. A larger window never gives less room, and there is room in the smallest.
 */
import { CairnError } from '../errors.ts'
import { assertTokens } from './cline-window.ts'

/** Token counts that a budget is made of. */
export interface ContextBudgetInput {
  /** Tokens of input and reply together. */
  readonly window: number
  /** The longest reply that a request will ask for; tokens. */
  readonly maxOutputTokens: number
  readonly systemTokens?: number | undefined
  readonly toolTokens?: number | undefined
  /** Keep this much free for the reply instead of `maxOutputTokens`. */
  readonly reserve?: number | undefined
  /** Where the provider takes less input than the window holds (`ModelFacts.maxInputTokens`). */
  readonly maxInputTokens?: number | undefined
}

/** How the tokens of a window are divided. */
export interface ContextBudget {
  readonly window: number
  /** Kept free for the reply: ask the model for no more, or the provider may refuse the request. */
  readonly reply: number
  /** What the messages may take, always above 0. */
  readonly usable: number
}

/**
 * A reply takes at most a quarter of what the system prompt and the tools leave, so that a small window still
 * holds a conversation.
 */
const LARGEST_REPLY_SHARE = 4

/** Throws `invalid-input` for what is no whole number of tokens from 0. */
const assertCount = (what: string, value: number): void => {
  if (Number.isSafeInteger(value) && value >= 0) return
  throw new CairnError(
    'invalid-input',
    `The ${what} must be a whole number of tokens, at least 0, not '${String(value)}'.`,
  )
}

/**
 * Divides a window: the reply gets `reserve`, else `maxOutputTokens`, but at most a quarter of what system prompt and
 * tools leave; the messages get the rest, no more than `maxInputTokens` allows. To compare with what a provider counted
 * for a whole request, leave `systemTokens` and `toolTokens` out: then `usable` is the room for all of the input.
 * @throws CairnError `invalid-input` for numbers that are no tokens, or when the system prompt and the tools
 * leave no room for a message.
 */
export const contextBudget = (input: ContextBudgetInput): ContextBudget => {
  const { window, maxOutputTokens, systemTokens = 0, toolTokens = 0, reserve, maxInputTokens } = input
  assertTokens('context window', window)
  assertTokens('longest reply', maxOutputTokens)
  if (maxInputTokens !== undefined) assertTokens('largest input', maxInputTokens)
  if (reserve !== undefined) assertCount('reserve for the reply', reserve)
  assertCount('size of the system prompt', systemTokens)
  assertCount('size of the tools', toolTokens)

  const fixed = systemTokens + toolTokens
  const left = window - fixed
  const reply = Math.min(reserve ?? maxOutputTokens, Math.max(0, Math.floor(left / LARGEST_REPLY_SHARE)))
  const usable = Math.min(left - reply, (maxInputTokens ?? Infinity) - fixed)
  if (usable <= 0) {
    throw new CairnError(
      'invalid-input',
      `The system prompt and the tools take ${fixed} ${fixed === 1 ? 'token' : 'tokens'}, which leaves no room for a message in a window of ${window}; choose a model with a larger window or fewer tools.`,
    )
  }
  return { window, reply, usable }
}

/** How full a window is. */
export type WindowLevel = 'ok' | 'near' | 'over'

/** The share of the room from which on a conversation is compressed, before it has to be. */
const NEAR = 0.75

/** Whether messages of `used` tokens fit the budget's usable tokens, exactly as many included. */
export const fits = (used: number, budget: ContextBudget): boolean => used <= budget.usable

/**
 * Whether messages of `used` tokens take so much of the usable tokens that it is time to compress. `at`: that share, 0
 * to 1.
 */
export const shouldCompress = (used: number, budget: ContextBudget, at: number = NEAR): boolean =>
  used >= at * budget.usable

/**
 * How full a window is: `near` from three quarters of the usable tokens on, `over` when the messages no longer fit,
 * else `ok`.
 */
export const windowLevel = (used: number, budget: ContextBudget): WindowLevel => {
  if (!fits(used, budget)) return 'over'
  return shouldCompress(used, budget) ? 'near' : 'ok'
}
