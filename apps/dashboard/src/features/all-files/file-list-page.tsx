'use client'
/** The files that agents edited and read, over all sessions: searched, filtered, sorted and in pages, all on the server. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pager } from '../../components/pager.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { SortPicker } from '../../components/sort-picker.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { usePage } from '../../components/use-page.ts'
import { useSorting } from '../../components/use-sorting.ts'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { Controls } from '../selection/controls.tsx'
import { NothingFiltered, setFilters } from '../selection/nothing-filtered.tsx'
import { UrlProblemsNotice } from '../selection/url-problems-notice.tsx'
import { useSelectionInput } from '../selection/use-selection-input.ts'
import { useSelection } from '../selection/use-selection.ts'
import type { SelectionState } from '../selection/use-selection.ts'
import { counted } from '../usage/figure.ts'
import { FileListTable } from './file-list-table.tsx'
import { FILE_PAGE_ROWS } from './page-sizes.ts'
import { FILE_SORTS } from './sorts.ts'

/** Files carry no model, so a filter by it narrows nothing here. */
const OWN_FILTERS = ['project', 'agent', 'branch'] as const

/** Where its columns are left out, the table is sorted by these. */
const NAMED_SORTS = [
  { sort: 'edits', name: 'Edits' },
  { sort: 'reads', name: 'Reads' },
  { sort: 'sessions', name: 'Sessions' },
  { sort: 'last', name: 'Edited last' },
  { sort: 'path', name: 'File' },
] as const

interface ResultsProps {
  readonly state: SelectionState
  /** What was searched for. */
  readonly text: string
}

/** Why there is no file, and the way to some. Filters and period are told, and can be widened. */
const NoFiles = ({ state, text }: ResultsProps) => {
  const change = useUrlState()
  const { selection, select } = state
  if (text !== '')
    return (
      <Notice
        title="No file matches"
        text="Every word has to be in the path."
        action={{ label: 'Show all files', run: () => change({ q: undefined, page: undefined }) }}
      />
    )
  if (setFilters(selection, OWN_FILTERS).length > 0)
    return (
      <NothingFiltered
        state={state}
        filters={OWN_FILTERS}
        text="No tool of an agent read or edited a file of it in this period."
        isOfPeriod
      />
    )
  const isAllTime = selection.period === 'all' && selection.from === undefined && selection.to === undefined
  return isAllTime ? (
    <Notice title="No file yet" text="No tool of an agent read or edited one." />
  ) : (
    <Notice
      title="No file in this period"
      text="No tool of an agent read or edited one."
      action={{ label: 'Show all time', run: () => select({ period: 'all', from: undefined, to: undefined }) }}
    />
  )
}

/** The table of the files that were found, or why there is none. While others load, the former rows stay, paler. */
const Results = ({ state, text }: ResultsProps) => {
  const selected = useSelectionInput(state)
  const trpc = useTRPC()
  const sorting = useSorting({ sorts: FILE_SORTS, fallback: 'edits', rising: ['path'] })
  const { sort, order } = sorting
  const [page, go] = usePage()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.files.page.queryOptions(
      selected === undefined ? skipToken : { selection: selected, sort, order, text, page },
      { placeholderData: keepPreviousData },
    ),
  )
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={12} />
  if (data.count === 0) return <NoFiles state={state} text={text} />
  const { selection, browserZone } = state
  return (
    <div
      aria-busy={isPlaceholderData}
      className={`rounded-xl border border-line bg-panel ${isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3 sm:px-5">
        <p role="status" className="text-sm text-muted" data-total="Rows">
          {counted(data.count, 'file')}
        </p>
        <SortPicker sorts={NAMED_SORTS} sorting={sorting} className="sm:hidden" />
      </div>
      <FileListTable
        rows={data.rows}
        sorting={sorting}
        timeZone={selection.zone ?? browserZone}
        selection={selection}
      />
      <Pager page={data.page} rows={FILE_PAGE_ROWS} count={data.count} go={go} />
    </div>
  )
}

/** The page `/files`: controls with a search of paths, and the files found. */
export const FileListPage = () => {
  const state = useSelection()
  const text = (useSearchParams().get('q') ?? '').slice(0, 200)
  const change = useUrlState()
  return (
    <>
      <UrlProblemsNotice />
      <PageHead
        title="Files"
        below="What agents edited and read, over all sessions; the last edit opens in its session."
      >
        <Controls state={state} filters={OWN_FILTERS}>
          <SearchField
            label="Search paths"
            value={text}
            search={(q) => change({ q: q === '' ? undefined : q, page: undefined })}
          />
        </Controls>
      </PageHead>
      <Results state={state} text={text} />
    </>
  )
}
