/**
 * Token classes, and what they cost. Prices differ by model, provider and day, and some by the size of a request.
 * `TOKEN_CLASSES` is the only list of classes: totals, rates, columns, SQL and views are made from it.
 */
import type { NanoUsd } from '../money.ts'

/** Tokens of one request in disjoint classes: no token stands in two of them. */
export interface TokenUsage {
  /** Input that was neither read from nor written to the provider's cache. */
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWrite5mTokens: number
  readonly cacheWrite1hTokens: number
  /** Lifetimes that only some providers have; absent: 0. */
  readonly cacheWrite30mTokens?: number
  readonly cacheWrite12hTokens?: number
  /** Everything that the model produced, reasoning included. */
  readonly outputTokens: number
  /** The part of `outputTokens` that was reasoning, where told. */
  readonly reasoningTokens?: number
}

interface TokenClassRow {
  /** Of {@link TokenUsage} and of usage totals. */
  readonly field: keyof TokenUsage
  /** Of the database, for counts and for sums of them. */
  readonly column: string
  /** Of a model's rates, and of a price that a user sets. */
  readonly rate: string
  /** Whose price the class has where the user set none; absent: a price must be set. */
  readonly priceLike?: string
  /** Of the price list: the first of these prices counts; an input class without any costs what input does. */
  readonly listPrices: readonly string[]
  /** The counts of the price list that its tokens are part of; there classes overlap. */
  readonly listCounts: readonly ListCount[]
  /** The part of the cost that they are paid in. */
  readonly costPart: Exclude<keyof CostSplit, 'savedNano'>
  /** Requests may leave it out: importers of agents that never report it need not name it. */
  readonly isOptional?: true
  /** Part of the request's input; else the model produced them. */
  readonly isInput: boolean
}

/** What the price list counts. */
export type ListCount =
  'input_tokens' | 'cache_read_tokens' | 'cache_write_tokens' | 'cache_write_1h_tokens' | 'output_tokens'

/** All token classes, in the order in which they are shown and paid: one row a class. */
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

/** Everything about a request's tokens that is counted and summed: the classes, and the part of the output that was reasoning. */
export const TOKEN_COUNTS = [
  ...TOKEN_CLASSES,
  { field: 'reasoningTokens', column: 'reasoning_tokens' },
] as const satisfies readonly Pick<TokenClassRow, 'field' | 'column'>[]

export type TokenField = (typeof TOKEN_COUNTS)[number]['field']
export type TokenColumn = (typeof TOKEN_COUNTS)[number]['column']
/** A number of tokens, or a sum of them, for each of {@link TOKEN_COUNTS}. */
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

/** The count of a request, in tokens; 0 where it was not reported. */
export const tokenCount = (usage: Readonly<Partial<Record<TokenField, number>>>, field: TokenField): number =>
  usage[field] ?? 0

const CACHE_WRITES = TOKEN_CLASSES.filter(({ costPart }) => costPart === 'cacheWriteNano')

/** Input that was written to the provider's cache, for whatever lifetime, in tokens. */
export const cacheWriteTokens = (usage: Partial<TokenUsage>): number =>
  CACHE_WRITES.reduce((sum, { field }) => sum + tokenCount(usage, field), 0)

/** An object with a count for every token field: what `count` returns for it. `count` is called once for each. */
export const mapTokens = (count: (field: TokenField) => number): TokenSums => {
  const sums: Record<TokenField, number> = { ...NO_TOKENS, reasoningTokens: 0 }
  for (const { field } of TOKEN_COUNTS) sums[field] = count(field)
  return sums
}

/** A request's tokens with every class, 0 for those that were left out. */
type PickedTokens = Readonly<Record<TokenClass['field'], number>> & Pick<TokenUsage, 'reasoningTokens'>

/**
 * A request's tokens without whatever else the object holds; classes that were not reported are 0, reasoning that was
 * not is left out.
 */
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
  /** When the request was made (ms): historic prices apply. */
  readonly at: number
}

/** A cost by what it was paid for; the four parts add up to it exactly. */
export interface CostSplit {
  readonly inputNano: NanoUsd
  readonly cacheReadNano: NanoUsd
  /** Of all lifetimes. */
  readonly cacheWriteNano: NanoUsd
  readonly outputNano: NanoUsd
  /** What caching saved: the price of the same request with all of its input uncached, less its cost. Negative when writes cost more than reads saved. */
  readonly savedNano: NanoUsd
}

export interface PriceBook {
  /** What one request cost; undefined when the model has no known price (unpriced, never 0). */
  cost(query: PriceQuery, usage: TokenUsage): NanoUsd | undefined
  /**
   * What one request cost, by its parts, which add up to `cost`; undefined without a known price, and where a price
   * can't be told apart by class.
   */
  split(query: PriceQuery, usage: TokenUsage): CostSplit | undefined
}
