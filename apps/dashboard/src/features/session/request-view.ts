/** Requests of a session one by one, as rows of their table. */
import { allInputTokens, cacheWriteTokens, formatUsd, isInputUnknown } from '@cairn/core'
import type { StoredRequest } from '@cairn/core'
import { sortedRows } from '../../components/sorting.ts'
import type { Order, SortValue } from '../../components/sorting.ts'
import type { Figure } from '../usage/figure.ts'
import type { RequestSort } from './sorts.ts'

/** A request as a row of the table. */
export interface RequestView {
  /** From 1, in order of time. */
  readonly number: number
  readonly at: number | null
  readonly model: string
  readonly mode: string | null
  readonly subagent: string | null
  readonly context: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  readonly isPartial: boolean
  readonly cost: Figure
}

/**
 * Returns what a request cost and where that comes from; `unpriced` without a price. A request recorded in part says
 * so.
 */
const requestCost = (request: StoredRequest): Figure => {
  const { costNano, costState, partial } = request
  if (costNano === null) {
    const note = isInputUnknown(request)
      ? 'Unpriced: the input of this request was not recorded, and without it there is no cost.'
      : 'Unpriced: no price is known for this model.'
    return { text: 'unpriced', notes: [note], isIncomplete: true }
  }
  const source = costState === 'recorded' ? 'Recorded by the agent.' : 'Computed from the price list.'
  return {
    text: formatUsd(costNano),
    notes: partial ? [source, 'Partial: the reply was recorded only in part, so the true cost is higher.'] : [source],
    isIncomplete: partial,
  }
}

/**
 * Returns a request as a row.
 * @param index in order of time, from 0; the row's number counts from 1
 */
export const requestView = (request: StoredRequest, index: number): RequestView => ({
  number: index + 1,
  at: request.at,
  model: request.model,
  mode: request.mode,
  subagent: request.subagent,
  context: allInputTokens(request),
  inputTokens: request.inputTokens,
  cacheReadTokens: request.cacheReadTokens,
  cacheWriteTokens: cacheWriteTokens(request),
  outputTokens: request.outputTokens,
  isPartial: request.partial,
  cost: requestCost(request),
})

/** Returns the value that a column is sorted by; null if it is not known. Money is in nano-USD. */
const valueOf = (request: StoredRequest, sort: Exclude<RequestSort, 'number'>): SortValue => {
  switch (sort) {
    case 'model':
      return request.model
    case 'context':
      return allInputTokens(request)
    case 'cacheWriteTokens':
      return cacheWriteTokens(request)
    case 'cost':
      return request.costNano === null ? null : Number(request.costNano)
    case 'inputTokens':
    case 'cacheReadTokens':
    case 'outputTokens':
      return request[sort]
  }
}

/**
 * Returns requests sorted, with their numbers from 0: equal ones in order of time, those without the value last in both
 * directions.
 * @param requests in order of time, which numbers them
 */
export const sortedRequests = (
  requests: readonly StoredRequest[],
  sort: RequestSort,
  order: Order,
): readonly { readonly request: StoredRequest; readonly index: number }[] =>
  sortedRows(
    requests.map((request, index) => ({ request, index })),
    order,
    ({ request, index }) => (sort === 'number' ? index : valueOf(request, sort)),
  )
