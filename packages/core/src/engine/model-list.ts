/**
 * Everything known about the models of the price list and other named models: facts, prices, and which are current. The
 * data is loaded on demand.
 */
import type { ContextPrices } from '../context/policy.ts'
import type { ModelFacts } from '../models/model-facts.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { PriceOverride } from '../usage/price-book.ts'

/** USD per million tokens, for requests of ordinary size; null if the price or such a cache is unknown. */
export interface ModelPrices {
  readonly input: number
  /** Input read from the provider's cache. */
  readonly cacheRead: number | null
  /** Input written to the cache for five minutes, or for the provider's default lifetime. */
  readonly cacheWrite: number | null
  readonly cacheWrite1h: number | null
  readonly output: number
}

/** A model, by name. */
export interface NamedModel {
  /** Its name in requests. */
  readonly id: string
  /** From the price list; null for a model that is not in it. */
  readonly provider: string | null
  /** The newest of its series at the provider that makes it. */
  readonly isCurrent: boolean
  /** The provider has removed it or plans to. */
  readonly isDeprecated: boolean
}

/** A model with everything known about it. */
export interface KnownModel extends NamedModel {
  /** Tokens of input and reply together; null if unknown. */
  readonly contextWindow: number | null
  /** Whether the window was set by the user. */
  readonly isOwnWindow: boolean
  readonly maxOutputTokens: number | null
  readonly cache: ModelFacts['cache']
  /** Lifetime of an automatically cached prefix. */
  readonly cacheLifetimeSeconds: number
  readonly prices: ModelPrices | null
  /** Whether the prices were set by the user. */
  readonly isOwnPrice: boolean
}

export interface KnownModels {
  readonly providers: readonly { readonly id: string; readonly title: string }[]
  /** The whole price list, by provider. */
  readonly models: readonly NamedModel[]
  /**
   * A model used in requests, by name, with its provider if the list has it. Never fails; whether it is current or
   * deprecated is not looked up (both false).
   */
  named(id: string): NamedModel
  /** Everything known about a model: window, longest reply, prices, cache. Never fails; unknown values are null. */
  describe(model: NamedModel): KnownModel
}

export interface KnownModelsOptions {
  /** The time (ms) for which prices apply. */
  readonly at: number
  readonly prices?: Readonly<Record<string, PriceOverride>>
  /** The user's own facts by model, see `ModelOverride`; they take precedence. */
  readonly facts?: unknown
}

const FIVE_MINUTES = 300
const AN_HOUR = 3600

type PricesFrom = (book: PriceBook, model: string, at: number, cacheLifetime: number) => ContextPrices | undefined

/** The price book with every question asked for one provider; the same book for null. */
const bookOf = (book: PriceBook, provider: string | null): PriceBook =>
  provider === null
    ? book
    : {
        cost: (query, usage) => book.cost({ ...query, provider }, usage),
        split: (query, usage) => book.split({ ...query, provider }, usage),
      }

/**
 * The prices of a model at a time; null if unknown. Those of a cache that the provider does not have are null. USD per
 * million tokens.
 */
const pricesOf = (
  pricesFrom: PricesFrom,
  book: PriceBook,
  { id, at, cache }: { readonly id: string; readonly at: number; readonly cache: ModelFacts['cache'] },
): ModelPrices | null => {
  const short = pricesFrom(book, id, at, FIVE_MINUTES)
  if (short === undefined) return null
  const isCached = cache !== 'none'
  return {
    input: short.input,
    cacheRead: isCached ? short.read : null,
    cacheWrite: isCached ? short.write : null,
    cacheWrite1h: cache === 'anthropic' ? (pricesFrom(book, id, at, AN_HOUR)?.write ?? null) : null,
    output: short.output,
  }
}

/**
 * Loads the price list and validates the user's own facts and prices; the result then answers synchronously. `at` (ms)
 * is the time for which prices apply.
 * @throws CairnError `invalid-input` for invalid facts or prices.
 */
export const knownModels = async ({ at, prices = {}, facts }: KnownModelsOptions): Promise<KnownModels> => {
  const [
    listing,
    { currentModels },
    { createModelCatalog },
    known,
    { createPriceBook },
    { modelSpellings },
    { pricesFrom },
  ] = await Promise.all([
    import('../models/listed-models.ts'),
    import('../models/current-models.ts'),
    import('../models/model-catalog.ts'),
    import('../models/model-facts.ts'),
    import('../usage/price-book.ts'),
    import('../usage/model-spellings.ts'),
    import('../replay/prices.ts'),
  ])
  const overrides =
    facts === undefined ? undefined : (await import('../models/model-overrides.ts')).parseModelOverrides(facts)
  const [catalog, listed] = await Promise.all([createModelCatalog(overrides), listing.listedProviders()])
  const book = createPriceBook({ overrides: prices })
  const ownPrices = new Set(Object.keys(prices).map((name) => name.toLowerCase()))
  const hasOwnPrice = (name: string): boolean =>
    ownPrices.has(name) || ownPrices.has(name.slice(name.lastIndexOf('/') + 1))

  // A model on the user's own machine is no provider's, whoever else offers one of that name.
  const providerOf = (id: string): string | null =>
    modelSpellings(id).length === 0 ? null : (listing.listedProviderOf(id) ?? null)

  return {
    providers: listed.map(({ id, title }) => ({ id, title })),
    models: listed.flatMap(({ id: provider, models }) => {
      const offered = models.filter(({ isDeprecated }) => !isDeprecated).map(({ id }) => id)
      const current = new Set(currentModels(provider, offered))
      return models.map(({ id, isDeprecated }) => ({ id, provider, isCurrent: current.has(id), isDeprecated }))
    }),
    named: (id) => ({ id, provider: providerOf(id), isCurrent: false, isDeprecated: false }),
    /** The user's own facts and prices come before the list's; a value that is not known is null. */
    describe: (model) => {
      const { id, provider } = model
      const found = catalog.facts(id, provider ?? undefined)
      const { cache, cacheLifetimeSeconds } = found
      return {
        ...model,
        contextWindow: found.known ? found.contextWindow : null,
        isOwnWindow: known.hasOwnWindow(id, overrides),
        maxOutputTokens: known.knowsLongestReply(id, overrides) ? found.maxOutputTokens : null,
        cache,
        cacheLifetimeSeconds,
        prices: pricesOf(pricesFrom, bookOf(book, provider), { id, at, cache }),
        isOwnPrice: hasOwnPrice(id.trim().toLowerCase()),
      }
    },
  }
}
