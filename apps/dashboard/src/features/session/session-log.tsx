'use client'
/** A session's log: the conversation, its requests, its files or its checkpoints, whichever the address names. */
import { useSearchParams } from 'next/navigation'
import { useEffect, useRef } from 'react'
import type { ReactNode, Ref } from 'react'
import { useUrlState } from '../../components/use-url-state.ts'
import { SessionCheckpoints } from '../checkpoints/session-checkpoints.tsx'
import { FileTable } from '../files/file-table.tsx'
import { Conversation } from './conversation.tsx'
import { RequestTable } from './request-table.tsx'

const VIEWS = [
  { view: 'conversation', name: 'Conversation' },
  { view: 'requests', name: 'Requests' },
  { view: 'files', name: 'Files' },
  { view: 'checkpoints', name: 'Checkpoints' },
] as const

type View = (typeof VIEWS)[number]['view']

/** What the address says of a view, and no other view understands. */
export const NO_VIEW = {
  view: undefined,
  page: undefined,
  sort: undefined,
  order: undefined,
  state: undefined,
  show: undefined,
  request: undefined,
  find: undefined,
  open: undefined,
} as const

/** Buttons that choose what is shown; another view starts at its first page. */
const ViewPicker = ({ view }: { readonly view: View }) => {
  const change = useUrlState()
  return (
    <div
      role="group"
      aria-label="What is shown of the session"
      className="flex overflow-x-auto border-b border-line px-2 pt-2 sm:gap-1 sm:px-3"
    >
      {VIEWS.map(({ view: one, name }) => (
        <button
          key={one}
          type="button"
          aria-pressed={view === one}
          onClick={() => change({ ...NO_VIEW, at: undefined, view: one === 'conversation' ? undefined : one })}
          className="-mb-px border-b-2 border-transparent px-2.5 py-2 text-sm text-muted hover:text-ink aria-pressed:border-accent aria-pressed:font-medium aria-pressed:text-ink"
        >
          {name}
        </button>
      ))}
    </div>
  )
}

/** For the keyboard: a conversation of thousands of messages is not to be walked through to come to what is below it. */
const SkipButton = ({ skip }: { readonly skip: () => void }) => (
  <button
    type="button"
    data-skip-log
    onClick={skip}
    className="sr-only focus:not-sr-only focus:absolute focus:top-1 focus:right-2 focus:z-20 focus:rounded-md focus:bg-panel focus:px-3 focus:py-2"
  >
    Skip the conversation
  </button>
)

interface SessionLogProps {
  readonly ref: Ref<HTMLElement>
  readonly id: string
  /** Why it is shown, above all of it. */
  readonly notice: ReactNode
  /** How many entries the log has. */
  readonly entries: number
  readonly timeZone: string | undefined
  /** Shows an entry in the conversation, whichever view is open. */
  readonly showEntry: (entry: number) => void
  /** Called once what is seen of the log is there. */
  readonly onShown: () => void
}

/**
 * Buttons for the views of a log, and the one that the address names, else the conversation. An entry that the log does
 * not have is not gone to.
 */
export const SessionLog = ({ ref, id, notice, entries, timeZone, showEntry, onShown }: SessionLogProps) => {
  const parameters = useSearchParams()
  const view = VIEWS.find((known) => known.view === parameters.get('view'))?.view ?? 'conversation'
  const at = Number(parameters.get('at') ?? Number.NaN)
  const end = useRef<HTMLDivElement>(null)
  const isConversation = view === 'conversation'
  // The other views ask for what they show themselves, and the panels below have nothing to wait for.
  useEffect(() => {
    if (!isConversation) onShown()
  }, [isConversation, onShown])
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="The session’s log"
      className="relative min-w-0 overflow-hidden rounded-xl border border-line bg-panel"
    >
      {notice}
      <ViewPicker view={view} />
      {isConversation && <SkipButton skip={() => end.current?.focus()} />}
      {isConversation && (
        <Conversation
          id={id}
          count={entries}
          timeZone={timeZone}
          showEntry={showEntry}
          onShown={onShown}
          startAt={Number.isInteger(at) && at >= 0 && at < entries ? at : undefined}
        />
      )}
      {view === 'requests' && <RequestTable id={id} timeZone={timeZone} />}
      {view === 'files' && <FileTable id={id} timeZone={timeZone} />}
      {view === 'checkpoints' && <SessionCheckpoints id={id} timeZone={timeZone} />}
      <div ref={end} tabIndex={-1} />
    </section>
  )
}
