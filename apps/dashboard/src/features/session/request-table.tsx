'use client'
/** Every request of a session, in order of time. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { ExportLinks } from '../export/export-links.tsx'
import { FigureText } from '../usage/figure-text.tsx'
import { REQUEST_PAGE } from './pages.ts'

const HEADS = ['Uncached input', 'Cache read', 'Cache write', 'Context', 'Output', 'Cost'] as const
const CELL = 'px-2 py-1.5 text-right tabular-nums whitespace-nowrap'

const whole = (count: number): string => count.toLocaleString('en-US')

export const RequestTable = ({ id, timeZone }: { readonly id: string; readonly timeZone: string | undefined }) => {
  const trpc = useTRPC()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(trpc.session.requests.queryOptions({ id, page }, { placeholderData: keepPreviousData }))
  if (error !== null) return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={10} />
  if (data.count === 0) return <Notice title="No request was recorded" text="What this agent writes down does not tell what its requests used." />
  return (
    <>
      <p className="flex justify-end px-4 pt-3 sm:px-5">
        <ExportLinks table="requests" query={`?session=${encodeURIComponent(id)}`} />
      </p>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table of requests">
        <table className="w-full text-sm">
          <caption className="sr-only">Requests of this session, with the tokens of each</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="py-2 pr-2 pl-4 text-right font-medium sm:pl-5">
                #
              </th>
              <th scope="col" className="px-2 py-2 text-left font-medium">
                Time
              </th>
              <th scope="col" className="px-2 py-2 text-left font-medium">
                Model
              </th>
              {HEADS.map((name) => (
                <th key={name} scope="col" className="px-2 py-2 text-right font-medium whitespace-nowrap last:pr-4 sm:last:pr-5">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <tr key={row.number} className="border-t border-line">
                <th scope="row" className={`${CELL} pl-4 font-normal text-muted sm:pl-5`}>
                  {whole(row.number)}
                </th>
                <td className="px-2 py-1.5 whitespace-nowrap tabular-nums">
                  <TimeText at={row.at} timeZone={timeZone} isExact />
                </td>
                <td className="max-w-64 px-2 py-1.5">
                  <span className="block truncate" title={row.model}>
                    <StoreText text={row.model} />
                  </span>
                  {(row.subagent !== null || row.mode !== null) && (
                    <span className="block truncate text-xs text-muted">
                      <StoreText text={[row.subagent === null ? '' : `subagent ${row.subagent}`, row.mode ?? ''].filter((part) => part !== '').join(', ')} />
                    </span>
                  )}
                </td>
                <td className={CELL}>{whole(row.inputTokens)}</td>
                <td className={CELL}>{whole(row.cacheReadTokens)}</td>
                <td className={CELL}>{whole(row.cacheWriteTokens)}</td>
                <td className={CELL}>{whole(row.context)}</td>
                <td className={CELL}>
                  {whole(row.outputTokens)}
                  {row.isPartial && <span className="text-warning"> partial</span>}
                </td>
                <td className={`${CELL} pr-4 font-medium sm:pr-5`}>
                  <FigureText figure={row.cost} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} rows={REQUEST_PAGE} count={data.count} go={setPage} />
    </>
  )
}
