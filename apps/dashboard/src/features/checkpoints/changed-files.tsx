'use client'
/** The files that differ between two checkpoints; each opens to its lines, which are asked for only then. */
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { EditLines } from '../session/edit-lines.tsx'
import type { ChangedFile, PatchAnswer } from './changes-query.ts'

/** What was compared, to ask for the lines of a file. */
interface ComparedIds {
  readonly id: string
  readonly other: string
}

const CHANGE_NAMES: Readonly<Record<ChangedFile['change'], string>> = {
  added: 'added',
  modified: 'modified',
  removed: 'removed',
  mode: 'permissions',
}

/** No entry of a session, so that no words are marked. */
const NO_ENTRY = -1

/**
 * The lines of a difference, or what there is to say in place of them. A note takes the place of lines that can't be
 * shown.
 */
const Lines = ({ patch }: { readonly patch: PatchAnswer }) => {
  if (!patch.isHere) return <p className="text-xs text-muted">{visibleText(patch.why)}</p>
  const { note, added, removed, lines, linesLeft } = patch
  if (note !== null) return <p className="text-xs text-muted">{note}</p>
  return (
    <>
      <p className="pb-1 text-xs text-muted" data-lines="">
        Lines added: {added.toLocaleString('en-US')}, removed: {removed.toLocaleString('en-US')}
      </p>
      <EditLines lines={lines} linesLeft={0} seq={NO_ENTRY} />
      {linesLeft > 0 && (
        <p className="pt-1 text-xs text-muted">
          {linesLeft.toLocaleString('en-US')} more lines are not shown; the command below prints all.
        </p>
      )}
    </>
  )
}

interface PatchProps {
  readonly of: ComparedIds
  readonly path: string
}

/** The lines of one file that differ. They are asked for when this is shown, and kept. */
const Patch = ({ of, path }: PatchProps) => {
  const trpc = useTRPC()
  // What two checkpoints hold never changes.
  const { data, error, refetch } = useQuery(
    trpc.checkpoints.patch.queryOptions({ ...of, path }, { staleTime: Infinity }),
  )
  return (
    <div
      className="max-h-[60vh] overflow-auto border-t border-line px-3 py-2"
      tabIndex={0}
      role="region"
      aria-label={`Lines of ${visibleText(path)}`}
    >
      {data !== undefined ? (
        <Lines patch={data} />
      ) : error === null ? (
        <p role="status" className="text-xs text-muted">
          Loading…
        </p>
      ) : (
        <button type="button" onClick={() => void refetch()} className="text-xs text-accent hover:underline">
          {failureOf(error).title}: try again
        </button>
      )}
    </div>
  )
}

/** A file that differs, which opens to its lines. Its lines are loaded when it is opened. */
const FileRow = ({ file, of }: { readonly file: ChangedFile; readonly of: ComparedIds }) => {
  const [isOpen, setOpen] = useState(false)
  const lines = useId()
  const { path, change, modes, leftOut } = file
  return (
    <li className="min-w-0 rounded-lg border border-line bg-page" data-file={change}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? lines : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-baseline gap-2 rounded-lg px-2.5 py-1.5 text-left text-xs hover:bg-sunken"
      >
        <svg
          aria-hidden="true"
          viewBox="0 0 10 10"
          className={`size-2.5 shrink-0 self-center transition-transform ${isOpen ? 'rotate-90' : ''}`}
        >
          <path d="M3 1l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
        <span className="w-18 shrink-0 text-muted">{CHANGE_NAMES[change]} </span>
        <span className="min-w-0">
          <span className="font-mono [overflow-wrap:anywhere]" data-path="">
            <StoreText text={path} />
          </span>
          {modes !== null && (
            <span className="text-muted">
              {' '}
              {modes[0]} → {modes[1]}
            </span>
          )}
          {leftOut !== null && (
            <span className="block text-muted">
              {change === 'added' ? 'The earlier checkpoint' : 'The later checkpoint'} left it out (
              <StoreText text={leftOut} />
              ): it may have been there all the same.
            </span>
          )}
        </span>
      </button>
      {isOpen && (
        <div id={lines}>
          <Patch of={of} path={path} />
        </div>
      )}
    </li>
  )
}

interface ChangedFilesProps {
  readonly files: readonly ChangedFile[]
  readonly of: ComparedIds
}

/** A list of files that differ. */
export const ChangedFiles = ({ files, of }: ChangedFilesProps) => (
  <ul aria-label="Files that differ" className="grid gap-1">
    {files.map((file) => (
      <FileRow key={file.path} file={file} of={of} />
    ))}
  </ul>
)
