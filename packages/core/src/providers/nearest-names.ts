/** Adds the names that are near to those of the provider when it does not know a model. */
import { nearestModels } from '../models/nearest-models.ts'
import { ModelError, type ModelRequest } from '../ports/language-model.ts'

/**
 * A function that adds the nearest known models of a provider to the sentence of an `unknown-model` error; any other
 * error is returned as it is.
 * @param provider as the price list names it
 */
export const withNearestModels =
  (provider: string) =>
  async (error: ModelError, { model }: Pick<ModelRequest, 'model'>): Promise<ModelError> => {
    if (error.code !== 'unknown-model') return error
    const nearest = await nearestModels(model, { provider })
    if (nearest.length === 0) return error
    return new ModelError(error.code, `${error.message} Nearest: ${nearest.join(', ')}.`, error.details)
  }
