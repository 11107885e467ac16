/** All values of a dimension with their sums: searched, sorted and cut into pages on the server. */
import type { UsageReport, UsageRow, UsageStorage } from '@cairn/core'
import { sortedRows } from '../../components/sorting.ts'
import type { Order } from '../../components/sorting.ts'
import { DIMENSION_PAGE_ROWS } from './page-sizes.ts'
import type { DimensionSort } from './sorts.ts'
import { STORE_DIMENSION, rowName } from '../usage/dimension.ts'
import type { Dimension } from '../usage/dimension.ts'
import type { ProjectNames } from '../usage/project-names.ts'
import { MEASURE_OF } from '../overview/measure-values.ts'
import { selectedUsage } from '../selection/selection-input.ts'
import type { SelectionInput } from '../selection/selection-input.ts'
import { rowView, sumView } from '../usage/table-view.ts'
import type { RowView, SumView } from '../usage/table-view.ts'

/** Which values of a dimension are asked for. */
export interface DimensionQuery {
  readonly selection: SelectionInput
  readonly dimension: Dimension
  readonly sort: DimensionSort
  readonly order: Order
  /** Part of the name, case-insensitive. */
  readonly text: string
}

/** A page of a dimension's values. */
export interface DimensionPage {
  readonly rows: readonly RowView[]
  /** Of all requests of the selection, also where a text leaves rows out. */
  readonly total: SumView
  /** Values that match. */
  readonly count: number
  /** The page that this is: the last one where a later one was asked for. */
  readonly page: number
}

/**
 * Returns the usage of each value of a dimension within the selection whose name, or path for a project, contains the
 * search text in any case, sorted. The total is of the whole selection, whatever the text leaves out. Rejects as the
 * store does.
 * @param now ms
 * @param names of projects; by default the last parts of their folders
 */
export const dimensionReport = async (
  usage: Pick<UsageStorage, 'report'>,
  { selection, dimension, sort, order, text }: DimensionQuery,
  now: number,
  names?: ProjectNames,
): Promise<UsageReport> => {
  const report = await usage.report({ ...selectedUsage(selection, now).query, by: STORE_DIMENSION[dimension] })
  const wanted = text.trim().toLowerCase()
  const nameOf = ({ key }: UsageRow): string => {
    const { label, detail } = rowName(dimension, key, names)
    return `${label} ${detail ?? ''}`.toLowerCase()
  }
  const rows = wanted === '' ? report.rows : report.rows.filter((row) => nameOf(row).includes(wanted))
  return { rows: sortedRows(rows, order, sort === 'name' ? nameOf : MEASURE_OF[sort]), total: report.total }
}

/**
 * Returns one page of {@link dimensionReport}, and how many values match in all. A page past the last is the last.
 * Without `names` projects are called by the last part of their folders.
 * @param now ms
 */
export const dimensionPage = async (
  usage: Pick<UsageStorage, 'report'>,
  query: DimensionQuery & { readonly page: number },
  now: number,
  names?: ProjectNames,
): Promise<DimensionPage> => {
  const { rows, total } = await dimensionReport(usage, query, now, names)
  const page = Math.max(1, Math.min(query.page, Math.ceil(rows.length / DIMENSION_PAGE_ROWS)))
  const first = (page - 1) * DIMENSION_PAGE_ROWS
  return {
    rows: rows.slice(first, first + DIMENSION_PAGE_ROWS).map((row) => rowView(query.dimension, row, total, names)),
    total: sumView(total),
    count: rows.length,
    page,
  }
}
