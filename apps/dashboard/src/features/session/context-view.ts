/** The size of a session's context over time, as data of its chart. */
import { allInputTokens, cacheWriteTokens } from '@cairn/core'
import type { StoredRequest } from '@cairn/core'

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

/** More bars than these could not be told apart. */
const MOST_POINTS = 160

/**
 * The main conversation's requests as at most `MOST_POINTS` points, with their numbers among all (from 1); neighbours
 * share a point, which has the largest of them. A subagent has a context of its own.
 */
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
      .reduce((most, request) => (allInputTokens(request) > allInputTokens(most) ? request : most))
    const [first, last] = [group[0]?.number ?? 0, group.at(-1)?.number ?? 0]
    points.push({
      key: String(from),
      label: first.toLocaleString('en-US'),
      inputTokens: largest.inputTokens,
      cacheReadTokens: largest.cacheReadTokens,
      cacheWriteTokens: cacheWriteTokens(largest),
      first,
      last,
      at: largest.at,
      model: largest.model,
    })
  }
  return points
}
