/** Sessions as rows. */
import Link from 'next/link'
import { SortHead } from '../../components/sort-head.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { FigureText } from '../usage/figure-text.tsx'
import type { SessionRow } from './session-row.ts'
import type { SessionSort } from './sorts.ts'

const CELL = 'px-2 py-2.5 align-top tabular-nums whitespace-nowrap'

/** Address of a session's page; its id may hold anything. */
export const sessionHref = (id: string): string => `/sessions/${encodeURIComponent(id)}`

interface SessionTableProps {
  readonly rows: readonly SessionRow[]
  readonly sort: SessionSort
  readonly sortBy: (sort: SessionSort) => void
  readonly timeZone: string | undefined
}

const Row = ({ row, timeZone }: { readonly row: SessionRow; readonly timeZone: string | undefined }) => (
  <tr className="border-t border-line hover:bg-sunken/50">
    <th scope="row" className="w-full max-w-0 min-w-44 py-2.5 pr-2 pl-4 text-left align-top font-normal sm:pl-5">
      <Link href={sessionHref(row.id)} prefetch={false} className={`block truncate underline-offset-4 hover:underline ${row.isUntitled ? 'font-mono text-xs leading-5 text-muted' : 'font-medium'}`} title={row.title}>
        <bdi>{row.title}</bdi>
      </Link>
      <span className="block truncate text-xs text-muted" title={row.workspace ?? undefined}>
        <bdi>{row.project}</bdi>
        {row.branch !== null && (
          <>
            {' · '}
            <bdi>{row.branch}</bdi>
          </>
        )}
        <span className="md:hidden"> · {row.agent}</span>
      </span>
    </th>
    <td className={`${CELL} hidden md:table-cell`}>{row.agent}</td>
    <td className={`${CELL} hidden lg:table-cell`}>
      <TimeText at={row.startedAt} timeZone={timeZone} />
    </td>
    <td className={`${CELL} hidden sm:table-cell`}>
      <TimeText at={row.updatedAt} timeZone={timeZone} />
    </td>
    <td className={`${CELL} hidden text-right sm:table-cell`}>{row.messages.toLocaleString('en-US')}</td>
    <td className={`${CELL} hidden text-right md:table-cell`}>{row.requests.toLocaleString('en-US')}</td>
    <td className={`${CELL} pr-4 text-right font-medium sm:pr-5`}>
      <FigureText figure={row.cost} />
    </td>
  </tr>
)

/** Narrow screens leave the columns out that a row's second line tells as well. */
const hidden = { md: 'hidden md:table-cell', lg: 'hidden lg:table-cell', sm: 'hidden sm:table-cell' } as const

export const SessionTable = ({ rows, sort, sortBy, timeZone }: SessionTableProps) => (
  <div className="overflow-x-auto pt-2" tabIndex={0} role="region" aria-label="Table of sessions">
    <table className="w-full text-sm">
      <caption className="sr-only">Sessions</caption>
      <thead className="text-xs text-muted">
        <tr>
          <SortHead name="Session" isSorted={false} direction="descending" align="left" />
          <SortHead name="Agent" isSorted={false} direction="descending" align="left" className={hidden.md} />
          <SortHead name="Started" isSorted={sort === 'started'} direction="descending" align="left" sort={() => sortBy('started')} className={hidden.lg} />
          <SortHead name="Last active" isSorted={sort === 'updated'} direction="descending" align="left" sort={() => sortBy('updated')} className={hidden.sm} />
          <SortHead name="Messages" isSorted={sort === 'messages'} direction="descending" align="right" sort={() => sortBy('messages')} className={hidden.sm} />
          <SortHead name="Requests" isSorted={false} direction="descending" align="right" className={hidden.md} />
          <SortHead name="Cost" isSorted={sort === 'cost'} direction="descending" align="right" sort={() => sortBy('cost')} />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} timeZone={timeZone} />
        ))}
      </tbody>
    </table>
  </div>
)
