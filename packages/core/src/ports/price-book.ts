/**
 * Token classes and their prices. Prices differ by model, provider and day, and some by the size of a request.
 * `TOKEN_CLASSES` is the only list of classes: totals, rates, columns, SQL and views are derived from it.
 */
import type { NanoUsd } from '../money.ts'

/** Tokens of one request in disjoint classes: no token is counted twice. */
export interface TokenUsage {
  /** Input that was neither read from nor written to the provider's cache. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWrite5mTokens: number
  readonly cacheWrite1hTokens: number
  /** Lifetimes that only some providers offer; absent: 0. */
  readonly cacheWrite30mTokens?: number
  readonly cacheWrite12hTokens?: number
  /** Everything the model produced, including reasoning. */
  readonly outputTokens: number
  /** The part of `outputTokens` that was reasoning, if reported. */
  readonly reasoningTokens?: number
}

interface TokenClassRow {
  /** The field in {@link TokenUsage} and in usage totals. */
  readonly field: keyof TokenUsage
  /** The database column for counts and their sums. */
  readonly column: string
  /** The name in a model's rates and in prices set by a user. */
  readonly rate: string
  /** The class whose price applies if the user set none; absent: a price must be set. */
  readonly priceLike?: string
  /** Fields of the price list; the first that has a price counts. An input class without any costs the input price. */
  readonly listPrices: readonly string[]
  /** The counts of the price list that include its tokens; classes overlap there. */
  readonly listCounts: readonly ListCount[]
  /** The part of the cost to which they belong. */
  readonly costPart: Exclude<keyof CostSplit, 'savedNano'>
  /** Requests may omit it, so importers of agents that never report it need not mention it. */
  readonly isOptional?: true
  /** Part of the request's input; otherwise produced by the model. */
  readonly isInput: boolean
}

/** The counts used by the price list. */
export type ListCount =
  'input_tokens' | 'cache_read_tokens' | 'cache_write_tokens' | 'cache_write_1h_tokens' | 'output_tokens'

/** All token classes in display and payment order, one row per class. */
export const TOKEN_CLASSES = [
  {
    field: 'inputTokens',
    column: 'input_tokens',
    rate: 'input',
    listPrices: ['input_mtok'],
    listCounts: ['input_tokens'],
    costPart: 'inputNano',
    isInput: true,
  },
  {
    field: 'cacheReadTokens',
    column: 'cache_read',
    rate: 'cacheRead',
    priceLike: 'input',
    listPrices: ['cache_read_mtok'],
    listCounts: ['input_tokens', 'cache_read_tokens'],
    costPart: 'cacheReadNano',
    isInput: true,
  },
  {
    field: 'cacheWrite5mTokens',
    column: 'cache_write_5m',
    rate: 'cacheWrite5m',
    priceLike: 'input',
    listPrices: ['cache_write_5m_mtok', 'cache_write_mtok'],
    listCounts: ['input_tokens', 'cache_write_tokens'],
    costPart: 'cacheWriteNano',
    isInput: true,
  },
  {
    field: 'cacheWrite1hTokens',
    column: 'cache_write_1h',
    rate: 'cacheWrite1h',
    priceLike: 'cacheWrite5m',
    listPrices: ['cache_write_1h_mtok', 'cache_write_mtok'],
    listCounts: ['input_tokens', 'cache_write_tokens', 'cache_write_1h_tokens'],
    costPart: 'cacheWriteNano',
    isInput: true,
  },
  {
    field: 'cacheWrite30mTokens',
    column: 'cache_write_30m',
    rate: 'cacheWrite30m',
    priceLike: 'cacheWrite5m',
    listPrices: ['cache_write_30m_mtok', 'cache_write_mtok'],
    listCounts: ['input_tokens', 'cache_write_tokens'],
    costPart: 'cacheWriteNano',
    isOptional: true,
    isInput: true,
  },
  {
    field: 'cacheWrite12hTokens',
    column: 'cache_write_12h',
    rate: 'cacheWrite12h',
    priceLike: 'cacheWrite30m',
    listPrices: ['cache_write_12h_mtok', 'cache_write_mtok'],
    listCounts: ['input_tokens', 'cache_write_tokens'],
    costPart: 'cacheWriteNano',
    isOptional: true,
    isInput: true,
  },
  {
    field: 'outputTokens',
    column: 'output_tokens',
    rate: 'output',
    listPrices: ['output_mtok'],
    listCounts: ['output_tokens'],
    costPart: 'outputNano',
    isInput: false,
  },
] as const satisfies readonly TokenClassRow[]

