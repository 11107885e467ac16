'use client'
/** All sessions: searched, filtered, sorted and in pages, all of it on the server. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pager } from '../../components/pager.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { useAddress } from '../../components/use-address.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { ExportLinks } from '../export/export-links.tsx'
import { Controls } from '../usage/controls.tsx'
import type { FilterName } from '../usage/selection.ts'
import { writeSelection } from '../usage/selection.ts'
import { useSelection } from '../usage/use-selection.ts'
import { useSelectionInput } from '../usage/use-selection-input.ts'
import { SessionTable } from './session-table.tsx'
import { SESSION_PAGE_ROWS, SESSION_SORTS } from './sorts.ts'

const SESSION_FILTERS = ['project', 'agent'] as const satisfies readonly FilterName[]

export const SessionList = () => {
  const state = useSelection()
  const parameters = useSearchParams()
  const change = useAddress()
  const selected = useSelectionInput(state)
  const trpc = useTRPC()
  const sort = SESSION_SORTS.find((known) => known === parameters.get('sort')) ?? 'updated'
  const text = (parameters.get('q') ?? '').slice(0, 200)
  const page = Math.max(1, Math.min(1_000_000, Math.trunc(Number(parameters.get('page') ?? 1)) || 1))
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.sessions.page.queryOptions(selected === undefined ? skipToken : { selection: selected, sort, text, page }, { placeholderData: keepPreviousData }),
  )
  const { selection, browserZone, select } = state
  const timeZone = selection.zone ?? browserZone
  const exported = new URLSearchParams(writeSelection({ ...selection, zone: timeZone }))
  exported.set('sort', sort)
  if (text !== '') exported.set('q', text)

  const nothing = () => {
    const isNarrowed = text !== '' || SESSION_FILTERS.some((name) => selection.filter[name] !== undefined)
    const isAll = selection.period === 'all' && selection.from === undefined && selection.to === undefined
    if (isNarrowed) return <Notice title="No session matches" text="None of this period has such a title and passes the filters." action={{ label: 'Show all sessions', run: () => change({ q: undefined, project: undefined, agent: undefined, page: undefined }) }} />
    if (isAll) return <Notice title="No session yet" text="Import what your coding agents did; this page shows it as soon as it is there." command="cairn import" />
    return <Notice title="No session in this period" text="None has an entry that falls in it." action={{ label: 'Show all time', run: () => select({ period: 'all', from: undefined, to: undefined }) }} />
  }

  const body = () => {
    if (error !== null) return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
    if (data === undefined) return <TableLoading rows={12} />
    if (data.count === 0) return nothing()
    return (
      <div aria-busy={isPlaceholderData} className={`rounded-xl border border-line bg-panel ${isPlaceholderData ? 'opacity-60' : ''}`}>
        <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3 sm:px-5">
          <p role="status" className="text-sm text-muted">
            {data.count.toLocaleString('en-US')} {data.count === 1 ? 'session' : 'sessions'}
          </p>
          <ExportLinks table="sessions" query={`?${exported.toString()}`} />
        </div>
        <SessionTable rows={data.rows} sort={sort} sortBy={(next) => change({ sort: next === 'updated' ? undefined : next, page: undefined })} timeZone={timeZone} />
        <Pager page={page} rows={SESSION_PAGE_ROWS} count={data.count} go={(next) => change({ page: next === 1 ? undefined : String(next) })} />
      </div>
    )
  }

  return (
    <>
      <PageHead title="Sessions">
        <Controls state={state} filters={SESSION_FILTERS} />
      </PageHead>
      <div className="mb-3 max-w-sm">
        <SearchField label="Search titles" value={text} search={(q) => change({ q: q === '' ? undefined : q, page: undefined })} />
      </div>
      {body()}
    </>
  )
}
