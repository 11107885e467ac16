'use client'
/** What the last sessions of a project have in common, to be remembered or never offered again. */
import { useQuery, skipToken } from '@tanstack/react-query'
import { CommandLine } from '../../components/command-line.tsx'
import { Notice } from '../../components/notice.tsx'
import { shellWord } from '../../components/shell-word.ts'
import { StoreText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { SourceLink } from './entry-details.tsx'
import { Action, MAIN_BUTTON, Outcome } from './form-parts.tsx'
import { kindName } from './words.ts'
import type { SuggestionView } from './memory-view.ts'
import type { PartProps } from './parts.ts'
import { useChange } from './use-change.ts'
import type { Change } from './use-change.ts'
import { useDecisions } from './use-decisions.ts'
import type { Decision } from './use-decisions.ts'
import { useMemoryClient } from './use-memory-client.ts'

interface RowProps {
  readonly suggestion: SuggestionView
  readonly project: string
  readonly isWritable: boolean
  readonly change: Change
  readonly timeZone: string | undefined
  /** What was decided since the list was opened; undefined for what still is to be. */
  readonly decision: Decision | undefined
  readonly decide: (decision: Decision, work: () => Promise<unknown>, done: string) => void
}

/**
 * A suggestion with its evidence: to be decided on, or what was decided. Without the right to write, the command that
 * accepts it.
 */
const Row = ({
  suggestion: { id, kind, text, sessions, of, evidence },
  project,
  isWritable,
  change,
  timeZone,
  decision,
  decide,
}: RowProps) => {
  const client = useMemoryClient()
  return (
    <li className="border-t border-line px-4 py-3 sm:px-5" data-suggestion={id}>
      <p className="text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        <StoreText text={text} />
      </p>
      <p className="mt-1 text-xs text-muted">
        as {kindName(kind)} · seen in {sessions} of {of} sessions
      </p>
      <ul className="mt-1 grid gap-0.5 text-xs text-muted">
        {evidence.map((session) => (
          <li key={session.id}>
            <SourceLink session={session} /> · <TimeText at={session.at} timeZone={timeZone} />
          </li>
        ))}
      </ul>
      {decision !== undefined ? (
        <p className="mt-2 py-1.5 text-sm text-muted">{decision}</p>
      ) : isWritable ? (
        <div className="mt-2 flex flex-wrap gap-2">
          <Action
            change={change}
            label={`Remember ${text.slice(0, 60).toWellFormed()}`}
            className={MAIN_BUTTON}
            act={() => decide('Remembered', () => client.accept.mutate({ project, id }), 'Remembered.')}
          >
            Remember
          </Action>
          <Action
            change={change}
            label={`Dismiss ${text.slice(0, 60).toWellFormed()}`}
            act={() =>
              decide('Dismissed', () => client.dismiss.mutate({ project, id }), 'Dismissed; it is not offered again.')
            }
          >
            Dismiss
          </Action>
        </div>
      ) : (
        <CommandLine command={`cairn memory suggest --accept ${id} --workspace ${shellWord(project)}`} />
      )}
    </li>
  )
}

/** The projects to choose from, or that there is none yet. */
const ProjectList = () => {
  const trpc = useTRPC()
  const change = useUrlState()
  const { data } = useQuery(trpc.memory.projects.queryOptions())
  if (data === undefined) return <TableLoading rows={4} />
  if (data.projects.length === 0)
    return (
      <Notice title="No project yet" text="Suggestions are what the last sessions of one project have in common." />
    )
  return (
    <div className="rounded-xl border border-line bg-panel px-4 py-4 sm:px-5">
      <h2 className="font-semibold">Choose a project</h2>
      <p className="mt-1 text-sm text-muted">Suggestions are what the last sessions of one project have in common.</p>
      <ul aria-label="Projects" className="mt-2 grid gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
        {data.projects.map(({ workspace, name }) => (
          <li key={workspace} className="min-w-0">
            <button
              type="button"
              onClick={() => change({ project: workspace })}
              className="block w-full min-w-0 truncate rounded-md py-1.5 text-left text-sm text-accent hover:underline"
            >
              <StoreText text={name} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * Suggestions of the chosen project, to be kept or declined where that may be done; without a project, what to do.
 */
export const SuggestionList = ({ project, isWritable, timeZone }: PartProps) => {
  const trpc = useTRPC()
  const change = useChange()
  const { rowsOf, decide } = useDecisions(project, change)
  const { data, error, refetch } = useQuery(
    trpc.memory.suggestions.queryOptions(project === undefined ? skipToken : { project }),
  )
  if (project === undefined) return <ProjectList />
  if (error !== null)
    return <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
  if (data === undefined) return <TableLoading rows={4} />
  const { suggestions, sessions, known, decided, unread } = data
  const rows = rowsOf(suggestions)
  return (
    <div className="rounded-xl border border-line bg-panel">
      <div className="grid gap-1 px-4 py-3 sm:px-5">
        <p className="text-sm text-muted" data-total="suggestions">
          {suggestions.length === 1 ? '1 suggestion' : `${suggestions.length} suggestions`} from the last{' '}
          {sessions === 1 ? 'session' : `${sessions} sessions`}
          {known > 0 && `; ${known} known already`}
          {decided > 0 && `; ${decided} decided before`}
        </p>
        {unread.map((path) => (
          <p key={path} className="text-xs [overflow-wrap:anywhere] text-warning">
            Not read, so what it says may be offered: <StoreText text={path} />
          </p>
        ))}
        <Outcome change={change} />
      </div>
      {rows.length === 0 && (
        <p className="max-w-prose px-4 pb-5 text-sm text-muted sm:px-5" role="status">
          Commands and files that come up in most of a project’s last sessions, and that its instruction files do not
          name, are offered here. Nothing is stored unless you choose to.
        </p>
      )}
      {rows.length > 0 && (
        <ul aria-label="Suggestions">
          {rows.map(({ suggestion, decision }, index) => (
            <Row
              key={suggestion.id}
              decision={decision}
              decide={(made, work, done) => decide({ suggestion, index, decision: made }, work, done)}
              suggestion={suggestion}
              project={project}
              isWritable={isWritable}
              change={change}
              timeZone={timeZone}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
