/**
 * The ratio of characters to tokens, learned from what providers count. Each request moves its model's ratio
 * a fifth of the way to what was seen (CLIO's rule).
 */
import { isJsonObject } from '../json.ts'

/** A request's estimated and reported tokens. */
export interface CalibrationObservation {
  readonly model: string
  /** Of the whole request, tools included: `requestCharacters`. */
  readonly characters: number
  /** All of the input that the provider counted, read from or written to its cache or not. */
  readonly promptTokens: number
  /** Tokens among them that no characters stand for, such as those of images; default 0. */
  readonly attachmentTokens?: number | undefined
}

/** Learned ratios by model, as plain JSON. */
interface CalibrationState {
  readonly ratios: Readonly<Record<string, number>>
}

/** Learns per model how many characters a token takes. */
export interface Calibration {
  /** Characters per token of a model: the learned ratio, or where it starts. */
  ratio(model: string): number
  /** Learns from a request; false when it was ignored. */
  observe(observation: CalibrationObservation): boolean
  /** What was learned, as plain JSON, for `createCalibration` in a later run. */
  state(): CalibrationState
}

/** The ratio to start from for an unknown model, on the safe side (CLIO's). */
const START_RATIO = 2.5
const LOWEST_RATIO = 1.5
const HIGHEST_RATIO = 5
const WEIGHT_OF_OLD = 0.8
/** Outside of this, the characters and the tokens are not of the same request. */
const LOWEST_PLAUSIBLE = 0.5
const HIGHEST_PLAUSIBLE = 20

/** A ratio (characters per token) moved into the bounds that any text of a conversation has: 1.5 to 5. */
export const boundedRatio = (ratio: number): number => Math.min(HIGHEST_RATIO, Math.max(LOWEST_RATIO, ratio))

/**
 * The ratio (characters per token) that a request shows; undefined when it shows none: no tokens, or implausible
 * numbers.
 */
export const observedRatio = ({
  characters,
  promptTokens,
  attachmentTokens = 0,
}: Omit<CalibrationObservation, 'model'>): number | undefined => {
  const tokens = promptTokens - attachmentTokens
  if (!(tokens > 0 && characters > 0)) return undefined
  const seen = characters / tokens
  return seen >= LOWEST_PLAUSIBLE && seen <= HIGHEST_PLAUSIBLE ? seen : undefined
}

/**
 * The ratio (characters per token) after one more request: a moving average, within plausible bounds. Undefined when
 * nothing can be learned from the request; then `old` stays.
 */
export const learnRatio = (old: number, observation: Omit<CalibrationObservation, 'model'>): number | undefined => {
  const seen = observedRatio(observation)
  return seen === undefined ? undefined : boundedRatio(WEIGHT_OF_OLD * old + (1 - WEIGHT_OF_OLD) * seen)
}

/**
 * The valid ratios of a state that was read from a file. Those out of bounds are brought into them; empty for anything
 * else.
 */
const restore = (initial: unknown): Map<string, number> => {
  const ratios = isJsonObject(initial) ? initial['ratios'] : undefined
  const usable = Object.entries(isJsonObject(ratios) ? ratios : {}).flatMap(([model, ratio]) =>
    typeof ratio === 'number' && Number.isFinite(ratio) ? [[model, boundedRatio(ratio)] as const] : [],
  )
  return new Map(usable)
}

/**
 * Makes a calibration.
 * @param initial a `CalibrationState`, which may come from a file: what can't be used in it is left out
 * @param startOf where a model starts, e.g. `ModelFacts.charsPerToken`; default 2.5
 */
export const createCalibration = (
  initial?: unknown,
  startOf: (model: string) => number = () => START_RATIO,
): Calibration => {
  const learned = restore(initial)
  const ratio = (model: string): number => learned.get(model) ?? boundedRatio(startOf(model))
  return {
    ratio,
    observe: (observation) => {
      const next = learnRatio(ratio(observation.model), observation)
      if (next === undefined) return false
      learned.set(observation.model, next)
      return true
    },
    state: () => ({ ratios: Object.fromEntries(learned) }),
  }
}
