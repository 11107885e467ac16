/** Files as rows. */
import Link from 'next/link'
import { SortHead } from '../../components/sort-head.tsx'
import { visibleText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import type { Sorting } from '../../components/use-sorting.ts'
import { sessionHrefWithin } from '../sessions/list-address.ts'
import type { Selection } from '../selection/selection.ts'
import { fileHref } from './file-address.ts'
import type { FileRow } from './file-list-query.ts'
import type { FileSort } from './sorts.ts'

const CELL = 'px-2 py-2.5 align-top tabular-nums whitespace-nowrap'
/** Narrow screens leave these columns out. */
const HIDDEN = { sm: 'hidden sm:table-cell', md: 'hidden md:table-cell' } as const

interface FileListTableProps {
  readonly rows: readonly FileRow[]
  readonly sorting: Sorting<FileSort>
  readonly timeZone: string | undefined
  /** What the page shows; a session that is opened from it leads back to this. */
  readonly selection: Selection
}

interface RowProps extends Pick<FileListTableProps, 'timeZone' | 'selection'> {
  readonly row: FileRow
}

/**
 * The path, which leads to the file's own page, and below it the folder that it is in. The folder is named by its
 * project.
 */
const PathCell = ({ row: { path, workspace, project } }: Pick<RowProps, 'row'>) => (
  <th scope="row" className="w-full max-w-0 min-w-44 py-2.5 pr-2 pl-4 text-left align-top font-normal sm:pl-5">
    <span className="block font-mono text-xs leading-5 [overflow-wrap:anywhere]">
      <Link href={fileHref(path, workspace)} prefetch={false} className="underline-offset-4 hover:underline">
        <bdi>{visibleText(path)}</bdi>
      </Link>
    </span>
    {workspace !== null && (
      <span className="block truncate text-xs text-muted" title={visibleText(workspace)}>
        <bdi>{visibleText(project)}</bdi>
      </span>
    )}
  </th>
)

/**
 * When the file was edited last, as a link to that edit; "only read" if it never was. Without a known time the link
 * says `open`.
 */
const LastEdit = ({ row: { lastEdit, path }, timeZone, selection }: RowProps) =>
  lastEdit === null ? (
    <span className="text-muted">only read</span>
  ) : (
    <Link
      href={sessionHrefWithin(lastEdit.sessionId, selection, lastEdit.seq, { open: path })}
      prefetch={false}
      className="relative inline-block text-accent underline-offset-4 hover:underline"
    >
      <span className="sr-only">Last edit of {visibleText(path)}: </span>
      {lastEdit.at === null ? 'open' : <TimeText at={lastEdit.at} timeZone={timeZone} />}
    </Link>
  )

/** A file as a row. */
const Row = ({ row, timeZone, selection }: RowProps) => (
  <tr className="border-t border-line hover:bg-sunken/50" data-key={row.key}>
    <PathCell row={row} />
    <td className={`${CELL} text-right font-medium`} data-measure="edits">
      {row.edits.toLocaleString('en-US')}
    </td>
    <td className={`${CELL} ${HIDDEN.sm} text-right`} data-measure="reads">
      {row.reads.toLocaleString('en-US')}
    </td>
    <td className={`${CELL} ${HIDDEN.md} text-right`} data-measure="sessions">
      {row.sessions.toLocaleString('en-US')}
    </td>
    <td className={`${CELL} min-w-24 pr-4 max-sm:whitespace-normal sm:pr-5`} data-measure="last">
      <LastEdit row={row} timeZone={timeZone} selection={selection} />
    </td>
  </tr>
)

/** A row for each file of the page. */
export const FileListTable = ({ rows, sorting, timeZone, selection }: FileListTableProps) => (
  <div className="sideways overflow-x-auto pt-2" tabIndex={0} role="region" aria-label="Table of files">
    <table className="w-full text-sm" data-table="files">
      <caption className="sr-only">Files that agents edited and read</caption>
      <thead className="text-xs text-muted">
        <tr>
          <SortHead name="File" align="left" sorting={sorting} by="path" />
          <SortHead
            name="Edits"
            align="right"
            sorting={sorting}
            by="edits"
            hint="Calls of tools that edit, those that failed as well; a shell command that writes a file is none"
          />
          <SortHead
            name="Reads"
            align="right"
            sorting={sorting}
            by="reads"
            className={HIDDEN.sm}
            hint="Calls of tools that read, those that failed as well"
          />
          <SortHead name="Sessions" align="right" sorting={sorting} by="sessions" className={HIDDEN.md} />
          <SortHead name="Edited last" align="left" sorting={sorting} by="last" />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.key} row={row} timeZone={timeZone} selection={selection} />
        ))}
      </tbody>
    </table>
  </div>
)
