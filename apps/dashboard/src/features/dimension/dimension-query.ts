/** All values of a dimension with their sums: searched, sorted and cut into pages on the server. */
import { allInputTokens, cacheHitRatio } from '@cairn/core'
import type { UsageReport, UsageRow, UsageStorage } from '@cairn/core'
import { DIMENSION_PAGE_ROWS } from './sorts.ts'
import type { DimensionSort } from './sorts.ts'
import { STORE_DIMENSION, rowName } from '../usage/dimension.ts'
import type { Dimension } from '../usage/dimension.ts'
import { selectedUsage } from '../usage/selection-input.ts'
import type { SelectionInput } from '../usage/selection-input.ts'
import { rowView, sumView } from '../usage/table-view.ts'
import type { RowView, SumView } from '../usage/table-view.ts'

export interface DimensionQuery {
  readonly selection: SelectionInput
  readonly dimension: Dimension
  readonly sort: DimensionSort
  /** Part of the name, case-insensitive. */
  readonly text: string
}

export interface DimensionPage {
  readonly rows: readonly RowView[]
  /** Of all requests of the selection, also where a text leaves rows out. */
  readonly total: SumView
  /** Values that match. */
  readonly count: number
}

const compare = (left: bigint | number, right: bigint | number): number => (left === right ? 0 : left < right ? 1 : -1)

const MEASURE: Readonly<Record<Exclude<DimensionSort, 'name'>, (row: UsageRow) => bigint | number>> = {
  cost: (row) => row.costNano,
  saved: (row) => row.savedNano,
  requests: (row) => row.requests,
  tokens: (row) => allInputTokens(row) + row.outputTokens,
  cacheHit: (row) => cacheHitRatio(row) ?? -1,
  output: (row) => row.outputTokens,
}

/** @param now ms */
export const dimensionReport = async (usage: Pick<UsageStorage, 'report'>, { selection, dimension, sort, text }: DimensionQuery, now: number): Promise<UsageReport> => {
  const report = await usage.report({ ...selectedUsage(selection, now).query, by: STORE_DIMENSION[dimension] })
  const wanted = text.trim().toLowerCase()
  const nameOf = ({ key }: UsageRow): string => {
    const { label, detail } = rowName(dimension, key)
    return `${label} ${detail ?? ''}`.toLowerCase()
  }
  const rows = wanted === '' ? [...report.rows] : report.rows.filter((row) => nameOf(row).includes(wanted))
  if (sort === 'name') rows.sort((left, right) => nameOf(left).localeCompare(nameOf(right), 'en'))
  else if (sort !== 'cost') rows.sort((left, right) => compare(MEASURE[sort](left), MEASURE[sort](right)))
  return { rows, total: report.total }
}

/** @param now ms */
export const dimensionPage = async (usage: Pick<UsageStorage, 'report'>, query: DimensionQuery & { readonly page: number }, now: number): Promise<DimensionPage> => {
  const { rows, total } = await dimensionReport(usage, query, now)
  const first = (query.page - 1) * DIMENSION_PAGE_ROWS
  return { rows: rows.slice(first, first + DIMENSION_PAGE_ROWS).map((row) => rowView(query.dimension, row, total)), total: sumView(total), count: rows.length }
}
