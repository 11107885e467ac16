/**
 * What the price list of `@pydantic/genai-prices` knows of a model beside its price: the window, and whether
 * cached input has a price. The list is 0.8 MB of code, so nothing that a program starts with may import this.
 */
import { calcPrice, type ModelInfo } from '@pydantic/genai-prices'
import type { ListedModel, ListedModelLookup } from './model-facts.ts'
import { parseModelName } from './parse-model-name.ts'

/** Windows do not change by the day: any time will do, and a fixed one gives the same answer every time. */
const ANY_DAY = new Date(0)

/** Whether a model's prices tell one of cached input, at any time. */
const hasCachePrice = ({ prices }: ModelInfo): boolean => {
  const lists = Array.isArray(prices) ? prices.map((conditional) => conditional.prices) : [prices]
  return lists.some((price) => price['cache_read_mtok'] !== undefined)
}

/** A model of the list; undefined where it is not there. */
const find = (model: string, provider: string | undefined): ListedModel | undefined => {
  const options = { timestamp: ANY_DAY, ...(provider === undefined ? {} : { providerId: provider }) }
  const found = calcPrice({ input_tokens: 0 }, model, options)?.model
  if (found === undefined) return undefined
  const { context_window: contextWindow } = found
  return { ...(contextWindow === undefined ? {} : { contextWindow }), hasCache: hasCachePrice(found) }
}

/**
 * Looks a model up as it is written, and by its bare name; with its provider first. A row without a window counts as
 * none, except OpenRouter's, which are asked last. Undefined where the list has none.
 */
export const listedModel: ListedModelLookup = (model, provider) => {
  const written = model.trim().toLowerCase()
  const path = written.split('/').filter((part) => part !== '')
  const told = provider?.trim().toLowerCase()
  const providers = [told, path.length > 1 ? path[0] : undefined].filter(
    (id): id is string => id !== undefined && id !== '',
  )
  const names = [...new Set([written, path.slice(1).join('/'), ...parseModelName(model).names])].filter(
    (name) => name !== '',
  )
  for (const id of [...providers, undefined]) {
    for (const name of names) {
      const found = find(name, id)
      if (found?.contextWindow !== undefined) return found
    }
  }
  // OpenRouter lists models of many small vendors, as `vendor/model`.
  return path.length > 1 ? find(path.slice(-2).join('/'), 'openrouter') : undefined
}
