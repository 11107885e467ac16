/** What a detector finds in a chain. */
import type { BreakCause } from './break-causes.ts'
import type { ChainRequest } from './chains.ts'
import type { LeakKind } from './leaks.ts'

/** A case of a leak. */
export interface Finding {
  readonly request: ChainRequest
  /** All that it cost, nano-USD. */
  readonly cost: number
}

export interface FoundLeak {
  readonly kind: LeakKind
  /** What each request of the chain paid, nano-USD, by its index. */
  readonly paid: readonly number[]
  readonly findings: readonly Finding[]
  /** Why each request paid, by its index; only of a leak of which each request that pays is a case. */
  readonly causes?: readonly BreakCause[]
}

/**
 * A leak of which each request that pays is a case: what `costOf` gives for it in nano-USD, which may be a fraction;
 * below 0 counts as 0.
 */
export const leakByRequest = (
  kind: LeakKind,
  requests: readonly ChainRequest[],
  costOf: (request: ChainRequest) => number,
): FoundLeak => {
  const findings: Finding[] = []
  const paid = requests.map((request) => {
    const cost = Math.max(0, costOf(request))
    if (cost > 0) findings.push({ request, cost })
    return cost
  })
  return { kind, paid, findings }
}

/**
 * A leak of which the whole chain is one case, which began with the first request that paid; no case where none did.
 * `costOf`: nano-USD, below 0 counts as 0.
 */
export const leakByChain = (
  kind: LeakKind,
  requests: readonly ChainRequest[],
  costOf: (request: ChainRequest) => number,
): FoundLeak => {
  const { paid, findings } = leakByRequest(kind, requests, costOf)
  const [first] = findings
  const cost = paid.reduce((sum, each) => sum + each, 0)
  return { kind, paid, findings: first === undefined ? [] : [{ request: first.request, cost }] }
}
