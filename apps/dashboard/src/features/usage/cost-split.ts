/** A sum's cost by class: what the price list says of each, and what the agents recorded without telling them apart. */
import type { NanoUsd, UsageTotals } from '@cairn/core'

/** A cost by what it was paid for. */
export interface CostSplit {
  readonly cacheReadNano: NanoUsd
  readonly cacheWriteNano: NanoUsd
  readonly inputNano: NanoUsd
  readonly outputNano: NanoUsd
  readonly recordedNano: NanoUsd
}

/**
 * Returns the cost by what it was paid for: cache reads, cache writes, uncached input, output, and what agents recorded
 * undivided. The five add up to `costNano`.
 */
export const costSplit = ({
  costNano,
  recordedCostNano,
  cacheReadCostNano,
  cacheWriteCostNano,
  outputCostNano,
}: UsageTotals): CostSplit => ({
  cacheReadNano: cacheReadCostNano,
  cacheWriteNano: cacheWriteCostNano,
  inputNano: costNano - recordedCostNano - cacheReadCostNano - cacheWriteCostNano - outputCostNano,
  outputNano: outputCostNano,
  recordedNano: recordedCostNano,
})
