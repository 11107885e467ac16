'use client'
/** Checkpoints as rows; each opens to what changed, what it left out, and the commands that compare and restore it. */
import Link from 'next/link'
import { useId, useState } from 'react'
import { bytesText } from '../../components/bytes-text.ts'
import { CommandLine } from '../../components/command-line.tsx'
import { SortHead } from '../../components/sort-head.tsx'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { CheckpointChanges } from './checkpoint-changes.tsx'
import type { CheckpointRow } from './checkpoint-view.ts'

const CELL = 'px-2 py-2 align-top'
const NUMBER = `${CELL} text-right tabular-nums whitespace-nowrap`
const WIDE = 'hidden sm:table-cell'
const COLUMNS = 6

type Kept = NonNullable<CheckpointRow['kept']>

/** Returns a count with separators. */
const whole = (count: number): string => count.toLocaleString('en-US')

const COMMANDS = [
  { name: 'show', text: 'What it holds and left out' },
  { name: 'diff', text: 'What changed from this checkpoint to the folder as it is now, line by line' },
  { name: 'restore', text: 'Give the files back: shows what would be lost, and asks' },
] as const

/** Shows what was left out, by name as far as that is stored. */
const LeftOut = ({ leftOut }: Pick<Kept, 'leftOut'>) => {
  if (leftOut === null)
    return <p className="text-xs text-muted">What it left out was not stored with it; the command “show” tells.</p>
  if (leftOut.count === 0) return <p className="text-xs text-muted">Nothing was left out.</p>
  return (
    <div>
      <p className="text-xs text-muted">Left out</p>
      <ul className="mt-1 grid gap-0.5">
        {leftOut.named.map(({ path, why }) => (
          <li key={path} className="[overflow-wrap:anywhere]">
            <span className="font-mono text-xs">
              <StoreText text={path} />
            </span>{' '}
            <span className="text-xs text-muted">
              <StoreText text={why} />
            </span>
          </li>
        ))}
        {leftOut.count > leftOut.named.length && (
          <li className="text-xs text-muted">
            and {whole(leftOut.count - leftOut.named.length)} more; the command “show” names all
          </li>
        )}
      </ul>
    </div>
  )
}

interface DetailsProps {
  readonly kept: Kept
  readonly id: string
  readonly timeZone: string | undefined
}

/** Shows what changed, the commands for a checkpoint, and what it left out. */
const Details = ({ kept, id, timeZone }: DetailsProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
    <CheckpointChanges id={id} timeZone={timeZone} />
    <ul className="grid gap-2">
      {COMMANDS.map(({ name, text }) => (
        <li key={name}>
          <span className="text-xs text-muted">{text}</span>
          <CommandLine command={kept.commands[name]} />
        </li>
      ))}
    </ul>
    <LeftOut leftOut={kept.leftOut} />
    <p className="font-mono text-xs break-all text-muted">
      <StoreText text={`${id} of ${kept.root}`} />
    </p>
  </div>
)

interface RowProps {
  readonly row: CheckpointRow
  readonly timeZone: string | undefined
  /** Whether rows are of several projects and sessions, and name theirs. */
  readonly isMixed: boolean
}

/** What the checkpoint is for; below it its id and, where rows are of several, its project and session. */
const PurposeCell = ({ row: { purpose, shortId, kept }, isMixed }: Pick<RowProps, 'row' | 'isMixed'>) => (
  <td className={`${CELL} w-full max-w-0 min-w-32`}>
    <span className={`block [overflow-wrap:anywhere] ${kept === null ? 'text-muted' : ''}`} data-measure="for">
      <StoreText text={purpose} />
    </span>
    <span className="block text-xs text-muted">
      <span className="font-mono">
        <StoreText text={shortId} />
      </span>
      {kept !== null && isMixed && (
        <>
          {' · '}
          <span title={visibleText(kept.root)}>
            <StoreText text={kept.project} />
          </span>
          {kept.sessionId !== null && (
            <>
              {' · '}
              <Link
                href={`/sessions/${encodeURIComponent(kept.sessionId)}?view=checkpoints`}
                prefetch={false}
                className="underline underline-offset-4"
              >
                its session
              </Link>
            </>
          )}
        </>
      )}
      {kept !== null && (
        <span className="sm:hidden">
          {' · '}
          {whole(kept.files)} files, {bytesText(kept.bytes)}
        </span>
      )}
    </span>
  </td>
)

