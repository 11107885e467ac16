'use client'
/** The files of a session: what its context holds and who changed it, and what reading them again cost. */
import type { SessionFiles } from '@cairn/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { SortPicker } from '../../components/sort-picker.tsx'
import { SortHead } from '../../components/sort-head.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { TotalFoot } from '../../components/total-foot.tsx'
import { usePage } from '../../components/use-page.ts'
import { useSorting } from '../../components/use-sorting.ts'
import type { Sorting } from '../../components/use-sorting.ts'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { ExportLinks } from '../export/export-links.tsx'
import { counted } from '../usage/figure.ts'
import { FileRow } from './file-row.tsx'
import { CELL, COUNTS, narrow } from './columns.ts'
import { FileWarnings } from './file-warnings.tsx'
import { ModelsUsed } from './models-used.tsx'
import type { FilesAnswer } from './files-query.ts'
import { FEW_FILES, FILE_SORTS, FILE_STATES } from './sorts.ts'
import { STATE_NAMES } from './state-names.ts'
import type { FileSort, FileStateChoice } from './sorts.ts'

const whole = (count: number): string => count.toLocaleString('en-US')

/** What reading files again cost, in a sentence. */
const rereadText = ({ rereads, rereadTokens }: Pick<SessionFiles, 'rereads' | 'rereadTokens'>): string =>
  rereads === 0
    ? 'No part of a file was read twice without an edit in between; reads of other parts of the same file are no repetition.'
    : `${whole(rereads)} ${rereads === 1 ? 'read' : 'reads'} of what the session had read before and not edited since put about ${whole(rereadTokens)} tokens into the context again (estimated from characters).`

/** Whether states are of the log alone; nothing where all files were compared. */
const comparedText = ({ files, of }: FilesAnswer['compared']): string => {
  if (files >= of) return ''
  return files === 0
    ? 'The project’s folder can’t be read on this machine, so states are as the log tells: what changed on the disk since is not seen.'
    : `${counted(files, 'file was', 'files were')} compared with the disk; the states of ${whole(of - files)} more are as the log tells.`
}

/** What is said where no file has a state. */
const NO_FILES: Readonly<Record<FileStateChoice, string>> = {
  all: 'This session named no file.',
  active: 'No file of this session is active.',
  stale: 'No file of this session is stale.',
  removed: 'The content of every file of this session is in the context.',
  failed: 'No file of this session is without a call that worked.',
}

interface StatePickerProps {
  readonly state: FileStateChoice
  readonly counts: FilesAnswer['states']
  readonly choose: (state: FileStateChoice) => void
}

/**
 * Buttons that narrow the table to the files of a state. States without files are left out, but for all and the chosen
 * one.
 */
const StatePicker = ({ state, counts, choose }: StatePickerProps) => (
  <div role="group" aria-label="Files of which state" className="flex flex-wrap gap-1 px-3 pt-3 sm:px-4">
    {FILE_STATES.filter((one) => one === 'all' || one === state || counts[one] > 0).map((one) => (
      <button
        key={one}
        type="button"
        aria-pressed={state === one}
        title={STATE_NAMES[one].hint}
        onClick={() => choose(one)}
        className="rounded-md px-2 py-1 text-sm text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
      >
        {STATE_NAMES[one].name}{' '}
        <span className="tabular-nums" data-total={STATE_NAMES[one].name}>
          {whole(counts[one])}
        </span>
      </button>
    ))}
  </div>
)

const SORT_NAMES: readonly { readonly sort: FileSort; readonly name: string }[] = [
  { sort: 'usedAt', name: 'Last used' },
  { sort: 'path', name: 'File' },
  { sort: 'state', name: 'State' },
  ...COUNTS.map(({ field, name }) => ({ sort: field, name })),
]

interface TableProps {
  readonly answer: FilesAnswer
  readonly sorting: Sorting<FileSort>
  readonly timeZone: string | undefined
  readonly hrefOf: (seq: number) => string
}

