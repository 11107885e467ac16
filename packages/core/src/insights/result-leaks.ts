/** Leaks of what tools returned: calls that led nowhere, results that were carried on for nothing, and large ones. */
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import { labelsOf, unlabelledShares, type CallLabel } from './call-labels.ts'
import { createCarry, type Carry } from './carry.ts'
import { tokensIn, type Chain, type ChainRequest, type ChainResult } from './chains.ts'
import type { Finding, FoundLeak } from './finding.ts'
import { usesOf } from './last-use.ts'
import type { LeakKind } from './leaks.ts'
import type { Rewrite } from './rewrites.ts'

/** Results below are not looked at, tokens. */
const UNUSED_FROM = 500
/** Output beyond so many characters is oversized. */
const LARGE_CHARACTERS = 10_000

/**
 * The leaks of a chain's results, what each request paid for them and the single cases. Those that add up have no
 * dollar twice: a labelled call's round trip, then what re-reads carry until their last use, then what any result
 * carries after it; the last two only of the part of each request that no labelled call has. Oversized results are a
 * view beside them.
 */
export const resultLeaks = (
  chain: Chain,
  segments: readonly number[],
  rewrites: readonly Rewrite[],
): readonly FoundLeak[] => {
  const { requests, results } = chain
  const labels = labelsOf(chain, segments)
  const uses = usesOf(chain)
  const shares = unlabelledShares(chain, labels)
  const carry = (): Carry => createCarry(requests, segments, shares)
  const [unusedCarry, readCarry, largeCarry] = [carry(), carry(), carry()]
  const trips = roundTrips(requests, labels, rewrites)
  const found: Record<'re-read' | 'unused-results' | 'oversized-results', Finding[]> = {
    're-read': [],
    'unused-results': [],
    'oversized-results': [],
  }
  for (const result of results) {
    const { sentWith, tokens, calledBy } = result
    const [caller, first] = [requests[calledBy], requests[sentWith]]
    const end = unusedCarry.segmentEnd(sentWith)
    const isLooked = tokens >= UNUSED_FROM && first !== undefined
    const lastUse = isLooked ? (uses.lastUse(result, end) ?? sentWith) : end
    if (caller !== undefined && labels.get(result) === 're-read') {
      const carried = readCarry.written(sentWith, tokens) + readCarry.reads(sentWith + 1, lastUse, tokens)
      found['re-read'].push({ request: caller, cost: trips.costOf(caller) + carried })
    }
    if (first === undefined) continue
    const unused = unusedCarry.reads(lastUse + 1, end, tokens)
    if (unused > 0) found['unused-results'].push({ request: first, cost: unused })
    if (isLarge(result)) {
      const cost = largeCarry.from(sentWith, tokensIn(result.text.length - LARGE_CHARACTERS))
      if (cost > 0) found['oversized-results'].push({ request: first, cost })
    }
  }
  const readCarried = limited(requests, readCarry.paid(), [trips.all], rewrites)
  return [
    { kind: 're-read', paid: sums(readCarried, trips.paid('re-read')), findings: found['re-read'] },
    trips.leak('rejected-calls', 'rejected'),
    {
      kind: 'unused-results',
      paid: limited(requests, unusedCarry.paid(), [trips.all, readCarried], rewrites),
      findings: found['unused-results'],
    },
    { kind: 'oversized-results', paid: largeCarry.paid(), findings: found['oversized-results'] },
  ]
}

/**
 * What one call of a request cost, nano-USD (a fraction, at least 0): the request's cost but for what it wrote again,
 * divided equally among its calls.
 */
export const roundTrip = (request: ChainRequest, rewrites: readonly Rewrite[]): number =>
  Math.max(0, request.cost - (rewrites[request.index]?.premium ?? 0)) / Math.max(1, request.calls.length)

/**
 * What round trips of labelled calls cost, in nano-USD: `costOf` one request's, `paid` and `all` by each request for
 * its calls with these labels, `leak` as a leak of one kind.
 */
const roundTrips = (
  requests: readonly ChainRequest[],
  labels: ReadonlyMap<ChainResult, CallLabel>,
  rewrites: readonly Rewrite[],
) => {
  const costOf = (request: ChainRequest): number => roundTrip(request, rewrites)
  /** What each request paid for its calls with one of these labels, nano-USD by its index. */
  const paid = (...wanted: readonly CallLabel[]): readonly number[] => {
    const counts = new Map<number, number>()
    for (const [{ calledBy }, label] of labels)
      if (wanted.includes(label)) counts.set(calledBy, (counts.get(calledBy) ?? 0) + 1)
    return requests.map((request, index) => (counts.get(index) ?? 0) * costOf(request))
  }
  return {
    costOf,
    paid,
    /** Of the labels that are leaks of their own. */
    all: paid('re-read', 'rejected'),
    /**
     * What labelled calls cost as a leak of this kind: `paid` by each request, in nano-USD, and a finding for each that
     * paid something.
     */
    leak: (kind: LeakKind, label: CallLabel): FoundLeak => {
      const each = paid(label)
      return {
        kind,
        paid: each,
        findings: requests.flatMap((request, index) => {
          const cost = each[index] ?? 0
          return cost > 0 ? [{ request, cost }] : []
        }),
      }
    },
  }
}

/** Whether a result is large (over 10,000 characters), and not a read of a file. */
const isLarge = ({ call, text }: ChainResult): boolean =>
  text.length > LARGE_CHARACTERS && fileOperationsOf(call)[0]?.operation !== 'read'

const sums = (left: readonly number[], right: readonly number[]): readonly number[] =>
  left.map((value, index) => value + (right[index] ?? 0))

/**
 * What requests paid for carrying, nano-USD by index, limited to what is left of each one's cost without `others` and
 * what it wrote again: texts' tokens are estimated, a request's own are recorded.
 */
const limited = (
  requests: readonly ChainRequest[],
  paid: readonly number[],
  others: readonly (readonly number[])[],
  rewrites: readonly Rewrite[],
): readonly number[] =>
  requests.map(({ cost }, index) => {
    const taken = others.reduce((sum, other) => sum + (other[index] ?? 0), rewrites[index]?.premium ?? 0)
    return Math.min(paid[index] ?? 0, Math.max(0, cost - taken))
  })
