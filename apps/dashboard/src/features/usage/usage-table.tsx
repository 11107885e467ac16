/** Usage by the values of a dimension, dearest first, with its total. A row narrows the page down to its value. */
import Link from 'next/link'
import { Panel } from '../../components/panel.tsx'
import { ExportLinks } from '../export/export-links.tsx'
import { DIMENSION_NAMES } from './dimension.ts'
import type { Dimension } from './dimension.ts'
import { FigureText } from './figure-text.tsx'
import { RowLabel } from './row-label.tsx'
import type { RowView, SumView, TableView } from './table-view.ts'

const HEAD = 'px-2 py-2 text-right font-medium whitespace-nowrap'
const CELL = 'px-2 py-2 text-right align-top tabular-nums whitespace-nowrap'

const Numbers = ({ sum }: { readonly sum: SumView }) => (
  <>
    <td className={`${CELL} hidden sm:table-cell`}>
      <FigureText figure={sum.requests} />
    </td>
    <td className={`${CELL} hidden md:table-cell lg:hidden xl:table-cell`}>
      <FigureText figure={sum.tokens} />
    </td>
    <td className={CELL}>
      <FigureText figure={sum.cacheHit} />
    </td>
    <td className={`${CELL} hidden sm:table-cell`}>
      <FigureText figure={sum.output} />
    </td>
    <td className={`${CELL} pr-4 font-medium sm:pr-5`}>
      <FigureText figure={sum.cost} />
    </td>
  </>
)

interface UsageTableProps {
  readonly table: TableView
  /** Address of the page narrowed down to a value. */
  readonly hrefOf: (dimension: Dimension, key: string) => string
  /** Of all rows, with what is selected. */
  readonly allHref: string
  /** The selection for an export, `?…`. */
  readonly exportQuery: string
}

const Row = ({ row, href }: { readonly row: RowView; readonly href: string | undefined }) => (
  <tr className="border-t border-line">
    <th scope="row" className="w-full max-w-0 py-2 pr-2 pl-4 text-left align-top font-normal sm:pl-5">
      <RowLabel {...row} href={href} />
    </th>
    <Numbers sum={row} />
  </tr>
)

export const UsageTable = ({ table, hrefOf, allHref, exportQuery }: UsageTableProps) => {
  const { title, one, many } = DIMENSION_NAMES[table.dimension]
  return (
    <Panel title={title} aside={<ExportLinks table={table.dimension} query={exportQuery} />}>
      <div className="overflow-x-auto pt-2">
        <table className="w-full text-sm">
          <caption className="sr-only">{title}, dearest first</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="py-2 pr-2 pl-4 text-left font-medium sm:pl-5">
                {one}
              </th>
              <th scope="col" className={`${HEAD} hidden sm:table-cell`}>
                Requests
              </th>
              <th scope="col" className={`${HEAD} hidden md:table-cell lg:hidden xl:table-cell`}>
                Tokens
              </th>
              <th scope="col" className={HEAD}>
                Cache hits
              </th>
              <th scope="col" className={`${HEAD} hidden sm:table-cell`}>
                Output
              </th>
              <th scope="col" className={`${HEAD} pr-4 sm:pr-5`}>
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <Row key={row.key ?? '\u0000rest'} row={row} href={row.key === null ? undefined : hrefOf(table.dimension, row.key)} />
            ))}
          </tbody>
          <tfoot>
            <tr className="border-t-2 border-line font-medium">
              <th scope="row" className="py-2 pr-2 pl-4 text-left sm:pl-5">
                Total
              </th>
              <Numbers sum={table.total} />
            </tr>
          </tfoot>
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
