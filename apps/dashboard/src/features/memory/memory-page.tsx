'use client'
/** What was learnt about projects, what is suggested, notes, and the profile: whichever the address names. */
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { visibleText } from '../../components/store-text.tsx'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { ProjectSelect } from '../selection/project-select.tsx'
import { useSelection } from '../selection/use-selection.ts'
import { EntryList } from './entry-list.tsx'
import type { ProjectChoice } from './memory-query.ts'
import { NoteList } from './note-list.tsx'
import type { PartProps } from './parts.ts'
import { ProfilePanel } from './profile-panel.tsx'
import { SuggestionList } from './suggestion-list.tsx'

const VIEWS = [
  { view: 'entries', name: 'Entries', Part: EntryList },
  { view: 'suggestions', name: 'Suggestions', Part: SuggestionList },
  { view: 'notes', name: 'Notes', Part: NoteList },
  { view: 'profile', name: 'Profile', Part: ProfilePanel },
] as const

/** What the address says of one view, and no other understands. */
const NO_VIEW = {
  page: undefined,
  q: undefined,
  kind: undefined,
  state: undefined,
  entry: undefined,
  note: undefined,
} as const

interface ProjectPickerProps {
  readonly project: string | undefined
  readonly projects: readonly ProjectChoice[]
  readonly choose: (project: string | undefined) => void
}

/** Returns ` (7 entries, 3 notes)`; empty if there are none. */
const heldText = (entries: number, notes: number): string => {
  const parts = [
    ...(entries === 0 ? [] : [entries === 1 ? '1 entry' : `${entries.toLocaleString('en-US')} entries`]),
    ...(notes === 0 ? [] : [notes === 1 ? '1 note' : `${notes.toLocaleString('en-US')} notes`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** The projects in the order given, each with how many entries and notes it has; several may have the same name. */
const ProjectPicker = ({ project, projects, choose }: ProjectPickerProps) => (
  <ProjectSelect project={project} isListed={projects.some(({ workspace }) => workspace === project)} choose={choose}>
    {projects.map(({ workspace, name, entries, notes }) => (
      <option key={workspace} value={workspace} title={visibleText(workspace)}>
        {visibleText(name)}
        {heldText(entries, notes)}
      </option>
    ))}
  </ProjectSelect>
)

const BELOW =
  'What sessions are told of before they begin. Nothing is overwritten: what was changed or forgotten stays in the history.'

/**
 * The page `/memory`: entries, notes, profile or suggestions, of the project that the address names or of all.
 * Changes are offered only where the dashboard may write.
 */
export const MemoryPage = () => {
  const trpc = useTRPC()
  const change = useUrlState()
  const parameters = useSearchParams()
  const { selection, browserZone } = useSelection()
  const { project } = selection.filter
  const { data } = useQuery(trpc.memory.projects.queryOptions())
  const { view: shown, Part } = VIEWS.find(({ view }) => view === parameters.get('view')) ?? VIEWS[0]
  const part: PartProps = {
    project,
    isWritable: data?.isWritable === true && data.isRemembering,
    timeZone: selection.zone ?? browserZone,
  }
  return (
    <>
      <PageHead title="Memory" below={BELOW}>
        <ProjectPicker
          project={project}
          projects={data?.projects ?? []}
          choose={(chosen) => change({ ...NO_VIEW, project: chosen })}
        />
      </PageHead>
      <div
        role="group"
        aria-label="What is shown of the memory"
        className="mb-4 flex overflow-x-auto border-b border-line sm:gap-1"
      >
        {VIEWS.map(({ view, name }) => (
          <button
            key={view}
            type="button"
            aria-pressed={view === shown}
            onClick={() => change({ ...NO_VIEW, view: view === 'entries' ? undefined : view })}
            className="-mb-px border-b-2 border-transparent px-2.5 py-2 text-sm text-muted outline-offset-[-2px] hover:text-ink aria-pressed:border-accent aria-pressed:font-medium aria-pressed:text-ink"
          >
            {name}
          </button>
        ))}
      </div>
      {data?.isWritable === false && (
        <p className="mb-3 text-sm text-muted">This dashboard can only be read; the commands change what it shows.</p>
      )}
      {data?.isRemembering === false && shown !== 'notes' ? (
        <Notice title="Without long-term memory" text="The dashboard was started with --no-ltm." />
      ) : (
        <Part {...part} />
      )}
    </>
  )
}
