'use client'
/** What a session did with files, and what reading them again cost of the context. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { ExportLinks } from '../export/export-links.tsx'

const ROWS = 50
const HEADS = ['Reads', 'Read again', 'Edits', 'Tokens read', 'Tokens of re-reads'] as const
const CELL = 'px-2 py-1.5 text-right tabular-nums whitespace-nowrap last:pr-4 sm:last:pr-5'

const whole = (count: number): string => count.toLocaleString('en-US')

export const FileTable = ({ id }: { readonly id: string }) => {
  const trpc = useTRPC()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(trpc.session.outline.queryOptions({ id }, { staleTime: 10_000 }))
  if (error !== null) return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={8} />
  const { files, rereads, rereadTokens } = data.files
  if (files.length === 0) return <Notice title="No files" text="No tool call of this session reads or edits a file that can be told." />
  const sum = (field: 'reads' | 'rereads' | 'edits' | 'readTokens' | 'rereadTokens'): string => whole(files.reduce((all, file) => all + file[field], 0))
  return (
    <>
      <div className="flex flex-wrap justify-between gap-2 px-4 pt-3 text-sm text-muted sm:px-5">
        <p>
          {rereads === 0
            ? 'No file was read again without need.'
            : `${whole(rereads)} ${rereads === 1 ? 'read' : 'reads'} of what the session had read before and not edited since put about ${whole(rereadTokens)} tokens into the context again (estimated from characters).`}
        </p>
        <ExportLinks table="files" query={`?session=${encodeURIComponent(id)}`} />
      </div>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table of files">
        <table className="w-full text-sm">
          <caption className="sr-only">Files read and edited</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="py-2 pr-2 pl-4 text-left font-medium sm:pl-5">
                File
              </th>
              {HEADS.map((name) => (
                <th key={name} scope="col" className={`${CELL} font-medium`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {files.slice((page - 1) * ROWS, page * ROWS).map((file) => (
              <tr key={file.path} className="border-t border-line">
                <th scope="row" className="w-full max-w-0 min-w-44 truncate py-1.5 pr-2 pl-4 text-left font-mono text-xs font-normal sm:pl-5" title={file.path}>
                  <StoreText text={file.path} />
                </th>
                <td className={CELL}>{whole(file.reads)}</td>
                <td className={CELL}>{whole(file.rereads)}</td>
                <td className={CELL}>{whole(file.edits)}</td>
                <td className={CELL}>{whole(file.readTokens)}</td>
                <td className={`${CELL} ${file.rereadTokens > 0 ? 'font-medium text-warning' : ''}`}>{whole(file.rereadTokens)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr className="border-t-2 border-line font-medium">
              <th scope="row" className="py-2 pr-2 pl-4 text-left sm:pl-5">
                Total
              </th>
              <td className={CELL}>{sum('reads')}</td>
              <td className={CELL}>{sum('rereads')}</td>
              <td className={CELL}>{sum('edits')}</td>
              <td className={CELL}>{sum('readTokens')}</td>
              <td className={CELL}>{sum('rereadTokens')}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <Pager page={page} rows={ROWS} count={files.length} go={setPage} />
    </>
  )
}
