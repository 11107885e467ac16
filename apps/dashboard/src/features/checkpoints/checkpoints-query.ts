/** Asks the store which checkpoints there are. Their files are not looked at. */
import type { CheckpointEntry, CheckpointRecord, SessionSummary, Store } from '@cairn/core'
import { lastPage } from '../../components/pager.tsx'
import { rowName } from '../usage/dimension.ts'
import { projectNames } from '../usage/store-project-names.ts'
import type { NamedStore } from '../usage/store-project-names.ts'
import { checkpointRow, goneRow } from './checkpoint-view.ts'
import type { CheckpointRow } from './checkpoint-view.ts'
import { CHECKPOINT_PAGE } from './page-sizes.ts'

/** A page of checkpoints. */
export interface CheckpointsAnswer {
  /** Newest first. */
  readonly rows: readonly CheckpointRow[]
  readonly page: number
  /** Of all pages. */
  readonly count: number
}

/** A page of checkpoints, with the projects that have any. */
export interface ProjectsCheckpoints extends CheckpointsAnswer {
  /** Every project that has checkpoints, by name. */
  readonly projects: readonly { readonly root: string; readonly name: string; readonly checkpoints: number }[]
}

/** A hook makes its checkpoint beside the agent's turn, so that it may be done after the log's last entry, ms. */
const AFTERWARDS_MS = 60_000

/** Whether a checkpoint without a session was made while this session went on. */
const isMeanwhile = ({ sessionId, at }: CheckpointRecord, { startedAt, updatedAt }: SessionSummary): boolean =>
  sessionId === null && startedAt !== null && updatedAt !== null && at >= startedAt && at <= updatedAt + AFTERWARDS_MS

/**
 * Returns a page of a session's checkpoints, newest first: its own, those made in its project while it went on, and
 * those that only its log still names.
 * @param page from 1; one past the last means the last
 */
export const sessionCheckpoints = async (
  store: Pick<Store, 'checkpoints' | 'sessions'>,
  session: SessionSummary,
  page: number,
): Promise<CheckpointsAnswer> => {
  const own = (await store.checkpoints.page({ sessionId: session.id })).checkpoints
  const ofProject = session.workspace === null ? [] : await store.checkpoints.list(session.workspace)
  const kept = [...own, ...ofProject.filter((each) => isMeanwhile(each, session))]
  const ids = new Set(kept.map(({ id }) => id))
  const noted = await store.sessions.read(session.id, { kinds: ['checkpoint'] })
  const gone = noted.filter(
    (entry): entry is CheckpointEntry => entry.kind === 'checkpoint' && !ids.has(entry.checkpointId),
  )
  const rows = [...kept.map((record) => checkpointRow(record)), ...gone.map(goneRow)].sort(
    (left, right) => (right.at ?? -Infinity) - (left.at ?? -Infinity) || (left.id < right.id ? 1 : -1),
  )
  const within = Math.min(page, lastPage(CHECKPOINT_PAGE, rows.length))
  return {
    rows: rows.slice((within - 1) * CHECKPOINT_PAGE, within * CHECKPOINT_PAGE),
    page: within,
    count: rows.length,
  }
}

/**
 * Returns a page of the checkpoints of a project, or of all, newest first. Projects are listed with their numbers of
 * checkpoints.
 * @param page from 1; one past the last means the last
 */
export const projectCheckpoints = async (
  store: NamedStore,
  { project, page }: { readonly project?: string | undefined; readonly page: number },
): Promise<ProjectsCheckpoints> => {
  const { checkpoints } = store
  const workspaces = await checkpoints.workspaces()
  const names = await projectNames(store)
  const of = project === undefined ? {} : { workspace: project }
  const { total } = await checkpoints.page({ ...of, limit: 1 })
  const within = Math.min(page, lastPage(CHECKPOINT_PAGE, total))
  const found = await checkpoints.page({ ...of, limit: CHECKPOINT_PAGE, offset: (within - 1) * CHECKPOINT_PAGE })
  return {
    rows: found.checkpoints.map((record) => checkpointRow(record, names)),
    page: within,
    count: found.total,
    projects: workspaces.map((each) => ({
      root: each.workspace,
      name: rowName('project', each.workspace, names).label,
      checkpoints: each.checkpoints,
    })),
  }
}
