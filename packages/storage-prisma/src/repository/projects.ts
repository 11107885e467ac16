/** What the store knows of folders, from which their projects follow; see core's projects/. */
import { projectsOf, workspacesOfProject } from '@cairn/core/projects'
import type { FoundWorkspace, ProjectStorage, ProjectWorkspace, WorkspaceFinding } from '@cairn/core/projects'
import type { SqlReader } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import type { StoreContext } from './store-context.ts'
import { storableText } from './labels.ts'

/** These numbers are stored: the position of each. */
const FINDINGS = ['unseen', 'missing', 'folder', 'repository'] as const satisfies readonly WorkspaceFinding[]

interface WorkspaceRow {
  readonly id: number
  readonly path: string
  readonly finding: number
  readonly remote: string | null
  readonly chosen_project: string | null
  readonly sent_project: string | null
}

export interface StoredWorkspace extends ProjectWorkspace {
  readonly id: number
  /** What the team's store was told as its project; null: nothing. */
  readonly sent: string | null
}

/**
 * Every folder, by path. In a store that machines sent to, a folder that was not looked for here counts as `elsewhere`.
 * Its machine's project is in `sent`. Rejects for a finding that is not known.
 */
export const storedWorkspaces = async (reader: SqlReader): Promise<readonly StoredWorkspace[]> => {
  const [rows, machines] = [
    await reader.all<WorkspaceRow>(
      'SELECT id, "path", finding, remote, chosen_project, sent_project FROM workspace ORDER BY "path"',
    ),
    await reader.all('SELECT 1 FROM machine LIMIT 1'),
  ]
  return rows.map(({ id, path, finding, remote, chosen_project: chosen, sent_project: sent }) => ({
    id,
    path,
    finding: machines.length > 0 && finding === 0 ? 'elsewhere' : required(FINDINGS[finding], 'what a folder is'),
    ...(remote === null ? {} : { remote }),
    ...(chosen === null ? {} : { chosen }),
    sent,
  }))
}

/** The project of each folder, by its id. A folder that belongs to no other is its own project. */
export const projectNames = async (reader: SqlReader): Promise<ReadonlyMap<number, string>> => {
  const workspaces = await storedWorkspaces(reader)
  const projects = projectsOf(workspaces)
  return new Map(workspaces.map(({ id, path }) => [id, projects.get(path) ?? path]))
}

/** Ids of the folders of the projects that a text means: a key, a name or a folder's path; empty if no project has it. */
export const workspaceIdsOf = async (reader: SqlReader, wanted: string): Promise<readonly number[]> => {
  const workspaces = await storedWorkspaces(reader)
  const paths = workspacesOfProject(wanted, workspaces)
  return workspaces.flatMap(({ id, path }) => (paths.has(path) ? [id] : []))
}

/**
 * Storage of projects in the database of a context. `note` changes only folders that are stored already; `choose` with
 * undefined takes the choice back. Rows are changed in one order.
 */
export const createProjectStorage = ({ database }: StoreContext): ProjectStorage => ({
  workspaces: async () => (await storedWorkspaces(database)).map(({ id: _id, sent: _sent, ...workspace }) => workspace),
  note: (found) =>
    database.transaction({ durability: 'lazy' }, async (transaction) => {
      // In one order, so that two writers take locks in the same.
      for (const one of inOrder(found))
        await transaction.run(`UPDATE workspace SET finding = ?, remote = ? WHERE "path" = ?${onlyNew(one)}`, [
          FINDINGS.indexOf(one.finding),
          one.remote === undefined ? null : storableText(one.remote),
          storableText(one.path),
        ])
    }),
  choose: (paths, project) =>
    database.transaction({ durability: 'synced' }, async (transaction) => {
      for (const path of [...paths].sort())
        await transaction.run('UPDATE workspace SET chosen_project = ? WHERE "path" = ?', [
          project === undefined ? null : storableText(project),
          storableText(path),
        ])
    }),
})

const inOrder = (found: readonly FoundWorkspace[]): readonly FoundWorkspace[] =>
  found.toSorted((left, right) => (left.path < right.path ? -1 : 1))

/** A folder that is gone keeps what is known of it. */
const onlyNew = ({ finding }: FoundWorkspace): string => (finding === 'missing' ? ' AND finding = 0' : '')
