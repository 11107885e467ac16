/** A table of usage as data, ready to be sent: figures with their notes. Money is text, because JSON has no bigint. */
import { TOKEN_CLASSES, addTotals, emptyTotals, usdFromNano } from '@cairn/core'
import type { TokenClass, UsageReport, UsageRow, UsageTotals } from '@cairn/core'
import type { SortValue } from '../../components/sorting.ts'
import { rowName } from './dimension.ts'
import type { Dimension, RowName } from './dimension.ts'
import type { ProjectNames } from './project-names.ts'
import {
  allTokensFigure,
  cacheHitFigure,
  costFigure,
  firstTokenFigure,
  latencyFigure,
  outputFigure,
  requestFigure,
  savedFigure,
  tokenFigure,
} from './figure.ts'
import type { Figure } from './figure.ts'
import { MEASURE_OF } from '../overview/measure-values.ts'
import type { TopMeasure } from '../overview/measures.ts'
import { subtractTotals } from '../overview/rest-totals.ts'

/** The figures of a sum. */
export interface SumView extends Readonly<Record<TokenClass['rate'], Figure>> {
  readonly cost: Figure
  readonly saved: Figure
  readonly requests: Figure
  readonly tokens: Figure
  readonly cacheHit: Figure
  readonly firstToken: Figure
  readonly latency: Figure
}

/** A row of a table of usage. */
export interface RowView extends SumView, RowName {
  /** The store's value; null for what is held together. */
  readonly key: string | null
  /** Of the cost of all rows, 0 … 1. */
  readonly costShare: number
}

/** A row with its numbers, so that the page can sort. */
interface SortableRowView extends RowView {
  readonly values: Readonly<Record<TopMeasure, SortValue>>
}

/** A table of usage by one dimension. */
export interface TableView {
  readonly dimension: Dimension
  /** Most expensive first; the last is that of all others, where there are more. */
  readonly rows: readonly SortableRowView[]
  readonly hasMore: boolean
  readonly total: SumView
}

/** Returns a figure for each class of tokens, also where it is 0. */
const classFigures = (totals: UsageTotals): Readonly<Record<TokenClass['rate'], Figure>> =>
  // Each rate is a row of the list.
  Object.fromEntries(TOKEN_CLASSES.map(({ rate, field }) => [rate, tokenFigure(totals[field])])) as Record<
    TokenClass['rate'],
    Figure
  >

/** Returns totals as figures with their notes. */
export const sumView = (totals: UsageTotals): SumView => ({
  cost: costFigure(totals),
  saved: savedFigure(totals),
  requests: requestFigure(totals),
  tokens: allTokensFigure(totals),
  ...classFigures(totals),
  output: outputFigure(totals),
  cacheHit: cacheHitFigure(totals),
  firstToken: firstTokenFigure(totals),
  latency: latencyFigure(totals),
})

/** Returns the share of a cost in another, 0 to 1; 0 if there is no cost. */
const shareOf = (part: UsageTotals, total: UsageTotals): number => {
  const all = usdFromNano(total.costNano)
  return all > 0 ? usdFromNano(part.costNano) / all : 0
}

/**
 * A row of a dimension: its name, its figures and its share of the total. Without `names` a project is called by the
 * last part of its folder.
 */
export const rowView = (dimension: Dimension, row: UsageRow, total: UsageTotals, names?: ProjectNames): RowView => ({
  key: row.key,
  ...rowName(dimension, row.key, names),
  costShare: shareOf(row, total),
  ...sumView(row),
})

/** Returns the numbers that a row is sorted by. */
const valuesOf = (totals: UsageTotals): SortableRowView['values'] => ({
  requests: MEASURE_OF.requests(totals),
  tokens: MEASURE_OF.tokens(totals),
  cacheHit: MEASURE_OF.cacheHit(totals),
  output: MEASURE_OF.output(totals),
  cost: MEASURE_OF.cost(totals),
})

/**
 * The first `most` rows; the rest is one row with the key null, so that the table still adds up. `values` are numbers
 * to sort by. `names` are those of projects; by default the last parts of their folders. Rows are in the order of the
 * report.
 */
export const tableView = (
  dimension: Dimension,
  { rows, total }: UsageReport,
  most: number,
  names?: ProjectNames,
): TableView => {
  const shown = rows.slice(0, most)
  const hasMore = rows.length > most
  const rest = subtractTotals(total, shown.reduce<UsageTotals>(addTotals, emptyTotals))
  return {
    dimension,
    hasMore,
    rows: [
      ...shown.map((row) => ({ ...rowView(dimension, row, total, names), values: valuesOf(row) })),
      ...(hasMore
        ? [
            {
              key: null,
              label: 'All others',
              detail: null,
              costShare: shareOf(rest, total),
              ...sumView(rest),
              values: valuesOf(rest),
            },
          ]
        : []),
    ],
    total: sumView(total),
  }
}