export type TokenClass = (typeof TOKEN_CLASSES)[number]

/** All token counts that are summed: the classes, and the reasoning part of the output. */
export const TOKEN_COUNTS = [
  ...TOKEN_CLASSES,
  { field: 'reasoningTokens', column: 'reasoning_tokens' },
] as const satisfies readonly Pick<TokenClassRow, 'field' | 'column'>[]

export type TokenField = (typeof TOKEN_COUNTS)[number]['field']
export type TokenColumn = (typeof TOKEN_COUNTS)[number]['column']
/** A number of tokens, or a sum, for each of {@link TOKEN_COUNTS}. */
export type TokenSums = Readonly<Record<TokenField, number>>

/** The prices that a user can set for a model, in the order of the classes. */
export const PRICE_FIELDS: readonly { readonly name: TokenClass['rate']; readonly isRequired: boolean }[] =
  TOKEN_CLASSES.map((tokenClass) => ({ name: tokenClass.rate, isRequired: !('priceLike' in tokenClass) }))

/** A request without any tokens. */
export const NO_TOKENS: Readonly<Record<TokenClass['field'], number>> = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  cacheWrite30mTokens: 0,
  cacheWrite12hTokens: 0,
  outputTokens: 0,
}

/** The count of a request, in tokens; 0 if it was not reported. */
export const tokenCount = (usage: Readonly<Partial<Record<TokenField, number>>>, field: TokenField): number =>
  usage[field] ?? 0

const CACHE_WRITES = TOKEN_CLASSES.filter(({ costPart }) => costPart === 'cacheWriteNano')

/** Input written to the provider's cache with any lifetime, in tokens. */
export const cacheWriteTokens = (usage: Partial<TokenUsage>): number =>
  CACHE_WRITES.reduce((sum, { field }) => sum + tokenCount(usage, field), 0)

/** Creates an object with a count for every token field, by calling `count` once for each. */
export const mapTokens = (count: (field: TokenField) => number): TokenSums => {
  const sums: Record<TokenField, number> = { ...NO_TOKENS, reasoningTokens: 0 }
  for (const { field } of TOKEN_COUNTS) sums[field] = count(field)
  return sums
}

/** A request's tokens with every class; omitted ones are 0. */
type PickedTokens = Readonly<Record<TokenClass['field'], number>> & Pick<TokenUsage, 'reasoningTokens'>

/** Only the tokens of an object, as a new one; unreported classes become 0, unreported reasoning stays absent. */
export const pickTokens = (usage: TokenUsage): PickedTokens => {
  const picked: { -readonly [Field in keyof PickedTokens]: PickedTokens[Field] } = { ...NO_TOKENS }
  for (const { field } of TOKEN_COUNTS) {
    const tokens = usage[field]
    if (tokens !== undefined) picked[field] = tokens
  }
  return picked
}

export interface PriceQuery {
  readonly model: string
  readonly provider?: string | undefined
  /** Time of the request (ms); the prices of that time apply. */
  readonly at: number
}

/** A cost by part; the four parts add up to it exactly. */
export interface CostSplit {
  readonly inputNano: NanoUsd
  readonly cacheReadNano: NanoUsd
  /** All lifetimes together. */
  readonly cacheWriteNano: NanoUsd
  readonly outputNano: NanoUsd
  /**
   * What caching saved: the price of the same request with all input uncached, minus its cost. Negative if writes cost
   * more than reads saved.
   */
  readonly savedNano: NanoUsd
}

export interface PriceBook {
  /** The cost of one request; undefined if the model has no known price (unpriced, never 0). */
  cost(query: PriceQuery, usage: TokenUsage): NanoUsd | undefined
  /**
   * The cost of one request by part, adding up to `cost`; undefined without a known price, and if a price can't be
   * split by class.
   */
  split(query: PriceQuery, usage: TokenUsage): CostSplit | undefined
}
