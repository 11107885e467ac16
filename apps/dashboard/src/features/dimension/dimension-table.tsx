/** The table of a dimension's values. Columns sort it on the server. */
import { SortHead } from '../../components/sort-head.tsx'
import { DIMENSION_NAMES } from '../usage/dimension.ts'
import type { Dimension } from '../usage/dimension.ts'
import { FigureText } from '../usage/figure-text.tsx'
import { RowLabel } from '../usage/row-label.tsx'
import type { SumView } from '../usage/table-view.ts'
import type { DimensionPage } from './dimension-query.ts'
import type { DimensionSort } from './sorts.ts'

interface Column {
  readonly name: string
  readonly field: keyof SumView
  readonly sort?: DimensionSort
}

const COLUMNS: readonly Column[] = [
  { name: 'Requests', field: 'requests', sort: 'requests' },
  { name: 'Tokens', field: 'tokens', sort: 'tokens' },
  { name: 'Uncached input', field: 'input' },
  { name: 'Cache read', field: 'cacheRead' },
  { name: 'Write, 5 min', field: 'cacheWrite5m' },
  { name: 'Write, 1 h', field: 'cacheWrite1h' },
  { name: 'Output', field: 'output', sort: 'output' },
  { name: 'Cache hits', field: 'cacheHit', sort: 'cacheHit' },
  { name: 'Caching saved', field: 'saved', sort: 'saved' },
  { name: 'Cost', field: 'cost', sort: 'cost' },
]

const CELL = 'px-2 py-2 text-right align-top tabular-nums whitespace-nowrap last:pr-4 sm:last:pr-5'

const Numbers = ({ sum }: { readonly sum: SumView }) =>
  COLUMNS.map(({ field }) => (
    <td key={field} className={`${CELL} ${field === 'cost' ? 'font-medium' : ''}`}>
      <FigureText figure={sum[field]} />
    </td>
  ))

interface DimensionTableProps {
  readonly dimension: Dimension
  readonly page: DimensionPage
  readonly sort: DimensionSort
  readonly sortBy: (sort: DimensionSort) => void
  readonly hrefOf: (key: string) => string
}

export const DimensionTable = ({ dimension, page, sort, sortBy, hrefOf }: DimensionTableProps) => {
  const { one, many } = DIMENSION_NAMES[dimension]
  return (
    <div className="overflow-x-auto pt-2" tabIndex={0} role="region" aria-label={`Table of ${many.toLowerCase()}`}>
      <table className="w-full text-sm">
        <caption className="sr-only">{many} with what they used</caption>
        <thead className="text-xs text-muted">
          <tr>
            <SortHead name={one} isSorted={sort === 'name'} direction="ascending" align="left" sort={() => sortBy('name')} />
            {COLUMNS.map((column) => {
              const by = column.sort
              return <SortHead key={column.field} name={column.name} isSorted={sort === by} direction="descending" align="right" {...(by === undefined ? {} : { sort: () => sortBy(by) })} />
            })}
          </tr>
        </thead>
        <tbody>
          {page.rows.map((row) => (
            <tr key={row.key} className="border-t border-line">
              <th scope="row" className="max-w-80 min-w-48 py-2 pr-2 pl-4 text-left align-top font-normal sm:pl-5">
                <RowLabel {...row} href={row.key === null ? undefined : hrefOf(row.key)} />
              </th>
              <Numbers sum={row} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t-2 border-line font-medium">
            <th scope="row" className="py-2 pr-2 pl-4 text-left sm:pl-5">
              Total
            </th>
            <Numbers sum={page.total} />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
