/** Usage by the values of a dimension, dearest first, with its total. */
import { useState } from 'react'
import { Panel } from '../../components/panel.tsx'
import { FigureText } from './figure-text.tsx'
import type { RowView, SumView, TableView } from './overview-view.ts'

/** Rows that are shown before one asks for all. */
const FIRST_ROWS = 8

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

const Row = ({ row }: { readonly row: RowView }) => (
  <tr className="border-t border-line">
    <th scope="row" className="w-full max-w-0 py-2 pr-2 pl-4 text-left align-top font-normal sm:pl-5">
      <span className="block truncate" title={row.detail ?? row.label}>
        <bdi>{row.label}</bdi>
      </span>
      {row.detail !== null && (
        <span className="block truncate text-xs text-muted" title={row.detail}>
          <bdi>{row.detail}</bdi>
        </span>
      )}
      <svg aria-hidden="true" className="mt-1.5 h-1 w-full" viewBox="0 0 100 1" preserveAspectRatio="none">
        <rect width="100" height="1" fill="var(--sunken)" />
        <rect width={Math.max(row.costShare * 100, row.costShare > 0 ? 0.5 : 0)} height="1" fill="var(--accent)" />
      </svg>
    </th>
    <Numbers sum={row} />
  </tr>
)

interface UsageTableProps {
  readonly title: string
  /** Heading of the first column. */
  readonly dimension: string
  readonly table: TableView
}

export const UsageTable = ({ title, dimension, table }: UsageTableProps) => {
  const [isWhole, setWhole] = useState(false)
  const rows = isWhole ? table.rows : table.rows.slice(0, FIRST_ROWS)
  const rest = table.rows.length - FIRST_ROWS
  return (
    <Panel title={title} aside="dearest first">
      <div className="overflow-x-auto pt-2">
        <table className="w-full text-sm">
          <caption className="sr-only">{title}, dearest first</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="py-2 pr-2 pl-4 text-left font-medium sm:pl-5">
                {dimension}
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
            {rows.map((row) => (
              <Row key={row.key} row={row} />
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
      <div className="px-4 pb-3 sm:px-5">
        {rest > 0 && (
          <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)} className="mt-1 rounded-md py-1 text-sm text-accent hover:underline">
            {isWhole ? 'Show fewer' : `Show ${rest} more`}
          </button>
        )}
      </div>
    </Panel>
  )
}
