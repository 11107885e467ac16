'use client'
/** What a session did with files, and what reading them again cost of the context. */
import type { SessionFiles } from '@cairn/core'
import { useQuery } from '@tanstack/react-query'
import { Notice } from '../../components/notice.tsx'
import { Pager, lastPage } from '../../components/pager.tsx'
import { SortHead } from '../../components/sort-head.tsx'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { TotalFoot } from '../../components/total-foot.tsx'
import { usePage } from '../../components/use-page.ts'
import { useSorting } from '../../components/use-sorting.ts'
import type { Sorting } from '../../components/use-sorting.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { ExportLinks } from '../export/export-links.tsx'
import { FILE_SORTS, sortedFiles } from './sorts.ts'
import type { FileSort } from './sorts.ts'

const ROWS = 50
const COLUMNS = [
  { field: 'reads', name: 'Reads', hint: 'Times that the file, or a part of it, was read without an error' },
  {
    field: 'rereads',
    name: 'Read again',
    hint: 'Of these reads, those of a part (or the whole) that the session had read before and not edited since; other parts of the same file are no repetition',
  },
  { field: 'edits', name: 'Edits', hint: 'Times that the file was written or changed without an error' },
  { field: 'failures', name: 'Failed', hint: 'Reads and edits that ended in an error; they are in no other column' },
  {
    field: 'readTokens',
    name: 'Tokens read',
    hint: 'What all reads put into the context, estimated from their characters',
  },
  {
    field: 'rereadTokens',
    name: 'Tokens of re-reads',
    hint: 'The part of “Tokens read” that the context had held before',
  },
] as const
const CELL = 'px-2 py-1.5 text-right tabular-nums whitespace-nowrap last:pr-4 sm:last:pr-5'

const whole = (count: number): string => count.toLocaleString('en-US')

type Files = SessionFiles['files']

/** What reading files again cost, in a sentence. */
const rereadText = ({ rereads, rereadTokens }: SessionFiles): string =>
  rereads === 0
    ? 'No part of a file was read twice without an edit in between; reads of other parts of the same file are no repetition.'
    : `${whole(rereads)} ${rereads === 1 ? 'read' : 'reads'} of what the session had read before and not edited since put about ${whole(rereadTokens)} tokens into the context again (estimated from characters).`

/** A file with its numbers. A path that is too long is cut at its beginning: its end is what differs. */
const FileRow = ({ file }: { readonly file: Files[number] }) => (
  <tr className="border-t border-line">
    <th
      scope="row"
      dir="rtl"
      className="w-full max-w-0 min-w-44 truncate py-1.5 pr-2 pl-4 text-left font-mono text-xs font-normal sm:pl-5"
      title={visibleText(file.path)}
    >
      <StoreText text={file.path} />
    </th>
    {COLUMNS.map(({ field }) => (
      <td
        key={field}
        className={`${CELL} ${field === 'rereadTokens' && file.rereadTokens > 0 ? 'font-medium text-warning' : ''}`}
      >
        {whole(file[field])}
      </td>
    ))}
  </tr>
)

interface FileRowsProps {
  /** Of the page, in order. */
  readonly shown: Files
  /** Of all pages, for the total. */
  readonly files: Files
  readonly sorting: Sorting<FileSort>
}

/** Files as a table, by the chosen column. */
const Table = ({ shown, files, sorting }: FileRowsProps) => (
  <div
    className="sideways overflow-x-auto outline-offset-[-2px]"
    tabIndex={0}
    role="region"
    aria-label="Table of files"
  >
    <table className="w-full text-sm">
      <caption className="sr-only">Files read and edited</caption>
      <thead className="text-xs text-muted">
        <tr>
          <SortHead name="File" align="left" sorting={sorting} by="path" />
          {COLUMNS.map(({ field, name, hint }) => (
            <SortHead key={field} name={name} hint={hint} align="right" sorting={sorting} by={field} />
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((file) => (
          <FileRow key={file.path} file={file} />
        ))}
      </tbody>
      <TotalFoot>
        {COLUMNS.map(({ field }) => (
          <td key={field} className={CELL}>
            {whole(files.reduce((sum, file) => sum + file[field], 0))}
          </td>
        ))}
      </TotalFoot>
    </table>
  </div>
)

/**
 * A page of files with reads, edits and tokens, sorted by the address, and the total of all; a notice where there are
 * none, or they can't be read.
 */
export const FileTable = ({ id }: { readonly id: string }) => {
  const trpc = useTRPC()
  const [wanted, go] = usePage()
  const sorting = useSorting({ sorts: FILE_SORTS, fallback: 'rereadTokens', rising: ['path'] })
  const { sort, order } = sorting
  const { data, error, refetch } = useQuery(trpc.session.outline.queryOptions({ id }, { staleTime: 10_000 }))
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={8} />
  const { files } = data.files
  if (files.length === 0)
    return <Notice title="No files" text="No tool call of this session reads or edits a file that can be told." />
  const page = Math.min(wanted, lastPage(ROWS, files.length))
  return (
    <>
      <div className="flex flex-wrap justify-between gap-2 px-4 pt-3 text-sm text-muted sm:px-5">
        <p>{rereadText(data.files)}</p>
        <ExportLinks table="files" query={`?session=${encodeURIComponent(id)}&sort=${sort}&order=${order}`} />
      </div>
      <Table
        shown={sortedFiles(files, sort, order).slice((page - 1) * ROWS, page * ROWS)}
        files={files}
        sorting={sorting}
      />
      <Pager page={page} rows={ROWS} count={files.length} go={go} />
    </>
  )
}
