/**
 * Everything that is known of the models of the price list and of others that are named: facts, prices, and which of them
 * are current. What it stands on is loaded when it is asked for.
 */
import type { ContextPrices } from '../context/policy.ts'
import type { ModelFacts } from '../models/model-facts.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { PriceOverride } from '../usage/price-book.ts'

/** USD per million tokens, for requests of ordinary size; null where the price or such a cache is not known. */
export interface ModelPrices {
  readonly input: number
  /** Input read from the provider's cache. */
  readonly cacheRead: number | null
  /** Input written to it for five minutes, or as long as the provider's default is. */
  readonly cacheWrite: number | null
  readonly cacheWrite1h: number | null
  readonly output: number
}

/** A model by its name. */
export interface NamedModel {
  /** As requests name it. */
  readonly id: string
  /** Of the price list; null for a model that it does not have. */
  readonly provider: string | null
  /** The newest of its series at the provider that makes it. */
  readonly isCurrent: boolean
  /** The provider means to take it away, or has. */
  readonly isDeprecated: boolean
}

/** A model with what is known of it. */
export interface KnownModel extends NamedModel {
  /** Tokens of input and reply together; null where it is not known. */
  readonly contextWindow: number | null
  /** The window is the user's own. */
  readonly isOwnWindow: boolean
  readonly maxOutputTokens: number | null
  readonly cache: ModelFacts['cache']
  /** Of a cached prefix that nobody asks for. */
  readonly cacheLifetimeSeconds: number
  readonly prices: ModelPrices | null
  /** The prices are the user's own. */
  readonly isOwnPrice: boolean
}

export interface KnownModels {
  readonly providers: readonly { readonly id: string; readonly title: string }[]
  /** All of the price list, provider by provider. */
  readonly models: readonly NamedModel[]
  /** The name of a model that requests were made to, with its provider where the list knows it. */
  named(id: string): NamedModel
  /** All that is known of a model: window, longest reply, prices, cache. Never fails: what is not known is null. */
  describe(model: NamedModel): KnownModel
}

export interface KnownModelsOptions {
  /** The prices are those of this time (ms). */
  readonly at: number
  readonly prices?: Readonly<Record<string, PriceOverride>>
  /** The user's own facts by model, see `ModelOverride`; they count first. */
  readonly facts?: unknown
}

const FIVE_MINUTES = 300
const AN_HOUR = 3600

type PricesFrom = (book: PriceBook, model: string, at: number, cacheLifetime: number) => ContextPrices | undefined

/** A price book of one provider. */
const bookOf = (book: PriceBook, provider: string | null): PriceBook =>
  provider === null
    ? book
    : {
        cost: (query, usage) => book.cost({ ...query, provider }, usage),
        split: (query, usage) => book.split({ ...query, provider }, usage),
      }

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
 * Loads the price list and checks the user's own facts and prices; what it returns then answers without waiting. `at`
 * (ms): the time as of which prices hold.
 * @throws CairnError `invalid-input` for facts or prices that can't be used.
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
    import('../usage/model-names.ts'),
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
