/**
 * The room in a model's window by Cline's rule, which the policy `cline` follows: a table of windows, and
 * jumps between them. The default policy uses `context-budget.ts`.
 */
import { CairnError } from '../errors.ts'
import { TOKEN_CLASSES, tokenCount, type TokenUsage } from '../ports/price-book.ts'
import { UNKNOWN_MODEL } from './known-models.ts'
import { modelFacts } from './model-facts.ts'

/** A model as far as it is known; an id is looked up where it has no window of its own. */
export interface WindowSource {
  readonly id?: string | undefined
  readonly contextWindow?: number | undefined
  readonly maxOutputTokens?: number | undefined
}

/** A model's window and how many of its tokens may be used. */
export interface ContextWindowInfo {
  /** Tokens. */
  readonly contextWindow: number
  /** The conversation is compacted when the last request used this many tokens or more. */
  readonly maxAllowedSize: number
  readonly maxOutputTokens: number
}

/** What Cline keeps free of the windows that it knows. */
const KEPT_FREE: ReadonlyMap<number, number> = new Map([
  [64_000, 27_000],
  [128_000, 30_000],
  [200_000, 40_000],
])
const KEPT_FREE_ELSEWHERE = 40_000

/**
 * Throws unless `value` is a whole number above 0; `what` names it in the sentence.
 * @throws CairnError `invalid-input`
 */
export const assertTokens = (what: string, value: number): void => {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new CairnError('invalid-input', `The ${what} must be a whole number of tokens above 0, not '${String(value)}'.`)
}

/**
 * The window of a model and what a conversation in it may take: all but Cline's share of a window in `KEPT_FREE`; of
 * any other all but 40,000 tokens or a fifth, whichever is less.
 * @param model a model's id, the window in tokens, or what is known of the model; nothing known: 128,000
 * @throws CairnError `invalid-input` for a window that is no whole number above 0.
 */
export const contextWindowInfo = (model?: string | number | WindowSource): ContextWindowInfo => {
  const source: WindowSource =
    typeof model === 'number' ? { contextWindow: model } : typeof model === 'string' ? { id: model } : (model ?? {})
  const facts = source.id === undefined ? UNKNOWN_MODEL : modelFacts(source.id)
  const contextWindow = source.contextWindow ?? facts.contextWindow
  const maxOutputTokens = source.maxOutputTokens ?? facts.maxOutputTokens
  assertTokens('context window', contextWindow)
  assertTokens('longest reply', maxOutputTokens)
  const keptFree = KEPT_FREE.get(contextWindow)
  const maxAllowedSize =
    keptFree === undefined
      ? Math.max(contextWindow - KEPT_FREE_ELSEWHERE, Math.floor((contextWindow * 4) / 5))
      : contextWindow - keptFree
  return { contextWindow, maxAllowedSize, maxOutputTokens }
}

/**
 * Tokens in the context after a request: all of its input, cached or not, and its reply; classes that were not reported
 * are 0.
 */
export const usedTokens = (usage: TokenUsage): number =>
  TOKEN_CLASSES.reduce((sum, { field }) => sum + tokenCount(usage, field), 0)
