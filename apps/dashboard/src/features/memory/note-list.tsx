'use client'
/** Notes of a project or of all, to be read, written and removed. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useId, useState } from 'react'
import type { SubmitEvent } from 'react'
import { Notice } from '../../components/notice.tsx'
import { Pager } from '../../components/pager.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { StoreText, visibleText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { usePage } from '../../components/use-page.ts'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { Action, BUTTON, FIELD, MAIN_BUTTON, Outcome } from './form-parts.tsx'
import type { NoteView } from './memory-view.ts'
import { NOTE_PAGE } from './page-sizes.ts'
import type { PartProps } from './parts.ts'
import { useChange } from './use-change.ts'
import type { Change } from './use-change.ts'
import { useMemoryClient } from './use-memory-client.ts'

interface NoteFormProps {
  readonly project: string
  /** Undefined: a new one. */
  readonly note: { readonly key: string; readonly text: string } | undefined
  readonly change: Change
  readonly close: () => void
}

/** A new note, or another text for one that is there, whose name stays. Closes when that has worked. */
const NoteForm = ({ project, note, change, close }: NoteFormProps) => {
  const client = useMemoryClient()
  const id = useId()
  const [key, setKey] = useState(note?.key ?? '')
  const [text, setText] = useState(note?.text ?? '')
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const isDone = await change.run(() => client.setNote.mutate({ project, key, text }), 'Noted.')
    if (isDone) close()
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-2">
      {note === undefined && (
        <label className="grid gap-1 text-xs text-muted">
          Name
          <input
            required
            maxLength={512}
            value={key}
            onChange={(event) => setKey(event.target.value)}
            className={FIELD}
            autoFocus
          />
        </label>
      )}
      <label htmlFor={id} className="text-xs text-muted">
        Text
      </label>
      <textarea
        id={id}
        required
        rows={6}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={FIELD}
        autoFocus={note !== undefined}
      />
      <div className="flex flex-wrap gap-2">
        <Action change={change} type="submit" className={MAIN_BUTTON}>
          Save
        </Action>
        <button type="button" onClick={close} className={BUTTON}>
          Cancel
        </button>
      </div>
    </form>
  )
}

/** A whole note; where `isWritable`, with buttons to change and remove it. */
const OpenNote = ({
  workspace,
  noteKey,
  isWritable,
  change,
}: {
  readonly workspace: string
  readonly noteKey: string
  readonly isWritable: boolean
  readonly change: Change
}) => {
  const trpc = useTRPC()
  const client = useMemoryClient()
  const [isEdited, setEdited] = useState(false)
  const { data, error } = useQuery(trpc.memory.note.queryOptions({ project: workspace, key: noteKey }))
  if (error !== null) return <p className="text-sm text-danger">{failureOf(error).text}</p>
  if (data === undefined) return <p className="text-sm text-muted">Loading…</p>
  if (isEdited) return <NoteForm project={workspace} note={data} change={change} close={() => setEdited(false)} />
  return (
    <div className="grid gap-2">
      <div
        tabIndex={0}
        role="region"
        aria-label={`Note ${visibleText(noteKey)}`}
        className="max-h-[60dvh] overflow-y-auto text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        <StoreText text={data.text} />
      </div>
      {isWritable && (
        <div className="flex flex-wrap gap-2">
          <Action change={change} act={() => setEdited(true)}>
            Edit
          </Action>
          <Action
            change={change}
            act={() =>
              void change.run(
                () => client.deleteNote.mutate({ project: workspace, key: noteKey }),
                'Removed; it can still be read as of before: cairn note get --as-of.',
              )
            }
          >
            Remove
          </Action>
        </div>
      )}
    </div>
  )
}

interface NoteRowProps {
  readonly note: NoteView
  readonly isOpen: boolean
  readonly isMixed: boolean
  readonly isWritable: boolean
  readonly change: Change
  readonly timeZone: string | undefined
  readonly toggle: () => void
}

