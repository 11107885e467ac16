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

/** Narrow screens leave out the columns that a row's second line repeats. */
const HIDDEN = {
  sm: 'hidden sm:table-cell',
  md: 'hidden md:table-cell',
  lg: 'hidden lg:table-cell',
  xl: 'hidden xl:table-cell',
  xxl: 'hidden 2xl:table-cell',
} as const

interface RowProps extends Pick<SessionTableProps, 'extent' | 'timeZone' | 'list'> {
  readonly row: SharedSessionRow
}

/**
 * The title, which leads to the session; below it what narrow screens have no column for. A session without a title has
 * its agent's id there.
 */
const TitleCell = ({ row, list }: Pick<RowProps, 'row' | 'list'>) => (
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
)

/** A text that may be long, cut; all of it shows on hover. Without a title nothing shows. */
const LongCell = ({ text, title }: { readonly text: string; readonly title: string | null }) => (
  <td className={`${CELL} ${HIDDEN.xxl} max-w-64 truncate`} title={title === null ? undefined : visibleText(title)}>
    <bdi>{visibleText(text)}</bdi>
  </td>
)

/** A session as a row. */
const Row = ({ row, timeZone, extent, list }: RowProps) => (
  <tr className="border-t border-line hover:bg-sunken/50" data-key={row.id}>
    <TitleCell row={row} list={list} />
    <LongCell text={row.project} title={row.workspace} />
    <LongCell text={row.branch ?? '–'} title={row.branch} />
    <td className={`${CELL} ${HIDDEN.md}`}>
      <bdi>{visibleText(row.agent)}</bdi>
    </td>
    <td className={`${CELL} ${HIDDEN.lg}`}>
      <TimeText at={row.startedAt} timeZone={timeZone} />
    </td>
    <td className={`${CELL} ${HIDDEN.sm}`}>
      <TimeText at={row.updatedAt} timeZone={timeZone} />
    </td>
    <td className={`${CELL} ${HIDDEN.sm} text-right`} data-measure="messages">
      {row.messages.toLocaleString('en-US')}
    </td>
    <td className={`${CELL} ${HIDDEN.md} text-right`} data-measure="requests">
      <FigureText figure={row.share.requests} />
    </td>
    {extent !== 'whole' && (
      <td className={`${CELL} ${HIDDEN.lg} text-right text-muted`} data-measure="whole">
        <FigureText figure={row.cost} />
      </td>
    )}
    <td className={`${CELL} ${HIDDEN.xl} text-right`} data-measure="perRequest">
      <FigureText figure={row.share.perRequest} />
    </td>
    <td className={`${CELL} ${HIDDEN.xl} text-right`} data-measure="subagents">
      <FigureText figure={row.share.subagents} />
    </td>
    <td className={`${CELL} pr-4 text-right font-medium sm:pr-5`} data-measure="cost">
      <FigureText figure={row.share.cost} />
    </td>
  </tr>
)

/** The columns' names, of which some sort the table. */
const Heads = ({ extent, sorting }: Pick<SessionTableProps, 'extent' | 'sorting'>) => {
  const { requests, cost, hint } = EXTENT_NAMES[extent]
  return (
    <tr>
      <SortHead name="Session" align="left" />
      <SortHead name="Project" align="left" className={HIDDEN.xxl} />
      <SortHead name="Branch" align="left" className={HIDDEN.xxl} />
      <SortHead name="Agent" align="left" className={HIDDEN.md} />
      <SortHead name="Started" align="left" sorting={sorting} by="started" className={HIDDEN.lg} />
      <SortHead name="Last active" align="left" sorting={sorting} by="updated" className={HIDDEN.sm} />
      <SortHead
        name="Messages"
        align="right"
        sorting={sorting}
        by="messages"
        className={HIDDEN.sm}
        hint="Of the whole session"
      />
      <SortHead name={requests} align="right" className={HIDDEN.md} hint={hint} />
      {extent !== 'whole' && (
        <SortHead
          name="Cost of the whole session"
          align="right"
          className={HIDDEN.lg}
          hint="What the session cost from its beginning to its end, whatever the period and the filters"
        />
      )}
      <SortHead
        name="Cost per request"
        align="right"
        sorting={sorting}
        by="perRequest"
        className={HIDDEN.xl}
        hint={`The mean of requests with a known cost. ${hint}`}
      />
      <SortHead
        name="Subagents"
        align="right"
        sorting={sorting}
        by="subagents"
        className={HIDDEN.xl}
        hint={`How many made a request, and what they cost together, by which they are sorted. ${hint}`}
      />
      <SortHead name={cost} align="right" sorting={sorting} by="cost" hint={hint} />
    </tr>
  )
}

/** A row for each session of the page, and a total of all pages. */
export const SessionTable = ({ rows, extent, total, totalOf, sorting, timeZone, list }: SessionTableProps) => (
  <div className="sideways overflow-x-auto pt-2" tabIndex={0} role="region" aria-label="Table of sessions">
    <table className="w-full text-sm" data-table="sessions">
      <caption className="sr-only">Sessions</caption>
      <thead className="text-xs text-muted">
        <Heads extent={extent} sorting={sorting} />
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} timeZone={timeZone} extent={extent} list={list} />
        ))}
      </tbody>
      <TotalFoot below={totalOf}>
        <td className={HIDDEN.xxl} />
        <td className={HIDDEN.xxl} />
        <td className={HIDDEN.md} />
        <td className={HIDDEN.lg} />
        <td className={HIDDEN.sm} />
        <td className={HIDDEN.sm} />
        <td className={`${CELL} ${HIDDEN.md} text-right`} data-measure="requests">
          <FigureText figure={total.requests} isTotal />
        </td>
        {extent !== 'whole' && <td className={HIDDEN.lg} />}
        <td className={HIDDEN.xl} />
        <td className={HIDDEN.xl} />
        <td className={`${CELL} pr-4 text-right sm:pr-5`} data-measure="cost">
          <FigureText figure={total.cost} isTotal />
        </td>
      </TotalFoot>
    </table>
  </div>
)
