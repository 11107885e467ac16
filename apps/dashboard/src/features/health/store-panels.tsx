/** What the store holds, and what imports have left out of it. */
import type { ImportSkip, StoreStatistics } from '@cairn/core'
import Link from 'next/link'
import { bytesText } from '../../components/bytes-text.ts'
import { Panel } from '../../components/panel.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { counted } from '../usage/figure.ts'
import { sessionHref } from '../sessions/list-address.ts'
import { shareText } from './figures.ts'
import type { SkipRow } from './skip-sessions.ts'

const COUNTS = [
  { name: 'Sessions', of: 'sessions' },
  { name: 'Log entries', of: 'entries' },
  { name: 'Requests', of: 'requests' },
  { name: 'Imported files', of: 'importedFiles' },
  { name: 'Shared blocks', of: 'blocks' },
] as const

const HEAD = 'py-1.5 pr-2 pl-4 text-left font-normal sm:pl-5'
const CELL = 'py-1.5 pr-4 pl-2 text-right tabular-nums whitespace-nowrap sm:pr-5'

/** How many of each thing the store has, and how its size compares with what was read. */
export const StoreContent = ({ statistics }: { readonly statistics: StoreStatistics }) => {
  const { location, totalBytes, sourceBytes } = statistics
  const rows = [
    ...COUNTS.map(({ name, of }) => ({ name, figure: statistics[of].toLocaleString('en-US') })),
    { name: 'Read by imports', figure: bytesText(sourceBytes) },
    ...(sourceBytes === 0 ? [] : [{ name: 'Size of the store, of that', figure: shareText(totalBytes / sourceBytes) }]),
  ]
  return (
    <Panel title="What the store holds">
      <p className="px-4 pt-1 text-xs text-muted [overflow-wrap:anywhere] sm:px-5">
        <StoreText text={location} />
      </p>
      <table className="my-2 w-full text-sm" data-table="content">
        <caption className="sr-only">What the store holds</caption>
        <tbody>
          {rows.map(({ name, figure }) => (
            <tr key={name} className="border-t border-line" data-key={name}>
              <th scope="row" className={HEAD}>
                {name}
              </th>
              <td className={CELL} data-measure="figure">
                {figure}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

/** How many secrets imports have replaced, and where more is told of them: the store has neither their kinds nor times. */
export const Secrets = ({ replaced }: { readonly replaced: number }) => (
  <Panel title="Secrets">
    <p className="px-4 py-3 text-sm text-muted sm:px-5">
      <span className="text-ink tabular-nums" data-total="Secrets replaced">
        {replaced.toLocaleString('en-US')}
      </span>{' '}
      {replaced === 1 ? 'was' : 'were'} replaced before anything was stored. In the place of each stands its kind, such
      as <code className="font-mono text-xs">[redacted:github-token]</code>; a session’s page tells how many it had.
    </p>
  </Panel>
)

/** The lines of a file that a row stands for, as the command has them. */
const linesText = ({ line, count }: ImportSkip): string => {
  if (count === 1) return line === undefined ? '' : `line ${line.toLocaleString('en-US')}`
  return `${line === undefined ? '' : `from line ${line.toLocaleString('en-US')} on, `}${count.toLocaleString('en-US')} times`
}

interface SkippedProps {
  /** The first ones, by their files. */
  readonly skips: readonly SkipRow[]
  /** Of all. */
  readonly count: number
}

/** What imports have left out so far; nothing where that is nothing. */
export const Skipped = ({ skips, count }: SkippedProps) =>
  count > 0 && (
    <Panel title="Left out of imports so far" aside={counted(count, 'reason')}>
      <ul className="max-h-96 overflow-auto pb-2 text-sm" tabIndex={0} aria-label="Left out" data-table="skips">
        {skips.map((skip) => {
          const { file, line, reason, sessionId } = skip
          const lines = linesText(skip)
          const key = `${file} ${line ?? ''} ${reason}`
          return (
            <li key={key} className="border-t border-line px-4 py-1.5 first:border-t-0 sm:px-5" data-key={key}>
              <span className="block font-mono text-xs [overflow-wrap:anywhere]">
                {sessionId === null ? (
                  <StoreText text={file} />
                ) : (
                  <Link
                    href={sessionHref(sessionId)}
                    prefetch={false}
                    title="To the session of this transcript"
                    className="text-accent underline-offset-4 hover:underline"
                  >
                    <StoreText text={file} />
                  </Link>
                )}
              </span>
              <span className="text-muted [overflow-wrap:anywhere]">
                <StoreText text={reason} />
                {lines !== '' && (
                  <>
                    {' · '}
                    <span data-measure="lines">{lines}</span>
                  </>
                )}
              </span>
            </li>
          )
        })}
      </ul>
      {count > skips.length && (
        <p className="px-4 pb-3 text-xs text-muted sm:px-5">
          and {counted(count - skips.length, 'other')}; cairn doctor --json names all
        </p>
      )}
    </Panel>
  )
