/**
 * Sessions by project, the latest used first. The store has no list of projects, so they are found among the newest
 * sessions, up to a number: a store of many years opens as fast as a new one.
 */
import type { SessionQuery, SessionStorage, SessionSummary } from '@cairn/core'
import { counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import { belongsTo, projectName } from '../usage/project-usage.ts'
import type { GroupNode } from './session-node.ts'

/** Sessions grouped by project. */
export interface ProjectGroups {
  /** The groups; that of the open folder comes first. */
  readonly groups: readonly GroupNode[]
  /** Sessions that belong to no project, of those that were looked at. */
  readonly unassigned: readonly SessionSummary[]
  /** Sessions that were not looked at. */
  readonly left: number
}

const PAGE = 500

/** Returns the folder that contains a project, which distinguishes projects of the same name. */
const parentOf = (path: string): string => path.replace(/[\\/]+$/, '').replace(/[\\/][^\\/]*$/, '')

/** Returns the group of a project; without a workspace, that of sessions without one. `isFirst`: it is unfolded. */
const nodeOf = (
  workspace: string | undefined,
  sessions: number,
  isOpenProject: boolean,
  isFirst: boolean,
): GroupNode => ({
  kind: 'group',
  id: workspace === undefined ? 'no-project' : `project:${workspace}`,
  label: workspace === undefined ? 'No project' : neutraliseLine(projectName([workspace]) ?? workspace),
  description: [
    isOpenProject ? 'open here' : '',
    workspace === undefined ? counted(sessions, 'session') : neutraliseLine(parentOf(workspace)),
  ]
    .filter((part) => part !== '')
    .join(' · '),
  icon: isOpenProject ? 'folder-opened' : 'folder',
  isOpen: isFirst,
  range: { kind: 'project', workspace },
})

/**
 * The projects of the newest sessions that pass the filter, the latest used first; sessions without one are a group,
 * too, and in `unassigned`. Rejects as the list does.
 * @param folders that are open in the editor: their projects come before all others
 * @param atMost how many sessions are looked at; `left` says how many more there are
 */
export const projectGroups = async (
  sessions: Pick<SessionStorage, 'list'>,
  filter: SessionQuery,
  folders: readonly string[],
  atMost: number,
): Promise<ProjectGroups> => {
  const counts = new Map<string | undefined, number>()
  const unassigned: SessionSummary[] = []
  let looked = 0
  let total = 0
  do {
    const page = await sessions.list({
      ...filter,
      sort: 'updated',
      limit: Math.min(PAGE, atMost - looked),
      offset: looked,
    })
    total = page.total
    looked += page.sessions.length
    for (const session of page.sessions) {
      const workspace = session.workspace ?? undefined
      counts.set(workspace, (counts.get(workspace) ?? 0) + 1)
      if (workspace === undefined) unassigned.push(session)
    }
    if (page.sessions.length === 0) break
  } while (looked < Math.min(total, atMost))

  const found = [...counts].map(([workspace, count]) => ({
    workspace,
    count,
    isOpenProject: workspace !== undefined && belongsTo(workspace, folders),
  }))
  const ordered = [
    ...found.filter(({ isOpenProject }) => isOpenProject),
    ...found.filter(({ isOpenProject }) => !isOpenProject),
  ]
  return {
    groups: ordered.map(({ workspace, count, isOpenProject }, index) =>
      nodeOf(workspace, count, isOpenProject, index === 0),
    ),
    unassigned,
    left: Math.max(0, total - looked),
  }
}