/** A note's row: its beginning, or the whole when it is open, to be changed if `isWritable`. */
const NoteRow = ({ note, isOpen, isMixed, isWritable, change, timeZone, toggle }: NoteRowProps) => (
  <li className="border-t border-line px-4 py-3 sm:px-5" data-note={note.key}>
    <div className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium [overflow-wrap:anywhere]">
          <StoreText text={note.key} />
        </p>
        <p className="text-xs text-muted">
          {isMixed && (
            <span title={visibleText(note.workspace)}>
              <StoreText text={note.project} /> ·{' '}
            </span>
          )}
          <TimeText at={note.updatedAt} timeZone={timeZone} /> · {note.length.toLocaleString('en-US')} characters
        </p>
        {!isOpen && (
          <p className="mt-1 line-clamp-2 text-sm [overflow-wrap:anywhere] text-muted">
            <StoreText text={note.text} />
          </p>
        )}
      </div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Less' : 'More'}: the note ${visibleText(note.key)}`}
        onClick={toggle}
        className="rounded-md border border-line bg-panel px-2 py-0.5 text-xs whitespace-nowrap hover:bg-sunken"
      >
        {isOpen ? 'Less' : 'More'}
      </button>
    </div>
    {isOpen && (
      <div className="mt-3 border-l-2 border-l-accent pl-3 sm:pl-4">
        <OpenNote workspace={note.workspace} noteKey={note.key} isWritable={isWritable} change={change} />
      </div>
    )}
  </li>
)

interface ListHeadProps {
  readonly text: string
  readonly count: number
  /** Undefined where none can be written. */
  readonly startNew: (() => void) | undefined
}

/** The search, how many notes were found, and the way to a new one. Without `startNew` there is no such button. */
const ListHead = ({ text, count, startNew }: ListHeadProps) => {
  const changeUrl = useUrlState()
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-3 sm:px-5">
      <div className="w-full min-w-0 sm:w-72">
        <SearchField
          label="Search notes"
          value={text}
          search={(next) => changeUrl({ q: next === '' ? undefined : next, page: undefined })}
        />
      </div>
      <p role="status" className="text-sm text-muted tabular-nums" data-total="notes">
        {count === 1 ? '1 note' : `${count.toLocaleString('en-US')} notes`}
      </p>
      {startNew !== undefined && (
        <button type="button" onClick={startNew} className={`${BUTTON} ml-auto`}>
          New note
        </button>
      )}
    </div>
  )
}

const NoNotes = ({ isSearched, isToChoose }: { readonly isSearched: boolean; readonly isToChoose: boolean }) => (
  <p className="py-4 text-sm text-muted">
    {isSearched ? 'No note holds these words.' : 'There is no note yet.'}
    {isToChoose && ' Choose a project to write one.'}
  </p>
)

/**
 * A page of notes with a search and, for one project, a way to write a new one; a note opens to its text, and to a form
 * where it may be changed. The search is cut to 200 characters.
 */
export const NoteList = ({ project, isWritable, timeZone }: PartProps) => {
  const trpc = useTRPC()
  const parameters = useSearchParams()
  const changeUrl = useUrlState()
  const change = useChange()
  const [isNew, setNew] = useState(false)
  const [wanted, go] = usePage()
  const text = (parameters.get('q') ?? '').slice(0, 200)
  const opened = parameters.get('note') ?? ''
  const { data, error, refetch } = useQuery(
    trpc.memory.notes.queryOptions(
      { page: wanted, text, ...(project === undefined ? {} : { project }) },
      { placeholderData: keepPreviousData },
    ),
  )
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={4} />
  const { rows, count, page } = data
  return (
    <div className="rounded-xl border border-line bg-panel">
      <ListHead
        text={text}
        count={count}
        startNew={isWritable && project !== undefined && !isNew ? () => setNew(true) : undefined}
      />
      <div className="px-4 pb-2 sm:px-5">
        {isNew && project !== undefined && (
          <NoteForm project={project} note={undefined} change={change} close={() => setNew(false)} />
        )}
        <Outcome change={change} />
        {count === 0 && <NoNotes isSearched={text !== ''} isToChoose={isWritable && project === undefined} />}
      </div>
      {rows.length > 0 && (
        <ul aria-label="Notes">
          {rows.map((note) => (
            <NoteRow
              key={`${note.workspace} ${note.key}`}
              note={note}
              isOpen={note.key === opened && (project === undefined || project === note.workspace)}
              isMixed={project === undefined}
              isWritable={isWritable}
              change={change}
              timeZone={timeZone}
              toggle={() => changeUrl({ note: note.key === opened ? undefined : note.key })}
            />
          ))}
        </ul>
      )}
      <Pager page={page} rows={NOTE_PAGE} count={count} go={go} />
    </div>
  )
}
