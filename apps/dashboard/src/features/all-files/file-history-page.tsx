'use client'
/** One file: which agents edited and read it, in which sessions, each with the way to its message. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { CommandLine } from '../../components/command-line.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pager } from '../../components/pager.tsx'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { usePage } from '../../components/use-page.ts'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { useSelection } from '../selection/use-selection.ts'
import { sessionHref } from '../sessions/list-address.ts'
import { counted } from '../usage/figure.ts'
import type { FileHistory, FileUseRow } from './file-history-query.ts'
import { FILE_PAGE_ROWS } from './page-sizes.ts'

const OPERATIONS: Readonly<Record<FileUseRow['operation'], string>> = {
  edit: 'edited',
  read: 'read',
  mention: 'named',
}

const CELL = 'px-2 py-2 text-left align-top'

/**
 * Who edited the file how often, in a sentence. Says too how often it was read, and whether older uses were not looked
 * at.
 */
const editorsText = ({ editors, reads, sessions, isCut }: FileHistory): string => {
  const edited =
    editors.length === 0
      ? 'No agent edited it'
      : `Edited by ${editors.map(({ agent, edits, sessions: of }) => `${visibleText(agent)} (${counted(edits, 'time')}, ${counted(of, 'session')})`).join(', ')}`
  const rest = `; ${counted(reads, 'read')}; ${counted(sessions, 'session')} in all.`
  return `${edited}${rest}${isCut ? ' Older uses were not looked at.' : ''}`
}

interface RowProps {
  /** Of the file. */
  readonly path: string
  readonly row: FileUseRow
  readonly timeZone: string | undefined
}

/** A use of the file: the way to its message, and whose it was. */
const Row = ({ path, row: { operation, seq, at, sessionId, agent, title, branch }, timeZone }: RowProps) => (
  <tr className="border-t border-line hover:bg-sunken/50" data-key={`${sessionId} ${seq} ${operation}`}>
    <th scope="row" className={`${CELL} pl-4 font-normal whitespace-nowrap sm:pl-5`} data-measure="operation">
      <Link
        href={sessionHref(sessionId, undefined, seq, operation === 'edit' ? { open: path } : {})}
        prefetch={false}
        className="text-accent underline underline-offset-4"
      >
        {OPERATIONS[operation]} <span className="sr-only">in {visibleText(title)}, entry </span>#{seq}
      </Link>
    </th>
    <td className={`${CELL} whitespace-nowrap tabular-nums`} data-measure="at">
      <TimeText at={at} timeZone={timeZone} />
    </td>
    <td className={`${CELL} max-sm:hidden`} data-measure="agent">
      <StoreText text={agent} />
    </td>
    <td className={`${CELL} w-full pr-4 [overflow-wrap:anywhere] sm:pr-5`}>
      <StoreText text={title} />
      <span className="block text-xs text-muted">
        <span className="sm:hidden">
          <StoreText text={agent} />
          {branch !== null && ' · '}
        </span>
        {branch !== null && <StoreText text={branch} />}
      </span>
    </td>
  </tr>
)

/** The table of a page of uses, newest first. */
const Uses = ({ rows, path, timeZone }: Pick<FileHistory, 'rows'> & Pick<RowProps, 'path' | 'timeZone'>) => (
  <div className="sideways overflow-x-auto pt-2" tabIndex={0} role="region" aria-label="Table of uses">
    <table className="w-full text-sm" data-table="uses">
      <caption className="sr-only">Edits and reads of this file, newest first</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className={`${CELL} pl-4 font-normal sm:pl-5`}>
            What
          </th>
          <th scope="col" className={`${CELL} font-normal`}>
            When
          </th>
          <th scope="col" className={`${CELL} font-normal max-sm:hidden`}>
            Agent
          </th>
          <th scope="col" className={`${CELL} pr-4 font-normal sm:pr-5`}>
            Session
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // A message may use a file twice.
          <Row
            key={`${row.sessionId} ${row.seq} ${row.operation} ${index}`}
            path={path}
            row={row}
            timeZone={timeZone}
          />
        ))}
      </tbody>
    </table>
  </div>
)

interface HistoryProps {
  readonly path: string
  readonly folder: string | null
}

/**
 * What was done with the file, or why there is nothing. By default only edits are shown; `show=all` in the address
 * shows every use.
 */
const History = ({ path, folder }: HistoryProps) => {
  const trpc = useTRPC()
  const { selection, browserZone } = useSelection()
  const [page, go] = usePage()
  const change = useUrlState()
  const isEditsOnly = useSearchParams().get('show') !== 'all'
  const { data, error, refetch } = useQuery(
    trpc.files.history.queryOptions(path === '' ? skipToken : { path, folder, isEditsOnly, page }, {
      placeholderData: keepPreviousData,
    }),
  )
  if (path === '') return <Notice title="No file is named" text="The address of this page has to name a path." />
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={8} />
  if (data.sessions === 0)
    return (
      <Notice title="Nothing used this file" text="No message of a session that is in the store names this path." />
    )
  return (
    <div className="rounded-xl border border-line bg-panel">
      <p className="px-4 pt-3 text-sm sm:px-5" data-editors="">
        {editorsText(data)}
      </p>
      <div role="group" aria-label="Which uses" className="flex gap-1 px-3 pt-2 sm:px-4">
        {[true, false].map((isEdits) => (
          <button
            key={String(isEdits)}
            type="button"
            aria-pressed={isEditsOnly === isEdits}
            onClick={() => change({ show: isEdits ? undefined : 'all', page: undefined })}
            className="rounded-md px-2 py-1 text-sm text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
          >
            {isEdits ? `Edits ${data.edits.toLocaleString('en-US')}` : 'All uses'}
          </button>
        ))}
      </div>
      {data.count === 0 ? (
        <p role="status" className="px-4 py-4 text-sm text-muted sm:px-5">
          It was only read or named.
        </p>
      ) : (
        <Uses rows={data.rows} path={path} timeZone={selection.zone ?? browserZone} />
      )}
      <Pager page={data.page} rows={FILE_PAGE_ROWS} count={data.count} go={go} />
    </div>
  )
}

/** The page of one file: its path and folder are in the address. A path that is longer than 4,000 characters is cut. */
export const FileHistoryPage = () => {
  const parameters = useSearchParams()
  const path = (parameters.get('path') ?? '').slice(0, 4_000)
  const folder = parameters.get('folder')?.slice(0, 4_000) ?? null
  const name = path.split(/[\\/]/).findLast(Boolean) ?? 'File'
  return (
    <>
      <PageHead
        title={<StoreText text={name} />}
        below={
          <>
            <p className="font-mono text-xs [overflow-wrap:anywhere]">
              <StoreText text={path} />
            </p>
            {folder !== null && (
              <p className="[overflow-wrap:anywhere]">
                in <StoreText text={folder} />
              </p>
            )}
            {/^[\w./@+-]+$/.test(path) && !path.startsWith('-') && <CommandLine command={`cairn graph ${path}`} />}
          </>
        }
      />
      <History path={path} folder={folder} />
    </>
  )
}
