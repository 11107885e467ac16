'use client'
/** The charts' numbers as a table, folded away until it is asked for, or the address sorts it. Latest first, unless a column sorts it. */
import { formatUsd, nanoFromUsd } from '@cairn/core'
import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { SortHead } from '../../components/sort-head.tsx'
import { sortedRows } from '../../components/sorting.ts'
import type { SortValue } from '../../components/sorting.ts'
import { useSorting } from '../../components/use-sorting.ts'
import { ExportLinks } from '../export/export-links.tsx'
import { COST_CLASSES } from '../usage/cost-classes.ts'
import { FigureText } from '../usage/figure-text.tsx'
import type { PointView } from './overview-view.ts'
import { TOKEN_CLASSES, usedClasses } from '../usage/token-classes.ts'
import type { TokenClass } from '../usage/token-classes.ts'

const whole = new Intl.NumberFormat('en-US')

const SORTS = [
  'from',
  'cost',
  'requests',
  ...COST_CLASSES.map(({ field }) => field),
  ...TOKEN_CLASSES.map(({ field }) => field),
] as const
type StepSort = (typeof SORTS)[number]

/** Returns what a row of the table is sorted by: its day, cost in USD, requests, or a class of tokens or cost. */
const valueOf = (point: PointView, sort: StepSort): SortValue => {
  if (sort === 'from') return point.day
  if (sort === 'cost') return point.usd
  return sort === 'requests' ? point.requestCount : point[sort]
}

const CELL = 'px-2 py-1.5 last:pr-4 sm:last:pr-5'

interface StepTableProps {
  readonly points: readonly PointView[]
  readonly stepName: string
  readonly exportQuery: string
  /** Address of the overview, or of the sessions, of some days; undefined where they are shown already. */
  readonly hrefOf: ((path: '/' | '/sessions', days: NonNullable<PointView['days']>) => string) | undefined
}

interface StepRowProps {
  readonly point: PointView
  readonly classes: readonly TokenClass[]
  readonly hrefOf: StepTableProps['hrefOf']
}

/** The numbers of one step; its name leads to its days. Its name is no link for an hour, nor without `hrefOf`. */
const StepRow = ({ point, classes, hrefOf }: StepRowProps) => (
  <tr className="border-t border-line" data-key={point.key}>
    <th scope="row" className="px-4 py-1.5 text-left font-normal whitespace-nowrap sm:px-5">
      {point.days === null || hrefOf === undefined ? (
        point.title
      ) : (
        <span className="flex items-baseline gap-2">
          <Link
            href={hrefOf('/', point.days)}
            prefetch={false}
            className="min-w-0 flex-1 underline-offset-4 hover:underline"
          >
            {point.title}
          </Link>
          {point.requestCount > 0 && (
            <Link
              href={hrefOf('/sessions', point.days)}
              prefetch={false}
              aria-label={`Sessions of ${point.title}`}
              className="text-xs text-accent hover:underline"
            >
              Sessions
            </Link>
          )}
        </span>
      )}
    </th>
    <td className={CELL} data-measure="cost">
      <FigureText figure={point.cost} />
    </td>
    <td className={CELL} data-measure="requests">
      {point.requests.text}
    </td>
    {COST_CLASSES.map(({ field }) => (
      <td key={field} className={CELL} data-measure={field}>
        {formatUsd(nanoFromUsd(point[field]))}
      </td>
    ))}
    {classes.map(({ field }) => (
      <td key={field} className={CELL} data-measure={field}>
        {whole.format(point[field])}
      </td>
    ))}
  </tr>
)

/** A folded table with a row for each step, sorted by the address, the newest first unless it says otherwise. */
export const StepTable = ({ points, stepName, exportQuery, hrefOf }: StepTableProps) => {
  const classes = usedClasses(points)
  const sorting = useSorting({ sorts: SORTS, fallback: 'from', prefix: 'step' })
  // What is open stays open: only an address that is opened again decides.
  const [isSorted] = useState(useSearchParams().has('stepSort'))
  const rows = sortedRows(points.toReversed(), sorting.order, (point) => valueOf(point, sorting.sort))
  return (
    <details className="rounded-xl border border-line bg-panel text-sm" open={isSorted}>
      <summary className="cursor-pointer rounded-xl px-4 py-3 hover:text-ink sm:px-5">
        <span className="font-medium">Table {stepName}</span>
        <span className="text-muted">
          {' '}
          – what each bar stands for; a click on a column sorts it, “Cost” the most expensive first
        </span>
      </summary>
      <p className="px-4 pb-2 text-right sm:px-5">
        By day: <ExportLinks table="day" query={exportQuery} />
      </p>
      <div
        className="max-h-96 overflow-auto border-t border-line"
        tabIndex={0}
        role="region"
        aria-label={`Table ${stepName}`}
      >
        <table className="w-full text-right tabular-nums" data-table="steps">
          <caption className="sr-only">Cost and tokens {stepName}</caption>
          <thead className="sticky top-0 bg-panel text-xs text-muted">
            <tr>
              <SortHead name="From" align="left" sorting={sorting} by="from" />
              <SortHead name="Cost" align="right" sorting={sorting} by="cost" />
              <SortHead name="Requests" align="right" sorting={sorting} by="requests" />
              {COST_CLASSES.map(({ field, name }) => (
                <SortHead key={field} name={`${name}, $`} align="right" sorting={sorting} by={field} />
              ))}
              {classes.map(({ field, name }) => (
                <SortHead key={field} name={name} align="right" sorting={sorting} by={field} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((point) => (
              <StepRow key={point.key} point={point} classes={classes} hrefOf={hrefOf} />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
