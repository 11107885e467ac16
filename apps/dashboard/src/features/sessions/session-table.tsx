/** Sessions as rows. */
import Link from 'next/link'
import { SortHead } from '../../components/sort-head.tsx'
import { TotalFoot } from '../../components/total-foot.tsx'
import type { Sorting } from '../../components/use-sorting.ts'
import { visibleText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import type { Figure } from '../usage/figure.ts'
import { FigureText } from '../usage/figure-text.tsx'
import { sessionHref } from './list-address.ts'
import type { SharedSessionRow } from './session-row.ts'
import type { SessionSort } from './sorts.ts'

const CELL = 'px-2 py-2.5 align-top tabular-nums whitespace-nowrap'

/** What a cost is of: a part of the session, by time or by filters, or all of it. */
export type Extent = 'period' | 'filters' | 'whole'

export const EXTENT_NAMES: Readonly<
  Record<Extent, { readonly requests: string; readonly cost: string; readonly hint: string }>
> = {
  period: {
    requests: 'Requests in period',
    cost: 'Cost in period',
    hint: 'Only of requests in this period that pass the filters, as on the overview',
  },
  filters: {
    requests: 'Requests, filtered',
    cost: 'Cost, filtered',
    hint: 'Only of requests that pass the filters, as on the overview',
  },
  whole: { requests: 'Requests', cost: 'Cost', hint: 'Of all requests of the session' },
}

interface SessionTableProps {
  readonly rows: readonly SharedSessionRow[]
  readonly extent: Extent
  readonly total: { readonly requests: Figure; readonly cost: Figure }
  /** What the total is of. */
  readonly totalOf: string
  readonly sorting: Sorting<SessionSort>
  readonly timeZone: string | undefined
  /** The list's own address, which a session's page leads back to. */
  readonly list: Pick<URLSearchParams, 'get'>
}

/** Narrow screens leave the columns out that a row's second line tells as well. */
const hidden = {
  md: 'hidden md:table-cell',
  lg: 'hidden lg:table-cell',
  xxl: 'hidden 2xl:table-cell',
  sm: 'hidden sm:table-cell',
} as const

const Row = ({
  row,
  timeZone,
  extent,
  list,
}: {
  readonly row: SharedSessionRow
  readonly timeZone: string | undefined
  readonly extent: Extent
  readonly list: Pick<URLSearchParams, 'get'>
}) => (
  <tr className="border-t border-line hover:bg-sunken/50">
    <th scope="row" className="w-full max-w-0 min-w-44 py-2.5 pr-2 pl-4 text-left align-top font-normal sm:pl-5">
      <Link
        href={sessionHref(row.id, list)}
        prefetch={false}
        className={`block truncate underline-offset-4 hover:underline ${row.isUntitled ? 'font-mono text-xs leading-5 text-muted' : 'font-medium'}`}
        title={visibleText(row.title)}
      >
        <bdi>{visibleText(row.title)}</bdi>
      </Link>
      <span
        className="block truncate text-xs text-muted 2xl:hidden"
        title={visibleText([row.workspace, row.branch].filter((part) => part !== null).join(' · ')) || undefined}
      >
        <bdi>{visibleText(row.project)}</bdi>
        {row.branch !== null && (
          <>
            {' · '}
            <bdi>{visibleText(row.branch)}</bdi>
          </>
        )}
        <span className="md:hidden"> · {visibleText(row.agent)}</span>
      </span>
    </th>
    <td
      className={`${CELL} hidden max-w-64 truncate 2xl:table-cell`}
      title={row.workspace === null ? undefined : visibleText(row.workspace)}
    >
      <bdi>{visibleText(row.project)}</bdi>
    </td>
    <td
      className={`${CELL} hidden max-w-64 truncate 2xl:table-cell`}
      title={row.branch === null ? undefined : visibleText(row.branch)}
    >
      <bdi>{visibleText(row.branch ?? '–')}</bdi>
    </td>
    <td className={`${CELL} hidden md:table-cell`}>
      <bdi>{visibleText(row.agent)}</bdi>
    </td>
    <td className={`${CELL} hidden lg:table-cell`}>
      <TimeText at={row.startedAt} timeZone={timeZone} />
    </td>
    <td className={`${CELL} hidden sm:table-cell`}>
      <TimeText at={row.updatedAt} timeZone={timeZone} />
    </td>
    <td className={`${CELL} hidden text-right sm:table-cell`}>{row.messages.toLocaleString('en-US')}</td>
    <td className={`${CELL} hidden text-right md:table-cell`}>
      <FigureText figure={row.share.requests} />
    </td>
    {extent !== 'whole' && (
      <td className={`${CELL} ${hidden.lg} text-right text-muted`}>
        <FigureText figure={row.cost} />
      </td>
    )}
    <td className={`${CELL} pr-4 text-right font-medium sm:pr-5`}>
      <FigureText figure={row.share.cost} />
    </td>
  </tr>
)

export const SessionTable = ({ rows, extent, total, totalOf, sorting, timeZone, list }: SessionTableProps) => (
  <div className="sideways overflow-x-auto pt-2" tabIndex={0} role="region" aria-label="Table of sessions">
    <table className="w-full text-sm">
      <caption className="sr-only">Sessions</caption>
      <thead className="text-xs text-muted">
        <tr>
          <SortHead name="Session" align="left" />
          <SortHead name="Project" align="left" className={hidden.xxl} />
          <SortHead name="Branch" align="left" className={hidden.xxl} />
          <SortHead name="Agent" align="left" className={hidden.md} />
          <SortHead name="Started" align="left" sorting={sorting} by="started" className={hidden.lg} />
          <SortHead name="Last active" align="left" sorting={sorting} by="updated" className={hidden.sm} />
          <SortHead
            name="Messages"
            align="right"
            sorting={sorting}
            by="messages"
            className={hidden.sm}
            hint="Of the whole session"
          />
          <SortHead
            name={EXTENT_NAMES[extent].requests}
            align="right"
            className={hidden.md}
            hint={EXTENT_NAMES[extent].hint}
          />
          {extent !== 'whole' && (
            <SortHead
              name="Whole session"
              align="right"
              className={hidden.lg}
              hint="What the session cost from its beginning to its end, whatever the period and the filters"
            />
          )}
          <SortHead
            name={EXTENT_NAMES[extent].cost}
            align="right"
            sorting={sorting}
            by="cost"
            hint={EXTENT_NAMES[extent].hint}
          />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} timeZone={timeZone} extent={extent} list={list} />
        ))}
      </tbody>
      <TotalFoot below={totalOf}>
        <td className={hidden.xxl} />
        <td className={hidden.xxl} />
        <td className={hidden.md} />
        <td className={hidden.lg} />
        <td className={hidden.sm} />
        <td className={hidden.sm} />
        <td className={`${CELL} ${hidden.md} text-right`}>
          <FigureText figure={total.requests} isTotal />
        </td>
        {extent !== 'whole' && <td className={hidden.lg} />}
        <td className={`${CELL} pr-4 text-right sm:pr-5`}>
          <FigureText figure={total.cost} isTotal />
        </td>
      </TotalFoot>
    </table>
  </div>
)
