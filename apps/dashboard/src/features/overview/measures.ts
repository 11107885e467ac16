/** The numbers that tables of usage have columns for, in their order; rows are sorted by them. */

export const MEASURES = [
  'requests',
  'tokens',
  'input',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'cacheWrite30m',
  'cacheWrite12h',
  'output',
  'cacheHit',
  'saved',
  'cost',
] as const
export type Measure = (typeof MEASURES)[number]

/** Columns for what few providers have: they are shown where there is any of it. */
const RARE_MEASURES: ReadonlySet<Measure> = new Set<Measure>(['cacheWrite30m', 'cacheWrite12h'])

/** The columns that a table with this total has. */
export const shownMeasures = (total: Readonly<Record<Measure, { readonly text: string }>>): readonly Measure[] =>
  MEASURES.filter((measure) => !RARE_MEASURES.has(measure) || total[measure].text !== '0')

/** The columns of a table of the overview. */
export const TOP_MEASURES = ['requests', 'tokens', 'cacheHit', 'output', 'cost'] as const satisfies readonly Measure[]
export type TopMeasure = (typeof TOP_MEASURES)[number]
