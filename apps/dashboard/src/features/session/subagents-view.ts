/** What a session's main conversation and its subagents cost, each by itself and together. */
import { addTotals, emptyTotals, totalsOfRequest, usdFromNano } from '@cairn/core'
import type { StoredRequest, UsageTotals } from '@cairn/core'
import { allTokensFigure, costFigure, requestFigure } from '../usage/figure.ts'
import type { Figure } from '../usage/figure.ts'

/** The figures of a part of the session. */
export interface PartView {
  readonly requests: Figure
  readonly tokens: Figure
  readonly cost: Figure
  /** Of the cost of the whole session, 0 … 1. */
  readonly costShare: number
}

/** What the main conversation and the subagents used. */
export interface SubagentsView {
  readonly own: PartView
  /** The most expensive first. */
  readonly rows: readonly (PartView & { readonly name: string })[]
  /** Those that have no row, together; null where all have one. */
  readonly others: (PartView & { readonly count: number }) | null
  /** All subagents together. */
  readonly all: PartView
  readonly total: PartView
  /** Subagents that made a request. */
  readonly count: number
  readonly requestCount: number
}

/** More are not told apart. */
const MOST_ROWS = 100

/** Returns the sums of one request. What partial replies lack is known only for the session's total. */
const totalsOf = ({ costSplit: _parts, ...request }: StoredRequest): UsageTotals => ({
  ...totalsOfRequest({ ...request, visibleCharacters: 0 }),
  partialRequests: request.partial ? 1 : 0,
})

/** Compares rows: highest cost first, then most requests. */
const dearestFirst = ([, left]: readonly [string, UsageTotals], [, right]: readonly [string, UsageTotals]): number =>
  left.costNano === right.costNano ? right.requests - left.requests : left.costNano < right.costNano ? 1 : -1

/**
 * Returns what the main conversation and each subagent used, the most expensive first; subagents beyond `MOST_ROWS` are
 * one sum. Undefined for a session without subagents.
 */
export const subagentsView = (requests: readonly StoredRequest[]): SubagentsView | undefined => {
  let own = emptyTotals
  const bySubagent = new Map<string, UsageTotals>()
  for (const request of requests) {
    const { subagent } = request
    if (subagent === null) own = addTotals(own, totalsOf(request))
    else bySubagent.set(subagent, addTotals(bySubagent.get(subagent) ?? emptyTotals, totalsOf(request)))
  }
  if (bySubagent.size === 0) return undefined
  const sumOf = (parts: readonly (readonly [string, UsageTotals])[]): UsageTotals =>
    parts.reduce<UsageTotals>((sum, [, totals]) => addTotals(sum, totals), emptyTotals)
  const sorted = [...bySubagent].sort(dearestFirst)
  const all = sumOf(sorted)
  const total = addTotals(own, all)
  const usd = usdFromNano(total.costNano)
  const part = (totals: UsageTotals): PartView => ({
    requests: requestFigure(totals),
    tokens: allTokensFigure(totals),
    cost: costFigure(totals),
    costShare: usd > 0 ? usdFromNano(totals.costNano) / usd : 0,
  })
  const others = sorted.slice(MOST_ROWS)
  return {
    own: part(own),
    rows: sorted.slice(0, MOST_ROWS).map(([name, totals]) => ({ name, ...part(totals) })),
    others: others.length === 0 ? null : { count: others.length, ...part(sumOf(others)) },
    all: part(all),
    total: part(total),
    count: sorted.length,
    requestCount: all.requests,
  }
}
