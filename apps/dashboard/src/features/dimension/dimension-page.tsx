'use client'
/** All models, projects, branches or agents with what they used: searched, sorted and in pages. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pager } from '../../components/pager.tsx'
import { SearchField } from '../../components/search-field.tsx'
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
import { DIMENSION_NAMES } from '../usage/dimension.ts'
import type { Dimension } from '../usage/dimension.ts'
import { NothingHere } from '../overview/overview.tsx'
import { LandingNote } from '../usage/other-period.tsx'
import { FILTERS, writeSelection } from '../selection/selection.ts'
import { useSelection } from '../selection/use-selection.ts'
import type { SelectionState } from '../selection/use-selection.ts'
import { useSelectionInput } from '../selection/use-selection-input.ts'
import { DimensionTable } from './dimension-table.tsx'
import { DIMENSION_PAGE_ROWS } from './page-sizes.ts'
import { DIMENSION_SORTS } from './sorts.ts'

interface ResultsProps {
  readonly dimension: Dimension
  readonly state: SelectionState
  /** What was searched for. */
  readonly text: string
}

/** Returns how many values match, such as `12 models with “opus”; the total is of all`. */
const countText = (dimension: Dimension, count: number, text: string): string => {
  const { one, many } = DIMENSION_NAMES[dimension]
  return `${count.toLocaleString('en-US')} ${(count === 1 ? one : many).toLowerCase()}${text === '' ? '' : ` with “${text}”; the total is of all`}`
}

/**
 * The table of the values that were found, or why there is none. An empty page without a search says that nothing was
 * used.
 */
const Results = ({ dimension, state, text }: ResultsProps) => {
  const input = useSelectionInput(state)
  const trpc = useTRPC()
  const sorting = useSorting({ sorts: DIMENSION_SORTS, fallback: 'cost', rising: ['name'] })
  const { sort, order } = sorting
  const [page, go] = usePage()
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.usage.dimension.queryOptions(
      input === undefined ? skipToken : { selection: input, dimension, sort, order, text, page },
      { placeholderData: keepPreviousData },
    ),
  )
  const { selection } = state
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={10} />
  if (data.count === 0 && text === '') return <NothingHere state={state} />
  return (
    <div
      aria-busy={isPlaceholderData}
      className={`rounded-xl border border-line bg-panel ${isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3 sm:px-5">
        <p role="status" className="text-sm text-muted" data-total="Rows">
          {countText(dimension, data.count, text)}
        </p>
        <ExportLinks table={dimension} query={exportQuery(state, { sort, order, text })} />
      </div>
      <DimensionTable
        dimension={dimension}
        page={data}
        sorting={sorting}
        hrefOf={(path, key) =>
          `${path}${writeSelection({ ...selection, filter: { ...selection.filter, [dimension]: key } })}`
        }
      />
      <Pager page={data.page} rows={DIMENSION_PAGE_ROWS} count={data.count} go={go} />
    </div>
  )
}

/**
 * The page of one dimension: controls with a search of names, and the values found. Reads selection and search from the
 * address. A search is at most 200 characters.
 */
export const DimensionPage = ({ dimension }: { readonly dimension: Dimension }) => {
  const state = useSelection()
  const text = (useSearchParams().get('q') ?? '').slice(0, 200)
  const change = useUrlState()
  const { many } = DIMENSION_NAMES[dimension]
  return (
    <>
      <UrlProblemsNotice />
      <LandingNote state={state} />
      <PageHead title={many}>
        <Controls state={state} filters={FILTERS.filter((name) => name !== dimension)} outsideFilters={FILTERS}>
          <SearchField
            label={`Search ${many.toLowerCase()}`}
            value={text}
            search={(q) => change({ q: q === '' ? undefined : q, page: undefined })}
          />
        </Controls>
      </PageHead>
      <Results dimension={dimension} state={state} text={text} />
    </>
  )
}
