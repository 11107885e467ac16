/** What Gemini's models differ in, by their names. */
import type { JsonObject } from '../json.ts'
import type { ModelRequest, ReasoningEffort } from '../ports/language-model.ts'

/** The name as it stands in a path: without `models/` or `google/` before it. Any other name as it is. */
export const geminiName = (model: string): string => model.replace(/^(?:models|google)\//, '')

const nameOf = (model: string): string => geminiName(model).toLowerCase()

/**
 * Whether a model is Gemini 3 or later, by its name: its calls have ids and signatures that must come back, results may
 * hold images, reasoning has levels.
 */
export const isNewerGemini = (model: string): boolean =>
  /^gemini-(?:[3-9]|\d\d|(?:pro|flash|flash-lite)-latest)/.test(nameOf(model))

/** Models that make pictures or speech take no settings of reasoning, and older ones don't reason. */
const reasons = (model: string): boolean =>
  (isNewerGemini(model) || /^gemini-2\.5/.test(nameOf(model))) && !/image|tts|audio|live/.test(nameOf(model))

/** From the least effort to the most. */
const EFFORTS: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high']
/** The levels that models know, by their names; the first row that fits. */
const LEVELS: readonly (readonly [RegExp, readonly ReasoningEffort[]])[] = [
  [/^gemini-3-pro/, ['low', 'high']],
  [/pro/, ['low', 'medium', 'high']],
]
const USUAL_LEVELS: readonly ReasoningEffort[] = ['minimal', 'low', 'medium', 'high']

/** Tokens of reasoning for models that take a budget. */
const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 4096,
  medium: 8192,
  high: 24_576,
  max: 24_576,
}
/** The least budget and the most, by names; the first row that fits. */
const BUDGET_RANGES: readonly (readonly [RegExp, least: number, most: number])[] = [
  [/pro/, 128, 32_768],
  [/lite/, 512, 24_576],
]
/** The part of the longest reply that reasoning may take. */
const REASONING_SHARE = 0.8

/**
 * How the model is told to reason, and to show it: a newer one with a level, an older one with a budget in tokens that
 * leaves some of the output for the reply; only to show it where no effort is asked for. Effort `none` is the least
 * that the model has: 0 tokens for an older one that is no `pro`. Undefined for one that does not reason.
 */
export const geminiThinking = ({ model, effort, maxOutputTokens }: ModelRequest): JsonObject | undefined => {
  if (!reasons(model)) return undefined
  if (effort === undefined) return { includeThoughts: true }
  if (isNewerGemini(model)) return { includeThoughts: true, thinkingLevel: levelOf(nameOf(model), effort) }
  const [, least, most] = BUDGET_RANGES.find(([pattern]) => pattern.test(nameOf(model))) ?? [undefined, 0, 24_576]
  const wanted = Math.min(effort === 'max' ? most : BUDGETS[effort], Math.floor(maxOutputTokens * REASONING_SHARE))
  // Only the smaller models can be told not to reason.
  if (effort === 'none' && !/pro/.test(nameOf(model))) return { thinkingBudget: 0 }
  return { includeThoughts: true, thinkingBudget: Math.max(least, wanted) }
}

/** The next higher level of reasoning that the model has, or else its highest, in capitals. */
const levelOf = (name: string, effort: ReasoningEffort): string => {
  const known = LEVELS.find(([pattern]) => pattern.test(name))?.[1] ?? USUAL_LEVELS
  const wanted = effort === 'max' ? EFFORTS.length : EFFORTS.indexOf(effort)
  return (known.find((level) => EFFORTS.indexOf(level) >= wanted) ?? known.at(-1) ?? 'high').toUpperCase()
}
