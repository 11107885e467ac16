/** Facts of models with everything that is known: the user's table, ours, and the price list. */
import { modelFacts, type ModelFacts } from './model-facts.ts'

/** Looks up model facts; keeps what it found. */
export interface ModelCatalog {
  /** As `modelFacts`; asked again, it costs a look into a map. */
  facts(model: string, provider?: string): ModelFacts
}

/** No user has that many models; one that makes names up must not fill the memory. */
const CACHE_LIMIT = 1024

/**
 * Loads the price list and checks the user's table.
 * @param userTable models by name with facts of theirs, as read from a file; see `ModelOverride`
 * @throws CairnError `invalid-input` for a table that can't be used.
 */
export const createModelCatalog = async (userTable?: unknown): Promise<ModelCatalog> => {
  const { listedModel: listed } = await import('./price-list.ts')
  const overrides =
    userTable === undefined ? undefined : (await import('./model-overrides.ts')).parseModelOverrides(userTable)
  const cache = new Map<string, ModelFacts>()
  return {
    facts: (model, provider) => {
      const key = JSON.stringify([model, provider])
      const known = cache.get(key)
      if (known !== undefined) return known
      if (cache.size >= CACHE_LIMIT) cache.clear()
      const facts = modelFacts(model, { provider, overrides, listed })
      cache.set(key, facts)
      return facts
    },
  }
}
