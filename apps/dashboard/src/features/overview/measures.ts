/** The numbers that tables of usage have columns for, in their order; rows are sorted by them. */

/** The columns of tables of usage, in order. */
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
  'firstToken',
  'latency',
  'saved',
  'cost',
] as const
/** One of {@link MEASURES}. */
export type Measure = (typeof MEASURES)[number]

/** Columns for what few requests have, with what they hold where there is none: then they are left out. */
const RARE_MEASURES: Readonly<Partial<Record<Measure, string>>> = {
  cacheWrite30m: '0',
  cacheWrite12h: '0',
  firstToken: '–',
  latency: '–',
}

/** Returns the columns of a table with this total, in order: all but the rare ones whose total is nothing. */
export const shownMeasures = (total: Readonly<Record<Measure, { readonly text: string }>>): readonly Measure[] =>
  MEASURES.filter((measure) => total[measure].text !== RARE_MEASURES[measure])

/** The columns of a table of the overview. */
export const TOP_MEASURES = ['requests', 'tokens', 'cacheHit', 'output', 'cost'] as const satisfies readonly Measure[]
/** One of {@link TOP_MEASURES}. */
export type TopMeasure = (typeof TOP_MEASURES)[number]
