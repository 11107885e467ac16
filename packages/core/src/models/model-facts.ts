/**
 * What a context policy must know of a model: how much fits, how long a reply may get, and what the
 * provider's cache does. The user's own table counts first, then a size in the model's name, then our table,
 * then the price list (where it is given), then careful defaults.
 */
import type { ModelOverride, ModelOverrides } from './model-overrides.ts'
import {
  MODEL_FAMILIES,
  MODEL_LIMITS,
  UNKNOWN_MODEL,
  type CacheKind,
  type ModelTraits,
  type ThinkingSignature,
} from './known-models.ts'
import { parseModelName } from './parse-model-name.ts'

/** What is known of a model; sizes in tokens. */
export interface ModelFacts {
  /** The name as it was asked for. */
  readonly id: string
  /** Tokens of input and reply together. */
  readonly contextWindow: number
  /** Tokens that the input may have at most, where the provider takes less than the window. */
  readonly maxInputTokens?: number
  readonly maxOutputTokens: number
  /** A shorter prefix is not cached; tokens. */
  readonly minimumCacheableTokens: number
  readonly cache: CacheKind
  /** How long a cached prefix stays when nobody asks for it; 0 without a cache. */
  readonly cacheLifetimeSeconds: number
  /** Characters per token to estimate with until the real ratio is learned. */
  readonly charsPerToken: number
  /** What the signatures of its reasoning are bound to; `bound-to-turn` where nothing is known. */
  readonly thinkingSignature: ThinkingSignature
  /** False when the window is only our default: then ask the user, or compress early. */
  readonly known: boolean
}

/** What the price list says of a model (`price-list.ts`). */
export interface ListedModel {
  readonly contextWindow?: number
  /** Cached input has a price, so there is a cache. */
  readonly hasCache: boolean
}

/** Finds a model in the price list. */
export type ListedModelLookup = (model: string, provider?: string) => ListedModel | undefined

/** The user's overrides, and the price list. */
export interface ModelFactsOptions {
  /** As the agent names it, e.g. `openrouter`. */
  readonly provider?: string | undefined
  /** The user's table, checked by `parseModelOverrides`. */
  readonly overrides?: ModelOverrides | undefined
  /** The price list, which is loaded by `createModelCatalog`: it is too large for a program's start. */
  readonly listed?: ListedModelLookup | undefined
}

/** A cache that the price list shows, of which nothing else is known. */
const LISTED_CACHE: ModelTraits = { cache: 'automatic', cacheLifetimeSeconds: 300 }

/** The traits of the first of the names that a pattern fits; undefined without one. */
const traitsOf = (
  table: readonly (readonly [RegExp, ModelTraits])[],
  names: readonly string[],
): ModelTraits | undefined => {
  for (const name of names) {
    const row = table.find(([pattern]) => pattern.test(name))
    if (row !== undefined) return row[1]
  }
  return undefined
}

/**
 * The user's facts of a model by its closest spelling: as written, then the last part of its path, then the bare names.
 * Case does not count. Undefined if the table has none of them.
 */
const overrideOf = (
  overrides: ModelOverrides | undefined,
  model: string,
  names: readonly string[],
): ModelOverride | undefined => {
  if (overrides === undefined) return undefined
  const written = model.trim().toLowerCase()
  const spellings = [written, written.slice(written.lastIndexOf('/') + 1), ...names]
  const rows = Object.entries(overrides).map(([key, value]) => [key.trim().toLowerCase(), value] as const)
  for (const spelling of spellings) {
    const row = rows.find(([key]) => key === spelling)
    if (row !== undefined) return row[1]
  }
  return undefined
}

/**
 * The facts of a model. Never fails: for an unknown name they are 128,000 tokens of window, 8,192 of reply, no cache,
 * and `known` is false. An override counts before what the name says, that before our tables, these before the price
 * list.
 */
export const modelFacts = (model: string, options: ModelFactsOptions = {}): ModelFacts => {
  const known = knownFacts(model, options)
  const { override, namedWindow, limits, family, listed } = known
  const contextWindow = override?.contextWindow ?? namedWindow ?? limits?.contextWindow ?? listed?.contextWindow
  const traits: typeof UNKNOWN_MODEL = {
    ...UNKNOWN_MODEL,
    ...(listed?.hasCache === true ? LISTED_CACHE : {}),
    ...family,
    ...limits,
    ...override,
  }
  return {
    id: model,
    contextWindow: contextWindow ?? UNKNOWN_MODEL.contextWindow,
    ...maxInputOf(known),
    maxOutputTokens: traits.maxOutputTokens,
    minimumCacheableTokens: traits.minimumCacheableTokens,
    cache: traits.cache,
    cacheLifetimeSeconds: traits.cache === 'none' ? 0 : traits.cacheLifetimeSeconds,
    charsPerToken: traits.charsPerToken,
    thinkingSignature: traits.thinkingSignature,
    known: contextWindow !== undefined,
  }
}

/**
 * Whether the longest reply of a model is known, from the user's table or what comes with Cairn; else `modelFacts`
 * gives a careful default. `overrides`: the user's table.
 */
export const knowsLongestReply = (model: string, overrides?: ModelOverrides): boolean => {
  const { override, limits } = knownFacts(model, { overrides })
  return (override?.maxOutputTokens ?? limits?.maxOutputTokens) !== undefined
}

/** Whether the user's own table gives the model's window; false without a table. */
export const hasOwnWindow = (model: string, overrides?: ModelOverrides): boolean =>
  overrideOf(overrides, model, parseModelName(model).names)?.contextWindow !== undefined

/**
 * What each source says of a model, undefined for those that say nothing. The price list is asked only if our tables
 * lack its window or cache.
 */
const knownFacts = (model: string, options: ModelFactsOptions) => {
  const { names, contextWindow: namedWindow } = parseModelName(model)
  const limits = traitsOf(MODEL_LIMITS, names)
  const family = traitsOf(MODEL_FAMILIES, names)
  const needsList = limits?.contextWindow === undefined || family?.cache === undefined
  return {
    override: overrideOf(options.overrides, model, names),
    namedWindow,
    limits,
    family,
    listed: needsList ? options.listed?.(model, options.provider) : undefined,
  }
}

/**
 * The limit of the input as a field, empty without one; one that came with our table's window does not hold for another
 * window.
 */
const maxInputOf = ({
  override,
  namedWindow,
  limits,
}: Pick<ReturnType<typeof knownFacts>, 'override' | 'namedWindow' | 'limits'>): Pick<ModelFacts, 'maxInputTokens'> => {
  const isOwnWindow = override?.contextWindow === undefined && namedWindow === undefined
  const maxInputTokens = override?.maxInputTokens ?? (isOwnWindow ? limits?.maxInputTokens : undefined)
  return maxInputTokens === undefined ? {} : { maxInputTokens }
}
