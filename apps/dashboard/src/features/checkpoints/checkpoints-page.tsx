'use client'
/** The checkpoints of all projects, or of the one that the address names. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CommandLine } from '../../components/command-line.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pager } from '../../components/pager.tsx'
import { visibleText } from '../../components/store-text.tsx'
import { TableLoading } from '../../components/table-loading.tsx'
import { usePage } from '../../components/use-page.ts'
import { useUrlState } from '../../components/use-url-state.ts'
import { useTRPC } from '../../trpc/client.tsx'
import { failureOf } from '../../trpc/failure.ts'
import { useSelection } from '../selection/use-selection.ts'
import { counted } from '../usage/figure.ts'
import { CheckpointTable } from './checkpoint-table.tsx'
import type { ProjectsCheckpoints } from './checkpoints-query.ts'
import { CHECKPOINT_PAGE } from './page-sizes.ts'

interface ProjectPickerProps {
  /** Undefined: all. */
  readonly project: string | undefined
  readonly projects: ProjectsCheckpoints['projects']
  readonly choose: (project: string | undefined) => void
}

/** A list of the projects that have checkpoints. */
const ProjectPicker = ({ project, projects, choose }: ProjectPickerProps) => (
  <select
    aria-label="Project"
    value={project ?? ''}
    onChange={(event) => choose(event.target.value === '' ? undefined : event.target.value)}
    dir="auto"
    className={`w-full min-w-0 rounded-lg border bg-panel px-2.5 py-1.5 text-sm text-ink sm:w-64 ${project === undefined ? 'border-line' : 'border-accent'}`}
  >
    <option value="">All projects</option>
    {project !== undefined && !projects.some(({ root }) => root === project) && (
      <option value={project}>{visibleText(project)}</option>
    )}
    {projects.map(({ root, name, checkpoints }) => (
      <option key={root} value={root} title={visibleText(root)}>
        {visibleText(name)} ({checkpoints.toLocaleString('en-US')})
      </option>
    ))}
  </select>
)

/** The page when no checkpoint is in the store, or none of the chosen project: then with the way to those of others. */
const NoCheckpoints = ({ project, projects, choose }: ProjectPickerProps) => (
  <div role="status" className="rounded-xl border border-line bg-panel px-6 py-10 text-sm text-muted">
    <h2 className="text-lg font-semibold text-ink">No checkpoints</h2>
    <p className="mt-2 max-w-prose">
      {project === undefined ? 'There is none in this store.' : 'There is none of this project in this store.'} A
      checkpoint keeps the files of a project as they are; this makes one of the project that you are in:
    </p>
    <CommandLine command="cairn checkpoint create" />
    {projects.length > 0 && (
      <button
        type="button"
        onClick={() => choose(undefined)}
        className="mt-4 block rounded-md border border-line bg-panel px-3 py-1.5 text-sm font-medium text-ink hover:bg-sunken"
      >
        Show those of all projects (
        {projects.reduce((sum, { checkpoints }) => sum + checkpoints, 0).toLocaleString('en-US')})
      </button>
    )}
  </div>
)

/**
 * The page `/checkpoints`: those of the project that the address names, else of all, a page at a time; how to make
 * one where there are none.
 */
export const CheckpointsPage = () => {
  const trpc = useTRPC()
  const change = useUrlState()
  const { selection, browserZone } = useSelection()
  const { project } = selection.filter
  const [wanted, go] = usePage()
  const { data, error, refetch } = useQuery(
    trpc.checkpoints.ofProject.queryOptions(
      { page: wanted, ...(project === undefined ? {} : { project }) },
      { placeholderData: keepPreviousData },
    ),
  )
  const choose = (chosen: string | undefined): void => change({ project: chosen, page: undefined })
  const head = (
    <PageHead
      title="Checkpoints"
      below="Files of projects as they were, newest first, and what changed between them. This page changes nothing: files are given back on the command line."
    >
      {data !== undefined && <ProjectPicker project={project} projects={data.projects} choose={choose} />}
    </PageHead>
  )
  if (error !== null)
    return (
      <>
        {head}
        <Notice isAlert {...failureOf(error)} action={{ label: 'Try again', run: () => void refetch() }} />
      </>
    )
  return (
    <>
      {head}
      {data === undefined ? (
        <TableLoading rows={8} />
      ) : data.count === 0 ? (
        <NoCheckpoints project={project} projects={data.projects} choose={choose} />
      ) : (
        <div className="rounded-xl border border-line bg-panel">
          <p role="status" className="px-4 pt-3 text-sm text-muted sm:px-5">
            <span data-total="Checkpoints">{counted(data.count, 'checkpoint')}</span>
          </p>
          <CheckpointTable rows={data.rows} timeZone={selection.zone ?? browserZone} isMixed />
          <Pager page={data.page} rows={CHECKPOINT_PAGE} count={data.count} go={go} />
        </div>
      )}
    </>
  )
}
