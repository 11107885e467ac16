/** The tree of what is remembered of the window's projects: entries by kind, and notes. */
import { MEMORY_KINDS } from '@cairn/core'
import type { Engine, KnownMemory, Note } from '@cairn/core'
import type { MemoryGroupNode, MemoryNode } from './memory-node.ts'

/** What the tree needs of the window. */
export interface MemoryTreeDeps {
  /** Undefined when nothing has been recorded yet. */
  readonly engine: () => Promise<Pick<Engine, 'memory' | 'notes' | 'store'> | undefined>
  /** The window's projects, as the store names them. */
  readonly projects: () => Promise<readonly string[]>
  /** Items that are listed of each group. */
  readonly mostItems?: number
}

/** The tree of memory entries and notes. */
export interface MemoryTree {
  /** The nodes below a node, in order; without one, those at the top, read again. Rejects as the store does. */
  children(node?: MemoryNode): Promise<readonly MemoryNode[]>
  /**
   * What the tree stands on in the store, as a short text that changes with it; `none` without a store. Files that
   * entries cite are not looked at.
   */
  version(): Promise<string>
}

const MOST_ITEMS = 500

/**
 * Returns a project's entries grouped by kind, at most `most` in each group; kinds without entries are left out. `left`
 * counts the others; kinds are in the order of `MEMORY_KINDS`.
 */
const entryGroups = (project: string, entries: readonly KnownMemory[], most: number): readonly MemoryGroupNode[] =>
  MEMORY_KINDS.flatMap((kind) => {
    const own = entries.filter((entry) => entry.kind === kind)
    const items = own.slice(0, most).map((entry) => ({ kind: 'entry', id: `entry:${entry.id}`, entry }) as const)
    return own.length === 0
      ? []
      : [
          {
            kind: 'group',
            id: `group:${project}:${kind}`,
            group: kind,
            items,
            left: own.length - items.length,
          } as const,
        ]
  })

/** Returns the group of a project's notes, at most `most` of them; empty without notes. */
const noteGroups = (project: string, notes: readonly Note[], most: number): readonly MemoryGroupNode[] => {
  if (notes.length === 0) return []
  const items = notes.slice(0, most).map((note) => ({ kind: 'note', id: `note:${project}:${note.key}`, note }) as const)
  return [{ kind: 'group', id: `group:${project}:notes`, group: 'notes', items, left: notes.length - items.length }]
}

/**
 * Returns the tree; nothing is read before `children` is called. `version` changes with what is remembered or noted.
 */
export const createMemoryTree = (deps: MemoryTreeDeps): MemoryTree => {
  const { mostItems = MOST_ITEMS } = deps

  const groupsOf = async (
    { memory, notes }: Pick<Engine, 'memory' | 'notes'>,
    project: string,
  ): Promise<readonly MemoryGroupNode[]> => [
    ...entryGroups(project, await memory.list(project), mostItems),
    ...noteGroups(project, await notes.list(project), mostItems),
  ]

  /**
   * The nodes at the top: the projects that have entries or notes; where only one is open, its groups at once. Empty while
   * there is no engine.
   */
  const top = async (): Promise<readonly MemoryNode[]> => {
    const engine = await deps.engine()
    if (engine === undefined) return []
    const projects = [...new Set(await deps.projects())]
    const known = await Promise.all(
      projects.map(async (project) => ({ project, groups: await groupsOf(engine, project) })),
    )
    const [only, ...others] = known
    if (only !== undefined && others.length === 0) return only.groups
    return known
      .filter(({ groups }) => groups.length > 0)
      .map(({ project, groups }, index) => ({
        kind: 'project',
        id: `project:${project}`,
        project,
        isFirst: index === 0,
        groups,
      }))
  }

  return {
    children: async (node) => {
      if (node === undefined) return top()
      if (node.kind === 'project') return node.groups
      if (node.kind !== 'group') return []
      const command = node.group === 'notes' ? 'cairn note list' : 'cairn memory list'
      return node.left === 0
        ? node.items
        : [...node.items, { kind: 'left', id: `${node.id}:left`, count: node.left, command }]
    },
    version: async () => {
      const engine = await deps.engine()
      if (engine === undefined) return 'none'
      const { memory, notes } = engine.store
      const lists = await Promise.all(
        (await deps.projects()).map(async (project) => [
          project,
          await memory.revision(project),
          await notes.revision(project),
        ]),
      )
      return JSON.stringify(lists)
    },
  }
}
