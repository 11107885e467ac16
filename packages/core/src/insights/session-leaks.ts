/** All leaks of a session, by the requests that paid for them. */
import type { PriceBook } from '../ports/price-book.ts'
import type { StoredRequest } from '../ports/usage-storage.ts'
import type { LogEntry } from '../session-log.ts'
import type { BreakCause } from './break-causes.ts'
import { chainsOf, type Chain, type ChainRequest } from './chains.ts'
import { contextLeaks } from './context-leaks.ts'
import type { FoundLeak } from './finding.ts'
import type { LeakKind } from './leaks.ts'
import { pricedRequests } from './request-prices.ts'
import { resultLeaks } from './result-leaks.ts'
import { rewritesOf, segmentsOf } from './rewrites.ts'

/** A request of the session that paid for a leak, or that one began with. */
export interface LeakRequest {
  readonly at: number | null
  readonly workspace: string | null
  /** Among all requests of the session in order of time, from 1. */
  readonly number: number
  /** The entry with the first message of its reply; null where it is not known. */
  readonly seq: number | null
}

export interface SessionLeak {
  readonly kind: LeakKind
  /** Nano-USD, whole, by the position in `requests`; above 0. */
  readonly paid: readonly (readonly [request: number, nano: number])[]
  /** The most expensive cases, in the same form. */
  readonly dearest: readonly (readonly [request: number, nano: number])[]
  /** Why each of `paid` did, in the same order; empty for kinds that have one cause. */
  readonly causes: readonly BreakCause[]
}

export interface SessionLeaks {
  readonly requests: readonly LeakRequest[]
  /** Of those that cost anything. */
  readonly leaks: readonly SessionLeak[]
}

/** Cases that are kept of a kind: as many as a report shows. */
export const EXAMPLES = 5

/**
 * Finds the leaks of a session, those of its subagents included; kinds that cost nothing are left out. Pure. Takes a
 * time that grows with its log.
 * @param entries all of the log, in order
 * @param stored all requests of the session, in order of time
 * @param now ms: prices of requests without a time
 */
export const findSessionLeaks = (
  entries: readonly LogEntry[],
  stored: readonly StoredRequest[],
  book: PriceBook,
  now: number,
): SessionLeaks => {
  const numberOf = new Map(stored.map((request, index) => [request, index + 1]))
  const chains = chainsOf(entries, pricedRequests(stored, book, now))
  const requests: LeakRequest[] = []
  const positionOf = new Map<ChainRequest, number>()
  for (const chain of chains)
    for (const request of chain.requests) {
      positionOf.set(request, requests.length)
      const { at, workspace } = request.stored
      requests.push({ at, workspace, number: numberOf.get(request.stored) ?? 0, seq: request.seq })
    }
  const byKind = new Map<LeakKind, { paid: [number, number][]; cases: [number, number][]; causes: BreakCause[] }>()
  for (const chain of chains)
    for (const { kind, paid, findings, causes } of leaksOf(chain)) {
      const known = byKind.get(kind) ?? { paid: [], cases: [], causes: [] }
      byKind.set(kind, known)
      for (const request of chain.requests) {
        const isPaid = addTo(known.paid, positionOf.get(request), paid[request.index])
        const cause = causes?.[request.index]
        if (isPaid && cause !== undefined) known.causes.push(cause)
      }
      for (const { request, cost } of findings) addTo(known.cases, positionOf.get(request), cost)
    }
  const leaks = [...byKind].flatMap(([kind, { paid, cases, causes }]) =>
    paid.length === 0
      ? []
      : [{ kind, paid, causes, dearest: cases.toSorted(([, left], [, right]) => right - left).slice(0, EXAMPLES) }],
  )
  return { requests, leaks }
}

/** The leaks of one conversation: those of its context, then those of its results. */
const leaksOf = (chain: Chain): readonly FoundLeak[] => {
  const segments = segmentsOf(chain)
  const rewrites = rewritesOf(chain)
  return [...contextLeaks(chain, segments, rewrites), ...resultLeaks(chain, segments, rewrites)]
}

/**
 * Adds a position with its cost (nano-USD, rounded), and gives whether it did: not without a position, nor for less
 * than a nano-USD.
 */
const addTo = (list: [number, number][], position: number | undefined, cost = 0): boolean => {
  const nano = Math.round(cost)
  if (position === undefined || nano <= 0) return false
  list.push([position, nano])
  return true
}