/** The table of files with their sum; on narrow screens only the column that is sorted by is shown beside the name. */
const Table = ({ answer: { rows, total, folder }, sorting, timeZone, hrefOf }: TableProps) => (
  <div
    className="sideways mt-2 overflow-x-auto outline-offset-[-2px]"
    tabIndex={0}
    role="region"
    aria-label="Table of files"
  >
    <table className="w-full text-sm" data-table="files">
      <caption className="sr-only">Files of the session: in its context, read and edited</caption>
      <thead className="text-xs text-muted">
        <tr>
          <SortHead name="File" align="left" sorting={sorting} by="path" />
          <SortHead name="State" align="left" sorting={sorting} by="state" />
          <SortHead
            name="Last used"
            align="right"
            hint="When it was read, edited or mentioned last, by anybody"
            className={narrow(sorting.sort, 'usedAt')}
            sorting={sorting}
            by="usedAt"
          />
          {COUNTS.map(({ field, name, hint }) => (
            <SortHead
              key={field}
              name={name}
              hint={hint}
              align="right"
              className={narrow(sorting.sort, field)}
              sorting={sorting}
              by={field}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((file) => (
          <FileRow
            key={file.path}
            file={file}
            sort={sorting.sort}
            timeZone={timeZone}
            folder={folder}
            hrefOf={hrefOf}
          />
        ))}
      </tbody>
      <TotalFoot below={counted(total.files, 'file')}>
        <td className={CELL} />
        <td className={`${CELL} ${narrow(sorting.sort, 'usedAt')}`} />
        {COUNTS.map(({ field }) => (
          <td key={field} className={`${CELL} ${narrow(sorting.sort, field)}`} data-measure={field}>
            {whole(total[field])}
          </td>
        ))}
      </TotalFoot>
    </table>
  </div>
)

interface ShowAllProps {
  readonly count: number
  readonly isAll: boolean
  readonly show: (isAll: boolean) => void
}

/**
 * Asks for all rows of a long table, or for the first ones again; nothing for a short one. Short is at most
 * `FEW_FILES`.
 */
const ShowAll = ({ count, isAll, show }: ShowAllProps) =>
  count > FEW_FILES && (
    <div className="px-4 pb-3 text-sm sm:px-5">
      <button
        type="button"
        onClick={() => show(!isAll)}
        className="rounded-md border border-line bg-panel px-2.5 py-1 hover:bg-sunken"
      >
        {isAll ? `Show pages of ${FEW_FILES}` : `Show all ${whole(count)}`}
      </button>
    </div>
  )

interface FileTableProps {
  readonly id: string
  readonly timeZone: string | undefined
}

/**
 * Returns the order, the state and how much is shown, as the address has them (an unknown state is `all`), and what
 * changes them. `entryHref` leads to an entry in the conversation.
 */
const useFileChoice = () => {
  const parameters = useSearchParams()
  const change = useUrlState()
  const [page, go] = usePage()
  const sorting = useSorting({ sorts: FILE_SORTS, fallback: 'usedAt', rising: ['path'] })
  return {
    page,
    go,
    sorting,
    state: FILE_STATES.find((known) => known === parameters.get('state')) ?? 'all',
    chooseState: (state: FileStateChoice) => change({ state: state === 'all' ? undefined : state, page: undefined }),
    isAll: parameters.get('show') === 'all',
    entryHref: (seq: number): string => {
      const next = new URLSearchParams(parameters)
      for (const name of ['view', 'page', 'sort', 'order', 'state', 'show', 'find', 'words']) next.delete(name)
      next.set('at', String(seq))
      return `?${next.toString()}`
    },
    show: (isAll: boolean) => change({ show: isAll ? 'all' : undefined, page: undefined }),
  }
}

/**
 * Files with their state, reads, edits and tokens, the total of all, and the models that were used. Without any file it
 * says so.
 */
export const FileTable = ({ id, timeZone }: FileTableProps) => {
  const trpc = useTRPC()
  const { page, go, sorting, state, chooseState, isAll, show, entryHref } = useFileChoice()
  const { sort, order } = sorting
  const { data, error, refetch } = useQuery(
    trpc.session.files.queryOptions(
      { id, sort, order, state, page, isAll },
      { staleTime: 10_000, placeholderData: keepPreviousData },
    ),
  )
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={8} />
  const { all, states, compared, total, models, olderModels, warnings } = data
  if (states.all === 0)
    return (
      <>
        <Notice title="No files" text="No message or tool call of this session names a file that can be told." />
        <ModelsUsed models={models} older={olderModels} timeZone={timeZone} />
      </>
    )
  const query = `?session=${encodeURIComponent(id)}&sort=${sort}&order=${order}&state=${state}`
  return (
    <>
      <FileWarnings id={id} warnings={warnings} timeZone={timeZone} />
      <div className="flex flex-wrap justify-between gap-2 px-4 pt-3 text-sm text-muted sm:flex-nowrap sm:px-5">
        <p>
          {rereadText(all)} {comparedText(compared)}
        </p>
        <span className="flex items-center gap-2 sm:items-start">
          <SortPicker sorts={SORT_NAMES} sorting={sorting} className="sm:hidden" />
          <ExportLinks table="files" query={query} />
        </span>
      </div>
      <StatePicker state={state} counts={states} choose={chooseState} />
      {state !== 'all' && <p className="px-4 pt-2 text-sm text-muted sm:px-5">{STATE_NAMES[state].hint}.</p>}
      {total.files === 0 ? (
        <p role="status" className="px-4 py-6 text-sm text-muted sm:px-5">
          {NO_FILES[state]}
        </p>
      ) : (
        <>
          <Table answer={data} sorting={sorting} timeZone={timeZone} hrefOf={entryHref} />
          <Pager page={data.page} rows={data.rowsOfPage} count={total.files} go={go} />
          <ShowAll count={total.files} isAll={isAll} show={show} />
        </>
      )}
      <ModelsUsed models={models} older={olderModels} timeZone={timeZone} />
    </>
  )
}