/** Shows how many files were left out; `–` if that is not known. */
const LeftOutCell = ({ kept }: Pick<CheckpointRow, 'kept'>) => (
  <td className={`${NUMBER} ${WIDE}`} data-measure="left out">
    {kept === null || kept.leftOut === null ? (
      <span title={kept === null ? undefined : 'Not stored with it'}>–</span>
    ) : (
      whole(kept.leftOut.count)
    )}
  </td>
)

/** Shows a checkpoint, which opens to its details. One that is not kept any more shows dashes, and does not open. */
const Row = ({ row, timeZone, isMixed }: RowProps) => {
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const { kept } = row
  return (
    <>
      <tr className="border-t border-line" data-key={row.id}>
        <th
          scope="row"
          data-measure="made"
          className={`${CELL} min-w-30 pl-4 text-left font-normal tabular-nums sm:pl-5 sm:whitespace-nowrap`}
        >
          <TimeText at={row.at} timeZone={timeZone} />
        </th>
        <PurposeCell row={row} isMixed={isMixed} />
        <td className={`${NUMBER} ${WIDE}`} data-measure="files">
          {kept === null ? '–' : whole(kept.files)}
        </td>
        <td className={`${NUMBER} ${WIDE}`} data-measure="size">
          {kept === null ? '–' : bytesText(kept.bytes)}
        </td>
        <LeftOutCell kept={kept} />
        <td className={`${CELL} pr-4 text-right sm:pr-5`}>
          {kept !== null && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? details : undefined}
              aria-label={`${isOpen ? 'Less' : 'More'}: changes, commands and what was left out of ${row.shortId}`}
              onClick={() => setOpen(!isOpen)}
              className="rounded-md border border-line bg-panel px-2 py-0.5 text-xs whitespace-nowrap hover:bg-sunken"
            >
              {isOpen ? 'Less' : 'More'}
            </button>
          )}
        </td>
      </tr>
      {isOpen && kept !== null && (
        <tr id={details}>
          <td colSpan={COLUMNS} className="max-w-0 px-4 pt-1 pb-4 sm:px-5">
            <Details kept={kept} id={row.id} timeZone={timeZone} />
          </td>
        </tr>
      )}
    </>
  )
}

interface CheckpointTableProps {
  readonly rows: readonly CheckpointRow[]
  readonly timeZone: string | undefined
  readonly isMixed: boolean
}

/**
 * A table of checkpoints in the order given; each row opens to what changed, what was left out and the commands for it.
 * `isMixed`: of several projects, which are named.
 */
export const CheckpointTable = ({ rows, timeZone, isMixed }: CheckpointTableProps) => (
  <table className="mt-2 w-full text-sm" data-table="checkpoints">
    <caption className="sr-only">Checkpoints, newest first</caption>
    <thead className="text-xs text-muted">
      <tr>
        <SortHead name="Made" align="left" />
        <SortHead name="For" align="left" />
        <SortHead name="Files" align="right" className={WIDE} />
        <SortHead name="Size" align="right" className={WIDE} hint="Of all its files together, uncompressed" />
        <SortHead
          name="Left out"
          align="right"
          className={WIDE}
          hint="Files and folders that it does not hold: ignored by git, named like secrets, too large"
        />
        <th scope="col" className="py-2 pr-4 sm:pr-5">
          <span className="sr-only">More</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <Row key={row.id} row={row} timeZone={timeZone} isMixed={isMixed} />
      ))}
    </tbody>
  </table>
)
