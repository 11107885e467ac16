/**
 * Why requests have no cost: their model has no known price, or it has one but the agent did not record their input.
 */
import type { UsageQuery, UsageRow, UsageStorage, UsageTotals } from '../ports/usage-storage.ts'
import { isInputUnknown } from '../usage/totals.ts'
import { knownModels } from './model-list.ts'

/** A model and its number of requests without a cost, at least one. */
export interface UnpricedModel {
  readonly model: string
  readonly requests: number
}

/** A model with a price, and its requests without a cost. */
interface UncostedModel extends UnpricedModel {
  /** Whether the agents recorded the input of none of these requests; false where that is not known of all of them. */
  readonly isInputUnknown: boolean
}

/** All requests without a cost, each model once, in the order of usage by model. */
export interface UnpricedModels {
  /** Models whose price is in neither the price list nor the user's settings. */
  readonly withoutPrice: readonly UnpricedModel[]
  /**
   * Models with a price: the input of these requests was not recorded, or they were imported before the price was
   * known.
   */
  readonly withPrice: readonly UncostedModel[]
}

type Usage = Pick<UsageStorage, 'report'>
type Selected = Omit<UsageQuery, 'by' | 'limit'>

/** Whether none of the requests of a sum has a cost or recorded input. */
const isWithoutInput = (sum: UsageTotals): boolean => sum.unpricedRequests === sum.requests && isInputUnknown(sum)

/** Whether some of a model's requests have a cost, and others have not. */
const isMixed = ({ requests, unpricedRequests }: UsageTotals): boolean =>
  unpricedRequests > 0 && unpricedRequests < requests

/**
 * How many requests of each model are those of agents that record no input at all; undefined if every request without a cost
 * is theirs. Asked of these agents, who are few, because a model by agent reads as much for each model.
 */
const requestsOfBlindAgents = async (
  usage: Usage,
  query: Selected,
): Promise<ReadonlyMap<string, number> | undefined> => {
  const { rows } = await usage.report({ ...query, by: 'agent' })
  const agents = rows.filter((agent) => agent.unpricedRequests > 0)
  const blind = agents.filter(isWithoutInput)
  if (blind.length === agents.length) return undefined
  const requests = new Map<string, number>()
  for (const { key } of blind) {
    const models = await usage.report({ ...query, filter: { ...query.filter, agent: key }, by: 'model' })
    for (const row of models.rows) requests.set(row.key, (requests.get(row.key) ?? 0) + row.requests)
  }
  return requests
}

/** Whether a model's requests without a cost are those of agents that recorded no input at all of it. */
const isInputUnknownOf = async (usage: Usage, query: Selected, row: UsageRow): Promise<boolean> => {
  if (isWithoutInput(row)) return true
  if (row.unpricedRequests === row.requests) return false
  const { rows } = await usage.report({ ...query, filter: { ...query.filter, model: row.key }, by: 'agent' })
  return rows.every((agent) => agent.unpricedRequests === 0 || isWithoutInput(agent))
}

/**
 * The models of the query's requests without a cost; both lists are empty if every request has one. The query's
 * grouping and limit don't matter. Rejects as the report does.
 * @param now ms; the price list is that of this time
 */
export const unpricedModels = async (
  usage: Usage,
  { limit: _limit, ...query }: Omit<UsageQuery, 'by'>,
  now: number,
): Promise<UnpricedModels> => {
  const { rows } = await usage.report({ ...query, by: 'model' })
  const unpriced = rows.filter((row) => row.unpricedRequests > 0)
  if (unpriced.length === 0) return { withoutPrice: [], withPrice: [] }
  const ofBlind = unpriced.some(isMixed) ? await requestsOfBlindAgents(usage, query) : undefined
  const isOfBlind = (row: UsageRow): boolean =>
    isMixed(row) && (ofBlind === undefined || ofBlind.get(row.key) === row.unpricedRequests)
  const models = await knownModels({ at: now })
  // Computed costs tell of the user's own prices; what agents recorded tells of none.
  const isComputed = ({ requests, unpricedRequests, costNano, recordedCostNano }: UsageRow): boolean =>
    unpricedRequests < requests && (costNano > recordedCostNano || recordedCostNano === 0n)
  const hasPrice = (row: UsageRow): boolean => isComputed(row) || models.describe(models.named(row.key)).prices !== null
  return {
    withoutPrice: unpriced
      .filter((row) => !hasPrice(row))
      .map(({ key, unpricedRequests }) => ({ model: key, requests: unpricedRequests })),
    withPrice: await Promise.all(
      unpriced.filter(hasPrice).map(async (row) => ({
        model: row.key,
        requests: row.unpricedRequests,
        isInputUnknown: isOfBlind(row) || (await isInputUnknownOf(usage, query, row)),
      })),
    ),
  }
}
