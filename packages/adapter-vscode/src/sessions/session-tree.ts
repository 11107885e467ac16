/**
 * The tree of sessions: groups by time or by project, their sessions loaded when a group is unfolded, a page at a time.
 * Every group is a range of one sorted list, so that what is counted and what is shown can't differ.
 */
import type { SessionPage, SessionQuery, Store } from '@cairn/core'
import { counted } from '../text/format.ts'
import { projectGroups } from './project-groups.ts'
import type { ProjectGroups } from './project-groups.ts'
import type { SessionFilter } from './session-filter.ts'
import type { GroupNode, MoreNode, SessionNode } from './session-node.ts'
import { timeGroups } from './time-groups.ts'

/** What sessions are grouped by. */
export type Grouping = 'time' | 'project'

/** What the tree needs of the window. */
export interface SessionTreeDeps {
  /** Undefined when nothing has been recorded yet. */
  readonly store: () => Promise<Pick<Store, 'sessions'> | undefined>
  /** The open folders, as the store names projects. */
  readonly folders: () => Promise<readonly string[]>
  /** IANA name; where days begin. */
  readonly timeZone: string
  readonly now: () => number
  /** Sessions a page. */
  readonly pageSize?: number
  /** Sessions a step of the search for projects. */
  readonly projectStep?: number
}

/** The tree of sessions. */
export interface SessionTree {
  /** The nodes below a node, in order; without one, those at the top. Empty where there is no store yet. */
  children(node?: SessionNode): Promise<readonly SessionNode[]>
  /** Makes the list that this "more" node ends one page longer, from the next `children` on. */
  showMore(node: MoreNode): void
  /** Changes grouping and filter; all lists have one page again. */
  arrange(grouping: Grouping, filter: SessionFilter | undefined): void
}

const PAGE_SIZE = 50
const PROJECT_STEP = 2_000
const TOP = ''

/** What of the store is used here. */
type SessionStore = Pick<Store, 'sessions'>

/**
 * Returns the groups by time: each is a range of the list of all sessions that match the filter, the latest first.
 * Groups without sessions are left out; the first that is not in the future is unfolded.
 */
const timeNodes = async (
  { sessions }: SessionStore,
  filter: SessionFilter,
  { timeZone, now }: Pick<SessionTreeDeps, 'timeZone' | 'now'>,
): Promise<readonly GroupNode[]> => {
  const countSince = async (since: number | undefined): Promise<number> =>
    (await sessions.list({ ...filter, limit: 0, ...(since === undefined ? {} : { since }) })).total
  const total = await countSince(undefined)
  const nodes: GroupNode[] = []
  let offset = 0
  for (const { key, label, since, isFuture } of timeGroups(timeZone, now())) {
    if (offset >= total) break
    const end = since === undefined ? total : await countSince(since)
    const count = end - offset
    if (count > 0) {
      nodes.push({
        kind: 'group',
        id: `time:${key}`,
        label,
        description: count.toLocaleString('en-US'),
        icon: 'calendar',
        isOpen: isFuture !== true && !nodes.some(({ isOpen }) => isOpen),
        range: { kind: 'range', offset, count },
      })
    }
    offset = Math.max(offset, end)
  }
  return nodes
}

/** Returns the groups by project, followed by a node that looks for more if older sessions were not looked at. */
const projectNodes = ({ groups, left }: ProjectGroups): readonly SessionNode[] =>
  left === 0
    ? groups
    : [
        ...groups,
        {
          kind: 'more',
          id: 'more:projects',
          label: `Look for projects in ${counted(left, 'older session')}`,
          group: undefined,
        },
      ]

/**
 * Returns the first `limit` sessions of a group, and how many it has. A group of a time has a range of the list, so
 * that it shifts if sessions come meanwhile.
 */
const pageOf = async (
  { range }: GroupNode,
  limit: number,
  filter: SessionFilter,
  { sessions }: SessionStore,
): Promise<SessionPage> => {
  const query: SessionQuery = { ...filter, sort: 'updated' }
  if (range.kind === 'project')
    return sessions.list({ ...query, ...(range.workspace === undefined ? {} : { workspace: range.workspace }), limit })
  const page = await sessions.list({ ...query, offset: range.offset, limit: Math.min(limit, range.count) })
  return { sessions: page.sessions, total: range.count }
}

/** Returns the nodes of a page of sessions, followed by a node for the rest if there is one. */
const sessionNodes = (group: GroupNode, { sessions, total }: SessionPage): readonly SessionNode[] => {
  const nodes: readonly SessionNode[] = sessions.map((session) => ({
    kind: 'session',
    id: `session:${session.id}`,
    session,
  }))
  const left = total - sessions.length
  if (left <= 0 || sessions.length === 0) return nodes
  return [
    ...nodes,
    { kind: 'more', id: `more:${group.id}`, label: `Show more (${left.toLocaleString('en-US')} left)`, group },
  ]
}

/**
 * The tree of sessions, by time and without a filter until `arrange` is called; without a store it is empty. `children`
 * rejects as the store does; `showMore` adds a page to a group, or to the top.
 */
export const createSessionTree = (deps: SessionTreeDeps): SessionTree => {
  const { pageSize = PAGE_SIZE, projectStep = PROJECT_STEP } = deps
  let grouping: Grouping = 'time'
  let filter: SessionFilter = {}
  /** Pages that are shown, by the group's id. */
  const pages = new Map<string, number>()
  let projects: ProjectGroups | undefined

  const pagesOf = (id: string): number => pages.get(id) ?? 1

  const topNodes = async (): Promise<readonly SessionNode[]> => {
    const store = await deps.store()
    if (store === undefined) return []
    if (grouping === 'time') return timeNodes(store, filter, deps)
    projects = await projectGroups(store.sessions, filter, await deps.folders(), projectStep * pagesOf(TOP))
    return projectNodes(projects)
  }

  const groupPage = async (group: GroupNode): Promise<SessionPage> => {
    const limit = pageSize * pagesOf(group.id)
    if (group.range.kind === 'project' && group.range.workspace === undefined) {
      const all = projects?.unassigned ?? []
      return { sessions: all.slice(0, limit), total: all.length }
    }
    const store = await deps.store()
    return store === undefined ? { sessions: [], total: 0 } : pageOf(group, limit, filter, store)
  }

  return {
    children: async (node) => {
      if (node === undefined) return topNodes()
      return node.kind === 'group' ? sessionNodes(node, await groupPage(node)) : []
    },
    showMore: ({ group }) => {
      const id = group?.id ?? TOP
      pages.set(id, pagesOf(id) + 1)
    },
    arrange: (newGrouping, newFilter) => {
      grouping = newGrouping
      filter = newFilter ?? {}
      projects = undefined
      pages.clear()
    },
  }
}
