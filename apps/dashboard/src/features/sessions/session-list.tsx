'use client'
/** All sessions: searched, filtered, sorted and in pages, all of it on the server. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pager } from '../../components/pager.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { SortPicker } from '../../components/sort-picker.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { useUrlState } from '../../components/use-url-state.ts'
import { usePage } from '../../components/use-page.ts'
import { useSorting } from '../../components/use-sorting.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { ExportLinks } from '../export/export-links.tsx'
import { exportQuery } from '../export/export-query.ts'
import { UrlProblemsNotice } from '../selection/url-problems-notice.tsx'
import { Controls } from '../selection/controls.tsx'
import { LandingNote, OtherPeriod } from '../usage/other-period.tsx'
import { NothingFiltered } from '../selection/nothing-filtered.tsx'
import { FILTERS } from '../selection/selection.ts'
import { useSelection } from '../selection/use-selection.ts'
import type { SelectionState } from '../selection/use-selection.ts'
import { useSelectionInput } from '../selection/use-selection-input.ts'
import { EXTENT_NAMES, SessionTable } from './session-table.tsx'
import type { Extent } from './session-table.tsx'
import { SESSION_PAGE_ROWS } from './page-sizes.ts'
import { SESSION_SORTS } from './sorts.ts'

/** Returns what the table can be sorted by where its columns are left out, with their names. */
const namedSorts = (extent: Extent) =>
  [
    { sort: 'updated', name: 'Last active' },
    { sort: 'started', name: 'Started' },
    { sort: 'messages', name: 'Messages' },
    { sort: 'cost', name: EXTENT_NAMES[extent].cost },
    { sort: 'perRequest', name: 'Cost per request' },
    { sort: 'subagents', name: 'Cost of subagents' },
  ] as const

type Selected = SelectionState['selection']

const isAllTime = ({ period, from, to }: Selected): boolean =>
  period === 'all' && from === undefined && to === undefined

const isFiltered = ({ filter }: Selected): boolean => FILTERS.some((name) => filter[name] !== undefined)

/** Returns what the sums are of: a period (also a filtered one), filters, or everything. */
const extentOf = (selection: Selected): Extent => {
  if (!isAllTime(selection)) return 'period'
  return isFiltered(selection) ? 'filters' : 'whole'
}

/** What the total is of. */
const TOTALS: Readonly<Record<Extent, string>> = {
  period: 'of all requests in this period, as on the overview',
  filters: 'of all requests that pass the filters, as on the overview',
  whole: 'of all sessions, on all pages',
}

interface ListProps {
  readonly state: SelectionState
  /** What was searched for. */
  readonly text: string
}

/** Why there is no session, and the way to some: without filters or search, another period, or an import. */
const NoSessions = ({ state, text }: ListProps) => {
  const { selection, select } = state
  const change = useUrlState()
  if (text === '' && isFiltered(selection))
    return <NothingFiltered state={state} filters={FILTERS} text="No session of this period passes." isOfPeriod />
  if (text !== '')
    return (
      <Notice
        title="No session matches"
        text="None of this period has such a title and passes the filters."
        action={{
          label: 'Show all sessions',
          run: () =>
            change({
              q: undefined,
              project: undefined,
              model: undefined,
              agent: undefined,
              branch: undefined,
              page: undefined,
            }),
        }}
      />
    )
  if (isAllTime(selection))
    return (
      <Notice
        title="No session yet"
        text="Import what your coding agents did; this page shows it as soon as it is there."
        command="cairn import"
      />
    )
  const inPeriod = { title: 'No session in this period', text: 'None has an entry that falls in it.' }
  return (
    <OtherPeriod
      state={state}
      {...inPeriod}
      nothing={
        <Notice
          {...inPeriod}
          action={{ label: 'Show all time', run: () => select({ period: 'all', from: undefined, to: undefined }) }}
        />
      }
    />
  )
}

/** The table of the sessions that were found, or why there is none. */
const Results = ({ state, text }: ListProps) => {
  const parameters = useSearchParams()
  const selected = useSelectionInput(state)
  const trpc = useTRPC()
  const sorting = useSorting({ sorts: SESSION_SORTS, fallback: 'updated' })
  const { sort, order } = sorting
  const [page, go] = usePage()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.sessions.page.queryOptions(
      selected === undefined ? skipToken : { selection: selected, sort, order, text, page },
      { placeholderData: keepPreviousData },
    ),
  )
  const { selection, browserZone } = state
  const extent = extentOf(selection)
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={12} />
  if (data.count === 0) return <NoSessions state={state} text={text} />
  return (
    <div
      aria-busy={isPlaceholderData}
      className={`rounded-xl border border-line bg-panel ${isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3 sm:px-5">
        <p role="status" className="text-sm text-muted" data-total="Rows">
          {data.count.toLocaleString('en-US')} {data.count === 1 ? 'session' : 'sessions'}
        </p>
        <SortPicker sorts={namedSorts(extent)} sorting={sorting} className="sm:hidden" />
        <ExportLinks table="sessions" query={exportQuery(state, { sort, order, text })} />
      </div>
      <SessionTable
        rows={data.rows}
        extent={extent}
        total={data.total}
        totalOf={text === '' ? TOTALS[extent] : 'of the sessions that were found, on all pages'}
        sorting={sorting}
        timeZone={selection.zone ?? browserZone}
        list={parameters}
      />
      <Pager page={data.page} rows={SESSION_PAGE_ROWS} count={data.count} go={go} />
    </div>
  )
}

/** The page: controls with a search of titles, and the sessions found. */
export const SessionList = () => {
  const state = useSelection()
  const text = (useSearchParams().get('q') ?? '').slice(0, 200)
  const change = useUrlState()
  return (
    <>
      <UrlProblemsNotice />
      <LandingNote state={state} />
      <PageHead title="Sessions">
        <Controls state={state} filters={FILTERS}>
          <SearchField
            label="Search titles"
            value={text}
            search={(q) => change({ q: q === '' ? undefined : q, page: undefined })}
          />
        </Controls>
      </PageHead>
      <Results state={state} text={text} />
    </>
  )
}
