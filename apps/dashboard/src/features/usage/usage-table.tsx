'use client'
/** The most expensive values of a dimension with their total. A row filters the page by its value; columns sort what is shown. */
import Link from 'next/link'
import { Panel } from '../../components/panel.tsx'
import { SortHead } from '../../components/sort-head.tsx'
import { sortedRows } from '../../components/sorting.ts'
import { TotalFoot } from '../../components/total-foot.tsx'
import { useSorting } from '../../components/use-sorting.ts'
import { ExportLinks } from '../export/export-links.tsx'
import { DIMENSION_NAMES } from './dimension.ts'
import type { Dimension } from './dimension.ts'
import { FigureText } from './figure-text.tsx'
import { TOP_MEASURES } from '../overview/measures.ts'
import type { TopMeasure } from '../overview/measures.ts'
import { RowLabel } from './row-label.tsx'
import type { RowView, SumView, TableView } from './table-view.ts'

const CELL = 'px-2 py-2 text-right align-top tabular-nums whitespace-nowrap last:pr-4 last:font-medium sm:last:pr-5'

const SORTS = [...TOP_MEASURES, 'name'] as const

/** Narrow panels leave out what is least missed. */
const COLUMNS: Readonly<Record<TopMeasure, { readonly name: string; readonly className: string }>> = {
  requests: { name: 'Requests', className: 'hidden sm:table-cell' },
  tokens: { name: 'Tokens', className: 'hidden md:table-cell lg:hidden xl:table-cell' },
  cacheHit: { name: 'Cache hits', className: '' },
  output: { name: 'Output', className: 'hidden sm:table-cell' },
  cost: { name: 'Cost', className: '' },
}

/** The cells of the measures, in the order of `TOP_MEASURES`. */
const Numbers = ({ sum, isTotal = false }: { readonly sum: SumView; readonly isTotal?: boolean }) =>
  TOP_MEASURES.map((measure) => (
    <td key={measure} className={`${CELL} ${COLUMNS[measure].className}`} data-measure={measure}>
      <FigureText figure={sum[measure]} isTotal={isTotal} />
    </td>
  ))

interface UsageTableProps {
  readonly table: TableView
  /** Address of the page narrowed down to a value. */
  readonly hrefOf: (dimension: Dimension, key: string) => string
  /** Of all rows, with what is selected. */
  readonly allHref: string
  /** The selection for an export, `?…`. */
  readonly exportQuery: string
}

/** A row of a dimension; a link unless `href` is undefined. */
const Row = ({ row, href }: { readonly row: RowView; readonly href: string | undefined }) => (
  <tr className="border-t border-line" data-key={row.key ?? ''}>
    <th scope="row" className="w-full max-w-0 py-2 pr-2 pl-4 text-left align-top font-normal sm:pl-5">
      <RowLabel {...row} href={href} />
    </th>
    <Numbers sum={row} />
  </tr>
)

/**
 * The overview’s panel of a dimension, with its export. Sorted by the address, the dearest first unless it says
 * otherwise; "All others" stays last.
 */
export const UsageTable = ({ table, hrefOf, allHref, exportQuery }: UsageTableProps) => {
  const { title, one, many } = DIMENSION_NAMES[table.dimension]
  const sorting = useSorting({ sorts: SORTS, fallback: 'cost', rising: ['name'], prefix: table.dimension })
  const { sort, order } = sorting
  // The sum of all others is no value of its own, and stays last.
  const named = table.rows.filter(({ key }) => key !== null)
  const rows = [
    ...sortedRows(named, order, (row) => (sort === 'name' ? row.label : row.values[sort])),
    ...table.rows.filter(({ key }) => key === null),
  ]
  return (
    <Panel title={title} aside={<ExportLinks table={table.dimension} query={exportQuery} />}>
      <div className="sideways mt-2 overflow-x-auto">
        <table className="w-full text-sm" data-table={table.dimension}>
          <caption className="sr-only">{title}; from a total, arrow keys go to the figures that it is made of</caption>
          <thead className="text-xs text-muted">
            <tr>
              <SortHead name={one} align="left" sorting={sorting} by="name" />
              {TOP_MEASURES.map((measure) => (
                <SortHead key={measure} {...COLUMNS[measure]} align="right" sorting={sorting} by={measure} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={row.key ?? '\u0000rest'}
                row={row}
                href={row.key === null ? undefined : hrefOf(table.dimension, row.key)}
              />
            ))}
          </tbody>
          <TotalFoot>
            <Numbers sum={table.total} isTotal />
          </TotalFoot>
        </table>
      </div>
      <p className="px-4 pt-1 pb-3 sm:px-5">
        <Link href={allHref} prefetch={false} className="text-sm text-accent hover:underline">
          All {many.toLowerCase()}
        </Link>
      </p>
    </Panel>
  )
}
