/** Requests of a session as data: the context's size over time, and the requests one by one. */
import { allInputTokens, cacheWriteTokens, formatUsd } from '@cairn/core'
import type { StoredRequest, TokenUsage } from '@cairn/core'
import { sortedRows } from '../../components/sorting.ts'
import type { Order, SortValue } from '../../components/sorting.ts'
import type { Figure } from '../usage/figure.ts'
import type { RequestSort } from './sorts.ts'

/** A bar of the context chart: the largest of one or several requests. */
export interface ContextPoint {
  readonly key: string
  readonly label: string
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** First and last of these requests, from 1 and numbered as in the table of requests. */
  readonly first: number
  readonly last: number
  /** Of the request that is drawn, ms. */
  readonly at: number | null
  readonly model: string
}

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

/** More bars than these could not be told apart. */
const MOST_POINTS = 160

const contextOf = (usage: TokenUsage): number => allInputTokens(usage)
const writesOf = (usage: TokenUsage): number => cacheWriteTokens(usage)

/** The main conversation's requests, with their numbers among all; a subagent has a context of its own. */
export const contextPoints = (requests: readonly StoredRequest[]): readonly ContextPoint[] => {
  const main = requests
    .map((request, index) => ({ request, number: index + 1 }))
    .filter(({ request }) => request.subagent === null)
  const each = Math.max(1, Math.ceil(main.length / MOST_POINTS))
  const points: ContextPoint[] = []
  for (let from = 0; from < main.length; from += each) {
    const group = main.slice(from, from + each)
    const largest = group
      .map(({ request }) => request)
      .reduce((most, request) => (contextOf(request) > contextOf(most) ? request : most))
    const [first, last] = [group[0]?.number ?? 0, group.at(-1)?.number ?? 0]
    points.push({
      key: String(from),
      label: first.toLocaleString('en-US'),
      inputTokens: largest.inputTokens,
      cacheReadTokens: largest.cacheReadTokens,
      cacheWriteTokens: writesOf(largest),
      first,
      last,
      at: largest.at,
      model: largest.model,
    })
  }
  return points
}

const requestCost = ({ costNano, costState, partial }: StoredRequest): Figure => {
  if (costNano === null)
    return { text: 'unpriced', notes: ['Unpriced: no price is known for this model.'], isIncomplete: true }
  const source = costState === 'recorded' ? 'Recorded by the agent.' : 'Computed from the price list.'
  return {
    text: formatUsd(costNano),
    notes: partial ? [source, 'Partial: the reply was recorded only in part, so the true cost is higher.'] : [source],
    isIncomplete: partial,
  }
}

/** A request as its row: the first in time is number 1. */
export const requestView = (request: StoredRequest, index: number): RequestView => ({
  number: index + 1,
  at: request.at,
  model: request.model,
  mode: request.mode,
  subagent: request.subagent,
  context: contextOf(request),
  inputTokens: request.inputTokens,
  cacheReadTokens: request.cacheReadTokens,
  cacheWriteTokens: writesOf(request),
  outputTokens: request.outputTokens,
  isPartial: request.partial,
  cost: requestCost(request),
})

const valueOf = (request: StoredRequest, sort: Exclude<RequestSort, 'number'>): SortValue => {
  switch (sort) {
    case 'model':
      return request.model
    case 'context':
      return contextOf(request)
    case 'cacheWriteTokens':
      return writesOf(request)
    case 'cost':
      return request.costNano === null ? null : Number(request.costNano)
    case 'inputTokens':
    case 'cacheReadTokens':
    case 'outputTokens':
      return request[sort]
  }
}

/**
 * Requests with their numbers, from 0, sorted: equal ones in order of time, those without the value last either way.
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
