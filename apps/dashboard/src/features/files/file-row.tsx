/** A file of a session in its table. */
import type { FileState } from '@cairn/core'
import Link from 'next/link'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { fileHref } from '../all-files/file-address.ts'
import { CELL, COUNTS, narrow } from './columns.ts'
import type { FileRow as Row, FileSourceView } from './files-view.ts'
import { STATE_NAMES } from './state-names.ts'
import type { FileSort } from './sorts.ts'

const STATE_STYLES: Readonly<Record<FileState, string>> = {
  active: 'text-accent',
  stale: 'font-medium text-warning',
  removed: 'text-muted',
}

interface TimedProps {
  readonly source: FileSourceView
  readonly timeZone: string | undefined
  readonly hrefOf: (seq: number) => string
}

/** What was done, which leads to its message, and when it was done last. Plain text where there is no message. */
const Timed = ({ source: { name, at, seq }, timeZone, hrefOf }: TimedProps) => (
  <>
    {seq === undefined ? (
      <StoreText text={name} />
    ) : (
      <Link href={hrefOf(seq)} prefetch={false} className="underline underline-offset-2 hover:text-ink">
        <StoreText text={name} />
      </Link>
    )}
    {at !== null && (
      <>
        {' '}
        <TimeText at={at} timeZone={timeZone} />
      </>
    )}
  </>
)

interface FileRowProps {
  readonly file: Row
  /** What the table is sorted by. */
  readonly sort: FileSort
  readonly timeZone: string | undefined
  /** The session's folder. */
  readonly folder: string | null
  /** The address of an entry of the session. */
  readonly hrefOf: (seq: number) => string
}

/** How the file came up, each way with its latest time; first of all why it is stale. */
const Sources = ({
  file: { sources, change, state, wasHeld },
  timeZone,
  hrefOf,
}: Omit<FileRowProps, 'sort' | 'folder'>) => (
  <span className="block font-sans text-xs text-muted">
    {change !== null && (
      <span className="text-warning">
        Since then <Timed source={change} timeZone={timeZone} hrefOf={hrefOf} />
        {sources.length > 0 && ' · '}
      </span>
    )}
    {state === null && 'every call for it failed'}
    {state === 'removed' &&
      `${wasHeld ? 'its content has left the context' : 'its content was never in the context'} · `}
    {sources.map((source, index) => (
      <span key={source.name}>
        {index > 0 && ' · '}
        <Timed source={source} timeZone={timeZone} hrefOf={hrefOf} />
      </span>
    ))}
  </span>
)

/**
 * A file with its state and its numbers. A path that is too long is cut at its beginning: its end is what differs.
 * Without a state it shows a dash.
 */
export const FileRow = ({ file, sort, timeZone, folder, hrefOf }: FileRowProps) => (
  <tr className="border-t border-line" data-key={file.path}>
    <th
      scope="row"
      className="w-full max-w-0 min-w-40 py-1.5 sm:min-w-56 pr-2 pl-4 text-left align-top font-normal sm:pl-5"
    >
      <span dir="rtl" className="block truncate text-left font-mono text-xs leading-5" title={visibleText(file.path)}>
        <Link href={fileHref(file.path, folder)} prefetch={false} className="underline-offset-4 hover:underline">
          <StoreText text={file.path} />
        </Link>
      </span>
      <Sources file={file} timeZone={timeZone} hrefOf={hrefOf} />
    </th>
    <td className="px-2 py-1.5 text-left align-top" data-measure="state">
      {file.state === null ? (
        <span title={STATE_NAMES.failed.hint}>–</span>
      ) : (
        <span className={STATE_STYLES[file.state]} title={STATE_NAMES[file.state].hint}>
          {STATE_NAMES[file.state].name.toLowerCase()}
        </span>
      )}
    </td>
    <td className={`${CELL} ${narrow(sort, 'usedAt')} max-sm:min-w-27 max-sm:whitespace-normal`} data-measure="usedAt">
      <TimeText at={file.usedAt} timeZone={timeZone} />
    </td>
    {COUNTS.map(({ field }) => (
      <td
        key={field}
        data-measure={field}
        className={`${CELL} ${narrow(sort, field)} ${field === 'rereadTokens' && file.rereadTokens > 0 ? 'font-medium text-warning' : ''}`}
      >
        {file[field].toLocaleString('en-US')}
      </td>
    ))}
  </tr>
)
