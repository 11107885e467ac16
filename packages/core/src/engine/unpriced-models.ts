/**
 * Why requests have no cost: their model has no known price, or it has one but the agent did not record their input.
 */
import type { UsageQuery, UsageRow, UsageStorage } from '../ports/usage-storage.ts'
import { knownModels } from './model-list.ts'

/** A model and its number of requests without a cost, at least one. */
export interface UnpricedModel {
  readonly model: string
  readonly requests: number
}

/** All requests without a cost, each model once, in the order of usage by model. */
export interface UnpricedModels {
  /** Models whose price is in neither the price list nor the user's settings. */
  readonly withoutPrice: readonly UnpricedModel[]
  /**
   * Models with a price: the input of these requests was not recorded, or they were imported before the price was
   * known.
   */
  readonly withPrice: readonly UnpricedModel[]
}

/**
 * The models of the query's requests without a cost; both lists are empty if every request has one. The query's
 * grouping and limit don't matter. Rejects as the report does.
 * @param now ms; the price list is that of this time
 */
export const unpricedModels = async (
  usage: Pick<UsageStorage, 'report'>,
  { limit: _limit, ...query }: Omit<UsageQuery, 'by'>,
  now: number,
): Promise<UnpricedModels> => {
  const { rows } = await usage.report({ ...query, by: 'model' })
  const unpriced = rows.filter((row) => row.unpricedRequests > 0)
  if (unpriced.length === 0) return { withoutPrice: [], withPrice: [] }
  const models = await knownModels({ at: now })
  // Of the user's own prices, requests with a cost tell.
  const hasPrice = ({ key, requests, unpricedRequests }: UsageRow): boolean =>
    unpricedRequests < requests || models.describe(models.named(key)).prices !== null
  const named = (some: readonly UsageRow[]): readonly UnpricedModel[] =>
    some.map(({ key, unpricedRequests }) => ({ model: key, requests: unpricedRequests }))
  return {
    withoutPrice: named(unpriced.filter((row) => !hasPrice(row))),
    withPrice: named(unpriced.filter(hasPrice)),
  }
}
