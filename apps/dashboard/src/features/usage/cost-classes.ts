/** The classes of cost in the order in which bars are stacked; the colours are those of the tokens that were paid for. */
export interface CostClass {
  readonly field: 'inputUsd' | 'cacheReadUsd' | 'cacheWriteUsd' | 'outputUsd' | 'recordedUsd'
  readonly name: string
  readonly color: string
}

export const COST_CLASSES: readonly CostClass[] = [
  { field: 'cacheReadUsd', name: 'Cache read', color: 'var(--class-cache-read)' },
  { field: 'cacheWriteUsd', name: 'Cache write', color: 'var(--class-cache-write-5m)' },
  { field: 'inputUsd', name: 'Uncached input', color: 'var(--class-input)' },
  { field: 'outputUsd', name: 'Output', color: 'var(--class-output)' },
  { field: 'recordedUsd', name: 'Recorded, not split', color: 'var(--cost-recorded)' },
]
