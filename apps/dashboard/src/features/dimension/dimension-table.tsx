/** The table of a dimension's values. Columns sort it on the server. */
import { visibleText } from '../../components/store-text.tsx'
import { SortHead } from '../../components/sort-head.tsx'
import { TotalFoot } from '../../components/total-foot.tsx'
import type { Sorting } from '../../components/use-sorting.ts'
import { DIMENSION_NAMES } from '../usage/dimension.ts'
import type { Dimension } from '../usage/dimension.ts'
import { FigureText } from '../usage/figure-text.tsx'
import { shownMeasures } from '../overview/measures.ts'
import type { Measure } from '../overview/measures.ts'
import { RowLabel } from '../usage/row-label.tsx'
import type { SumView } from '../usage/table-view.ts'
import type { DimensionPage } from './dimension-query.ts'
import type { DimensionSort } from './sorts.ts'

/** In the order of the columns. */
const COLUMN_NAMES: Readonly<Record<Measure, string>> = {
  requests: 'Requests',
  tokens: 'Tokens',
  input: 'Uncached input',
  cacheRead: 'Cache read',
  cacheWrite5m: 'Write, 5 min',
  cacheWrite1h: 'Write, 1 h',
  cacheWrite30m: 'Write, 30 min',
  cacheWrite12h: 'Write, 12 h',
  output: 'Output',
  cacheHit: 'Cache hits',
  firstToken: 'First token',
  latency: 'Whole reply',
  saved: 'Caching saved',
  cost: 'Cost',
}

/** Where a name alone leaves a question. */
const COLUMN_HINTS: Readonly<Partial<Record<Measure, string>>> = {
  input: 'Input that was neither read from the cache nor written to it',
  cacheRead: 'Input that the provider had in its cache',
  cacheWrite5m: 'Input that was put into the provider’s cache for five minutes',
  cacheWrite1h: 'Input that was put into the provider’s cache for an hour',
  cacheWrite30m: 'Input that was put into the provider’s cache for half an hour',
  cacheWrite12h: 'Input that was put into the provider’s cache for twelve hours',
  cacheHit: 'The share of all input that was read from the cache',
  firstToken:
    'From sending a request until the first token of its reply, on average; only requests that Cairn made are timed',
  latency: 'From sending a request until the end of its reply, on average; only requests that Cairn made are timed',
  saved: 'By the price list: what the same requests would have cost without caching, less what they cost',
}

/** The column that sorts the table stays in sight while the others scroll below it, behind an edge that fades them out. */
const STICKY =
  'sticky right-0 left-0 z-1 bg-panel shadow-[1px_0_0_var(--line),-1px_0_0_var(--line)] before:pointer-events-none before:absolute before:inset-y-0 before:right-full before:w-2 before:bg-linear-to-r before:from-transparent before:to-panel after:pointer-events-none after:absolute after:inset-y-0 after:left-full after:w-2 after:bg-linear-to-l after:from-transparent after:to-panel'

const CELL = 'px-2 py-2 text-right align-top tabular-nums last:pr-4 sm:last:pr-5'

interface NumbersProps {
  readonly sum: SumView
  readonly measures: readonly Measure[]
  /** By which the table is sorted. */
  readonly sort: DimensionSort
  readonly isTotal?: boolean
}

/** A cell for each measure. In the order of `measures`. */
const Numbers = ({ sum, measures, sort, isTotal = false }: NumbersProps) =>
  measures.map((field) => (
    <td
      key={field}
      // A total goes on below where its estimate would make the column, and what stays in sight, twice as wide.
      className={`${CELL} ${isTotal ? '' : 'whitespace-nowrap'} ${field === 'cost' ? 'font-medium' : ''} ${field === sort ? STICKY : ''}`}
      data-measure={field}
    >
      <FigureText figure={sum[field]} isTotal={isTotal} />
    </td>
  ))

const SESSIONS_NAMES: Readonly<Record<Dimension, string>> = {
  model: 'Sessions with',
  project: 'Sessions in',
  branch: 'Sessions on',
  agent: 'Sessions of',
}

interface DimensionTableProps {
  readonly dimension: Dimension
  readonly page: DimensionPage
  readonly sorting: Sorting<DimensionSort>
  /** Address of a page narrowed down to a value. */
  readonly hrefOf: (path: '/' | '/sessions', key: string) => string
}

interface RowHeadProps extends Pick<DimensionTableProps, 'dimension' | 'hrefOf'> {
  readonly row: DimensionPage['rows'][number]
}

/**
 * The name of a row. On a phone it ends before the column that stays in sight. It leads to the overview and the
 * sessions of that value, if there is one.
 */
const RowHead = ({ row, dimension, hrefOf }: RowHeadProps) => (
  <th scope="row" className="max-w-60 min-w-40 py-2 pr-2 pl-4 text-left align-top font-normal sm:max-w-80 sm:pl-5">
    <RowLabel
      {...row}
      href={row.key === null ? undefined : hrefOf('/', row.key)}
      sessions={
        row.key === null
          ? undefined
          : { href: hrefOf('/sessions', row.key), name: `${SESSIONS_NAMES[dimension]} ${visibleText(row.label)}` }
      }
    />
  </th>
)

/**
 * A page of a dimension’s values with every measure, and the total of all values. Columns without any figure are left
 * out.
 */
export const DimensionTable = ({ dimension, page, sorting, hrefOf }: DimensionTableProps) => {
  const { one, many } = DIMENSION_NAMES[dimension]
  const measures = shownMeasures(page.total)
  return (
    <div
      className="sideways mt-2 overflow-x-auto"
      tabIndex={0}
      role="region"
      aria-label={`Table of ${many.toLowerCase()}`}
    >
      <table className="w-full text-sm" data-table={dimension}>
        <caption className="sr-only">
          {many} with what they used; from a total, arrow keys go to the figures that it is made of
        </caption>
        <thead className="text-xs text-muted">
          <tr>
            <SortHead name={one} align="left" sorting={sorting} by="name" />
            {measures.map((measure) => (
              <SortHead
                key={measure}
                name={COLUMN_NAMES[measure]}
                hint={COLUMN_HINTS[measure]}
                align="right"
                className={measure === sorting.sort ? STICKY : ''}
                sorting={sorting}
                by={measure}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {page.rows.map((row) => (
            <tr key={row.key} className="border-t border-line" data-key={row.key ?? ''}>
              <RowHead row={row} dimension={dimension} hrefOf={hrefOf} />
              <Numbers sum={row} measures={measures} sort={sorting.sort} />
            </tr>
          ))}
        </tbody>
        <TotalFoot>
          <Numbers sum={page.total} measures={measures} sort={sorting.sort} isTotal />
        </TotalFoot>
      </table>
    </div>
  )
}
