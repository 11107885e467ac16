/** Counts failed requests. */
import type { FailureSum, RequestFailure } from '../ports/usage-storage.ts'

/** The fields of a failure that are counted. */
export type CountedFailure = Pick<RequestFailure, 'code' | 'model' | 'provider' | 'at'>

/**
 * Groups failures by code, model and provider, with their number and the last time: most frequent first, then newest,
 * then by code and model. Empty for no failures.
 */
export const sumFailures = (failures: Iterable<CountedFailure>): readonly FailureSum[] => {
  const sums = new Map<string, FailureSum>()
  for (const { code, model, provider = null, at } of failures) {
    const key = JSON.stringify([code, model, provider])
    const known = sums.get(key) ?? { code, model, provider, failures: 0, lastAt: at }
    sums.set(key, { ...known, failures: known.failures + 1, lastAt: Math.max(known.lastAt, at) })
  }
  return [...sums.values()].sort(mostFrequentFirst)
}

/** The order of sums: most frequent first, then newest, then by code and model. */
export const mostFrequentFirst = (left: FailureSum, right: FailureSum): number =>
  right.failures - left.failures ||
  right.lastAt - left.lastAt ||
  compareText(left.code, right.code) ||
  compareText(left.model, right.model)

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
