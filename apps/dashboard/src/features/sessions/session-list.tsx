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
import { UrlProblemsNotice } from '../selection/url-problems-notice.tsx'
import { Controls } from '../selection/controls.tsx'
import { LandingNote, OtherPeriod } from '../usage/other-period.tsx'
import { FILTERS, writeSelection } from '../selection/selection.ts'
import { useSelection } from '../selection/use-selection.ts'
import { useSelectionInput } from '../selection/use-selection-input.ts'
import { EXTENT_NAMES, SessionTable } from './session-table.tsx'
import type { Extent } from './session-table.tsx'
import { SESSION_PAGE_ROWS, SESSION_SORTS } from './sorts.ts'

/** Where its columns are left out, the table is sorted by these. */
const namedSorts = (extent: Extent) =>
  [
    { sort: 'updated', name: 'Last active' },
    { sort: 'started', name: 'Started' },
    { sort: 'messages', name: 'Messages' },
    { sort: 'cost', name: EXTENT_NAMES[extent].cost },
  ] as const

/** What the total is of. */
const TOTALS: Readonly<Record<Extent, string>> = {
  period: 'of all requests in this period, as on the overview',
  filters: 'of all requests that pass the filters, as on the overview',
  whole: 'of all sessions, on all pages',
}

export const SessionList = () => {
  const state = useSelection()
  const parameters = useSearchParams()
  const change = useUrlState()
  const selected = useSelectionInput(state)
  const trpc = useTRPC()
  const sorting = useSorting({ sorts: SESSION_SORTS, fallback: 'updated' })
  const { sort, order } = sorting
  const text = (parameters.get('q') ?? '').slice(0, 200)
  const [page, go] = usePage()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.sessions.page.queryOptions(
      selected === undefined ? skipToken : { selection: selected, sort, order, text, page },
      { placeholderData: keepPreviousData },
    ),
  )
  const { selection, browserZone, select } = state
  const timeZone = selection.zone ?? browserZone
  const exported = new URLSearchParams(writeSelection({ ...selection, zone: timeZone }))
  exported.set('sort', sort)
  exported.set('order', order)
  if (text !== '') exported.set('q', text)

  const isAll = selection.period === 'all' && selection.from === undefined && selection.to === undefined
  const extent: Extent = !isAll
    ? 'period'
    : FILTERS.some((name) => selection.filter[name] !== undefined)
      ? 'filters'
      : 'whole'

  const nothing = () => {
    const isNarrowed = text !== '' || FILTERS.some((name) => selection.filter[name] !== undefined)
    if (isNarrowed)
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
    if (isAll)
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

  const body = () => {
    if (error !== null)
      return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
    if (data === undefined) return <TableLoading rows={12} />
    if (data.count === 0) return nothing()
    return (
      <div
        aria-busy={isPlaceholderData}
        className={`rounded-xl border border-line bg-panel ${isPlaceholderData ? 'opacity-60' : ''}`}
      >
        <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3 sm:px-5">
          <p role="status" className="text-sm text-muted">
            {data.count.toLocaleString('en-US')} {data.count === 1 ? 'session' : 'sessions'}
          </p>
          <SortPicker sorts={namedSorts(extent)} sorting={sorting} className="sm:hidden" />
          <ExportLinks table="sessions" query={`?${exported.toString()}`} />
        </div>
        <SessionTable
          rows={data.rows}
          extent={extent}
          total={data.total}
          totalOf={text === '' ? TOTALS[extent] : 'of the sessions that were found, on all pages'}
          sorting={sorting}
          timeZone={timeZone}
          list={parameters}
        />
        <Pager page={data.page} rows={SESSION_PAGE_ROWS} count={data.count} go={go} />
      </div>
    )
  }

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
      {body()}
    </>
  )
}
