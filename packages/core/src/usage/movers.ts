/** Finds the rows of two reports that differ most in cost. */
import type { NanoUsd } from '../money.ts'
import type { Mover, Movers, UsageReport } from '../ports/usage-storage.ts'

type CostRow = Pick<UsageReport['rows'][number], 'key' | 'costNano'>

const size = (nano: NanoUsd): NanoUsd => (nano < 0n ? -nano : nano)

/** An order: larger changes first, whether up or down; ties by key. */
const largestFirst = (left: Mover, right: Mover): number => {
  const [one, other] = [size(left.changeNano), size(right.changeNano)]
  return one === other ? (left.key < right.key ? -1 : 1) : one > other ? -1 : 1
}

/**
 * The `limit` largest changes between two lists of costs. Keys are unique within a list; a missing key cost 0. Keys
 * with equal costs are left out, also of `others`. Pure.
 */
export const moversOf = (before: readonly CostRow[], now: readonly CostRow[], limit: number): Movers => {
  const costs = new Map(before.map(({ key, costNano }) => [key, { before: costNano, now: 0n }]))
  for (const { key, costNano } of now) costs.set(key, { before: costs.get(key)?.before ?? 0n, now: costNano })
  const all = [...costs].map(([key, cost]): Mover => ({
    key,
    beforeNano: cost.before,
    nowNano: cost.now,
    changeNano: cost.now - cost.before,
  }))
  const moved = all.filter(({ changeNano }) => changeNano !== 0n).sort(largestFirst)
  const rest = moved.slice(limit)
  return {
    movers: moved.slice(0, limit),
    others: { count: rest.length, changeNano: rest.reduce((sum, { changeNano }) => sum + changeNano, 0n) },
  }
}
