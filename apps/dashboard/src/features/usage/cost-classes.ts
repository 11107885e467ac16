/** The classes of cost in the order in which bars are stacked; the colours are those of the tokens that were paid for. */
export interface CostClass {
  readonly field: 'inputUsd' | 'cacheReadUsd' | 'cacheWriteUsd' | 'outputUsd' | 'recordedUsd'
  readonly name: string
  readonly color: string
  readonly meaning: string
}

export const COST_CLASSES: readonly CostClass[] = [
  {
    field: 'cacheReadUsd',
    name: 'Cache read',
    color: 'var(--class-cache-read)',
    meaning: 'Input that the provider had in its cache, at a fraction of the price',
  },
  {
    field: 'cacheWriteUsd',
    name: 'Cache write',
    color: 'var(--class-cache-write-5m)',
    meaning: 'Input that was put into the provider’s cache for later requests',
  },
  {
    field: 'inputUsd',
    name: 'Uncached input',
    color: 'var(--class-input)',
    meaning: 'Input that was neither read from the cache nor written to it',
  },
  {
    field: 'outputUsd',
    name: 'Output',
    color: 'var(--class-output)',
    meaning: 'What models wrote, reasoning included',
  },
  {
    field: 'recordedUsd',
    name: 'One sum, as recorded',
    color: 'var(--cost-recorded)',
    meaning:
      'The agent wrote down what a request cost as one sum, which does not tell what of it was input, cache or output',
  },
]
