/**
 * The price book: the prices of models, from the list of `@pydantic/genai-prices` (bundled with the package; nothing is
 * downloaded) and from the user's own table, which takes precedence. A price is looked up once per model, provider and
 * UTC day; each request is then computed here, in whole numbers.
 */
import { calcPrice, type ModelPrice, type PriceCalculation } from '@pydantic/genai-prices'
import { CairnError } from '../errors.ts'
import { nanoFromUsd, type NanoUsd } from '../money.ts'
import {
  NO_TOKENS,
  TOKEN_CLASSES,
  tokenCount,
  type ListCount,
  type PriceBook,
  type PriceQuery,
  type TokenClass,
  type TokenUsage,
} from '../ports/price-book.ts'
import { modelSpellings, type ModelSpelling } from './model-spellings.ts'
import { costByRates, splitByRates, femtoRate, flatRate, type Rate, type Rates } from './token-rates.ts'

/**
 * A user's own price of a model, USD per million tokens. Omitted prices are not zero: cache reads and writes cost the
 * `input` price, and writes for an hour the price of writes for five minutes.
 */
export type PriceOverride = Readonly<Record<RequiredPrice, number> & Partial<Record<OptionalPrice, number>>>

type OptionalPrice = Extract<TokenClass, { readonly priceLike: string }>['rate']
type RequiredPrice = Exclude<TokenClass['rate'], OptionalPrice>

export interface PriceBookOptions {
  /** By the model's name as the agent writes it, or its last part; case-insensitive. */
  readonly overrides?: Readonly<Record<string, PriceOverride>>
}

const DAY_MS = 86_400_000
/** A year of ten models; beyond that, prices are looked up again. */
const CACHE_LIMIT = 4096

/** What is known about a model on a day: rates, or a spelling that the library must price request by request. */
type Price = { readonly rates: Rates } | { readonly askLibrary: ModelSpelling } | undefined

/** Units that our requests never report, so their prices add nothing. */
const OTHER_UNITS = /audio|image|video|citation|search|second|page|character|storage|session|hour|tool/

const PRICED_KEYS: ReadonlySet<string> = new Set([
  ...TOKEN_CLASSES.flatMap(({ listPrices }) => listPrices),
  'output_reasoning_mtok',
  'requests_kcount',
])

/** A rate from a price, with its tiers in ascending order; undefined without a price. */
const toRate = (value: ModelPrice[string]): Rate | undefined => {
  if (value === undefined) return undefined
  if (typeof value === 'number') return flatRate(value)
  const tiers = value.tiers.map((tier) => ({ above: tier.start, rate: femtoRate(tier.price) }))
  return { base: femtoRate(value.base), tiers: tiers.sort((left, right) => left.above - right.above) }
}

type InputClass = Extract<TokenClass, { readonly isInput: true }>

const INPUT_CLASSES = TOKEN_CLASSES.filter((tokenClass): tokenClass is InputClass => tokenClass.isInput)

/** A rate for each class of input. */
const inputRates = (rateOf: (tokenClass: InputClass) => Rate): Readonly<Record<InputClass['rate'], Rate>> =>
  // Each rate is a row of the list.
  Object.fromEntries(INPUT_CLASSES.map((tokenClass) => [tokenClass.rate, rateOf(tokenClass)])) as Record<
    InputClass['rate'],
    Rate
  >

/**
 * Converts the library's price to rates. A class without its own price costs as much as the class that contains it: a
 * cached token is an input token. Undefined for an unknown shape.
 */
const toRates = (price: ModelPrice): Rates | undefined => {
  const isKnown = Object.keys(price).every((key) => PRICED_KEYS.has(key) || OTHER_UNITS.test(key))
  const input = toRate(price['input_mtok'])
  const perThousandRequests = price['requests_kcount'] ?? 0
  if (!isKnown || input === undefined || typeof perThousandRequests !== 'number') return undefined
  const own = ({ listPrices }: TokenClass): Rate | undefined =>
    listPrices.map((name) => toRate(price[name])).find((rate) => rate !== undefined)
  return {
    ...inputRates((tokenClass) => own(tokenClass) ?? input),
    output: toRate(price['output_mtok']),
    reasoning: toRate(price['output_reasoning_mtok']),
    request: femtoRate(perThousandRequests * 1000),
  }
}

/**
 * Asks the library, which counts cached tokens as part of the input; here the classes are disjoint. Undefined if it has
 * no price.
 * @param at ms
 */
