'use client'
/** Every request of a session, in order of time unless a column sorts them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { SortHead } from '../../components/sort-head.tsx'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { usePage } from '../../components/use-page.ts'
import { useSorting } from '../../components/use-sorting.ts'
import { WithNotes } from '../../components/with-notes.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { ExportLinks } from '../export/export-links.tsx'
import { FigureText } from '../usage/figure-text.tsx'
import type { RequestView } from './request-view.ts'
import { REQUEST_PAGE } from './page-sizes.ts'
import { REQUEST_SORTS, RISING_REQUEST_SORTS } from './sorts.ts'

const COLUMNS = [
  { sort: 'inputTokens', name: 'Uncached input' },
  { sort: 'cacheReadTokens', name: 'Cache read' },
  { sort: 'cacheWriteTokens', name: 'Cache write' },
  { sort: 'context', name: 'Context' },
  { sort: 'outputTokens', name: 'Output' },
  { sort: 'cost', name: 'Cost' },
] as const
const CELL = 'px-2 py-1.5 text-right tabular-nums whitespace-nowrap'

const whole = (count: number): string => count.toLocaleString('en-US')

interface RowProps {
  readonly row: RequestView
}

/** The model, with the mode and the subagent below it where there are such. */
const ModelCell = ({ row }: RowProps) => {
  const details = [row.subagent === null ? '' : `subagent ${row.subagent}`, row.mode ?? '']
    .filter((part) => part !== '')
    .join(', ')
  return (
    <td className="max-w-64 px-2 py-1.5">
      <span className="block truncate" title={visibleText(row.model)}>
        <StoreText text={row.model} />
      </span>
      {(row.subagent !== null || row.mode !== null) && (
        <span className="block truncate text-xs text-muted">
          <StoreText text={details} />
        </span>
      )}
    </td>
  )
}

/** The output of a request, with a mark where it was recorded only in part. */
const OutputCell = ({ row }: RowProps) => (
  <td className={CELL} data-measure="outputTokens">
    {whole(row.outputTokens)}
    {row.isPartial && (
      <>
        {' '}
        <WithNotes
          notes={['Partial: the reply was recorded only in part, so its true output is higher.']}
          isMarked
          isStop
        >
          partial
        </WithNotes>
      </>
    )}
  </td>
)

/** Returns the number of the request that the address names, from 1; undefined for none or a wrong one. */
const useNamedRequest = (): number | undefined => {
  const named = Number(useSearchParams().get('request') ?? Number.NaN)
  return Number.isInteger(named) && named > 0 && named <= 1_000_000_000 ? named : undefined
}

/** Scrolls a row into view once. */
const scrollTo = (row: HTMLTableRowElement | null): void => row?.scrollIntoView({ block: 'nearest' })

interface RequestRowProps extends RowProps {
  readonly timeZone: string | undefined
  /** The address leads to it. */
  readonly isNamed: boolean
}

/** A request as a row; the one that the address names is scrolled to. */
const Row = ({ row, timeZone, isNamed }: RequestRowProps) => (
  <tr
    className={`border-t border-line ${isNamed ? 'bg-accent/10' : ''}`}
    data-key={row.number}
    aria-current={isNamed ? 'true' : undefined}
    ref={isNamed ? scrollTo : undefined}
  >
    <th scope="row" className={`${CELL} pl-4 font-normal text-muted sm:pl-5`}>
      {whole(row.number)}
    </th>
    <td className="px-2 py-1.5 whitespace-nowrap tabular-nums">
      <TimeText at={row.at} timeZone={timeZone} isExact />
    </td>
    <ModelCell row={row} />
    <td className={CELL} data-measure="inputTokens">
      {whole(row.inputTokens)}
    </td>
    <td className={CELL} data-measure="cacheReadTokens">
      {whole(row.cacheReadTokens)}
    </td>
    <td className={CELL} data-measure="cacheWriteTokens">
      {whole(row.cacheWriteTokens)}
    </td>
    <td className={CELL} data-measure="context">
      {whole(row.context)}
    </td>
    <OutputCell row={row} />
    <td className={`${CELL} pr-4 font-medium sm:pr-5`} data-measure="cost">
      <FigureText figure={row.cost} />
    </td>
  </tr>
)

/**
 * A page of requests with their tokens and costs, sorted by the address; a notice where none was recorded, or they
 * can't be read.
 */
export const RequestTable = ({ id, timeZone }: { readonly id: string; readonly timeZone: string | undefined }) => {
  const trpc = useTRPC()
  const [page, go] = usePage()
  const request = useNamedRequest()
  const sorting = useSorting({ sorts: REQUEST_SORTS, fallback: 'number', rising: RISING_REQUEST_SORTS })
  const { sort, order } = sorting
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.session.requests.queryOptions({ id, page, sort, order, request }, { placeholderData: keepPreviousData }),
  )
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={10} />
  if (data.count === 0)
    return (
      <Notice
        title="No request was recorded"
        text="What this agent writes down does not tell what its requests used."
      />
    )
  return (
    <>
      <p className="flex justify-end px-4 pt-3 sm:px-5">
        <ExportLinks table="requests" query={`?session=${encodeURIComponent(id)}&sort=${sort}&order=${order}`} />
      </p>
      <div
        className="sideways overflow-x-auto outline-offset-[-2px]"
        tabIndex={0}
        role="region"
        aria-label="Table of requests"
        aria-busy={isPlaceholderData}
      >
        <table className="w-full text-sm" data-table="requests">
          <caption className="sr-only">Requests of this session, with the tokens of each</caption>
          <thead className="text-xs text-muted">
            <tr>
              <SortHead name="Request" align="right" sorting={sorting} by="number" />
              <SortHead name="Time" align="left" />
              <SortHead name="Model" align="left" sorting={sorting} by="model" />
              {COLUMNS.map(({ sort: by, name }) => (
                <SortHead key={by} name={name} align="right" sorting={sorting} by={by} />
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <Row key={row.number} row={row} timeZone={timeZone} isNamed={row.number === request} />
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={data.page} rows={REQUEST_PAGE} count={data.count} go={(next) => go(next, { request: undefined })} />
    </>
  )
}
