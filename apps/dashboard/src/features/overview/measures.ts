/** The numbers that tables of usage have columns for, in their order; rows are sorted by them. */

export const MEASURES = [
  'requests',
  'tokens',
  'input',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'cacheHit',
  'saved',
  'cost',
] as const
export type Measure = (typeof MEASURES)[number]

/** The columns of a table of the overview. */
export const TOP_MEASURES = ['requests', 'tokens', 'cacheHit', 'output', 'cost'] as const satisfies readonly Measure[]
export type TopMeasure = (typeof TOP_MEASURES)[number]