const askLibrary = (spelling: ModelSpelling, at: number, usage: TokenUsage): PriceCalculation | undefined => {
  const counts: Record<ListCount, number> = {
    input_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: 0,
  }
  for (const { field, listCounts } of TOKEN_CLASSES)
    for (const name of listCounts) counts[name] += tokenCount(usage, field)
  const units = {
    ...counts,
    ...(usage.reasoningTokens === undefined ? {} : { output_reasoning_tokens: usage.reasoningTokens }),
  }
  const options = {
    timestamp: new Date(at),
    ...(spelling.provider === undefined ? {} : { providerId: spelling.provider }),
  }
  return calcPrice(units, spelling.model, options) ?? undefined
}

/**
 * The price of a model in the list, of the first spelling that has an input price there; undefined if none does. Where
 * the price changes within a day, or is of a kind that is not known here: the spelling alone, with which the library is
 * asked for each request.
 */
const lookUp = ({ model, provider, at }: PriceQuery): Price => {
  for (const spelling of modelSpellings(model, provider)) {
    const found = askLibrary(spelling, at, NO_TOKENS)
    if (found === undefined) continue
    // A list that names a model without any price for its input does not price it.
    if (found.model_price['input_mtok'] === undefined) continue
    const { prices } = found.model
    const changesWithinDay =
      Array.isArray(prices) &&
      prices.some(({ constraint }) => constraint !== undefined && constraint.type !== 'start_date')
    const rates = changesWithinDay ? undefined : toRates(found.model_price)
    return rates === undefined ? { askLibrary: spelling } : { rates }
  }
  return undefined
}

/** The rates of a user's own prices; throws `invalid-input` for an invalid price. Reasoning costs as output does. */
const toOverrideRates = (model: string, price: PriceOverride): Rates => {
  for (const [field, value] of Object.entries(price)) {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      throw new CairnError(
        'invalid-input',
        `The price '${field}' of '${model}' must be USD per million tokens, at least 0, not '${value}'.`,
      )
    }
  }
  return {
    ...inputRates((tokenClass) => flatRate(overridePrice(price, tokenClass))),
    output: flatRate(price.output),
    reasoning: undefined,
    request: 0n,
  }
}

/** The user's price for a class, or for the class on whose price it is based. */
const overridePrice = (price: PriceOverride, tokenClass: InputClass): number => {
  const own = price[tokenClass.rate]
  if (own !== undefined) return own
  const like = INPUT_CLASSES.find(({ rate }) => 'priceLike' in tokenClass && rate === tokenClass.priceLike)
  return like === undefined ? price.input : overridePrice(price, like)
}

/**
 * Creates a price book: the user's own prices if they name the model, otherwise those of the bundled price list. `cost`
 * and `split` give undefined for a model without a price; `split` also where the list must be asked for each request.
 * @throws CairnError `invalid-input` for an override that is not an amount.
 */
export const createPriceBook = (options: PriceBookOptions = {}): PriceBook => {
  const overrides = new Map(
    Object.entries(options.overrides ?? {}).map(([model, price]) => [
      model.toLowerCase(),
      toOverrideRates(model, price),
    ]),
  )
  const cache = new Map<string, Price>()

  /** The user's rates for a model by its name or its last part, in any case; undefined if there are none. */
  const overrideOf = (model: string): Rates | undefined => {
    if (overrides.size === 0) return undefined
    const name = model.trim().toLowerCase()
    return overrides.get(name) ?? overrides.get(name.split('/').at(-1) ?? name)
  }

  /** An override before the list's price, remembered by model, provider and day; undefined without a price. */
  const priceOf = (query: PriceQuery): Price => {
    const key = JSON.stringify([query.model, query.provider, Math.floor(query.at / DAY_MS)])
    if (cache.has(key)) return cache.get(key)
    if (cache.size >= CACHE_LIMIT) cache.clear()
    const override = overrideOf(query.model)
    const price = override === undefined ? lookUp(query) : { rates: override }
    cache.set(key, price)
    return price
  }

  return {
    cost: (query, usage): NanoUsd | undefined => {
      const price = priceOf(query)
      if (price === undefined) return undefined
      if ('rates' in price) return costByRates(price.rates, usage)
      const found = askLibrary(price.askLibrary, query.at, usage)
      return found === undefined ? undefined : nanoFromUsd(found.total_price)
    },
    split: (query, usage) => {
      const price = priceOf(query)
      return price !== undefined && 'rates' in price ? splitByRates(price.rates, usage) : undefined
    },
  }
}
