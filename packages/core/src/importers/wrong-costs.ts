/** Sums up recorded costs that don't count, so that one row tells of all. */
import { formatUsd } from '../money.ts'
import type { WrongCost } from './importer.ts'

/** A row of what was left out, for all costs with the same fault. */
export interface WrongCostRow {
  readonly reason: string
  readonly count: number
}

/** The rows for these costs, one for each fault: what was recorded in all, and what counts instead. None for no costs. */
export const wrongCostRows = (costs: readonly WrongCost[]): readonly WrongCostRow[] => {
  const sums = new Map<string, { costNano: bigint; count: number }>()
  for (const { fault, costNano } of costs) {
    const sum = sums.get(fault) ?? { costNano: 0n, count: 0 }
    sums.set(fault, { costNano: sum.costNano + costNano, count: sum.count + 1 })
  }
  return [...sums].map(([fault, { costNano, count }]) => ({
    reason: `recorded costs (${formatUsd(costNano)} in all) that ${fault}; the tokens count by their prices`,
    count,
  }))
}
