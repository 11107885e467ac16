/** What the store knows of folders, from which their projects follow; see core's projects/. */
import { projectsOf, workspacesOfProject } from '@cairn/core/projects'
import type { FoundWorkspace, ProjectStorage, ProjectWorkspace, WorkspaceFinding } from '@cairn/core/projects'
import type { SqlReader } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import type { StoreContext } from './store-context.ts'
import { storableText } from './labels.ts'

/** Findings as stored: a row holds the position in this list, so never reorder it. */
const FINDINGS = ['unseen', 'missing', 'folder', 'repository'] as const satisfies readonly WorkspaceFinding[]

interface WorkspaceRow {
  readonly id: number
  readonly path: string
  readonly finding: number
  readonly remote: string | null
  readonly chosen_project: string | null
  readonly sent_project: string | null
  /** Whether machines sent to this store; SQLite has numbers for truth. */
  readonly is_sent_to: boolean | 0 | 1
}

/** A folder with the id of its row. */
export interface StoredWorkspace extends ProjectWorkspace {
  readonly id: number
  /** The project that this store has told the team's store; '' if it is to be told again, null if it told none. */
  readonly sent: string | null
}

/**
 * Every folder, sorted by path. In a team's store, one that machines sent to, a folder that was not looked for here
 * counts as `elsewhere`, and its `remote` is the project that its machine sent. Rejects for an unknown stored finding.
 */
export const storedWorkspaces = async (reader: SqlReader): Promise<readonly StoredWorkspace[]> => {
  const rows = await reader.all<WorkspaceRow>(
    `SELECT id, "path", finding, remote, chosen_project, sent_project, EXISTS (SELECT 1 FROM machine) AS is_sent_to
     FROM workspace ORDER BY "path"`,
  )
  return rows.map(
    ({ id, path, finding, remote, chosen_project: chosen, sent_project: sent, is_sent_to: isSentTo }) => ({
      id,
      path,
      finding: Boolean(isSentTo) && finding === 0 ? 'elsewhere' : required(FINDINGS[finding], 'what a folder is'),
      ...(remote === null ? {} : { remote }),
      ...(chosen === null ? {} : { chosen }),
      sent,
    }),
  )
}

/** The project's key of each folder, by the id of its row. A folder that belongs to no other is its own project. */
export const projectNames = async (reader: SqlReader): Promise<ReadonlyMap<number, string>> => {
  const workspaces = await storedWorkspaces(reader)
  const projects = projectsOf(workspaces)
  return new Map(workspaces.map(({ id, path }) => [id, projects.get(path) ?? path]))
}

/** Row ids of the folders of the projects that a text means (a key, a name or a folder's path); empty for none. */
export const workspaceIdsOf = async (reader: SqlReader, wanted: string): Promise<readonly number[]> => {
  const workspaces = await storedWorkspaces(reader)
  const paths = workspacesOfProject(wanted, workspaces)
  return workspaces.flatMap(({ id, path }) => (paths.has(path) ? [id] : []))
}

/**
 * Storage of projects in the database of a context. `note` and `choose` skip paths without a row; each is one
 * transaction, and only what `choose` did is safe from a power loss. A folder found `missing` keeps its former finding
 * and remote, unless it was `unseen`. `choose` with undefined takes the choice back. Rejects as the database does.
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

/** The findings sorted by path. */
const inOrder = (found: readonly FoundWorkspace[]): readonly FoundWorkspace[] =>
  found.toSorted((left, right) => (left.path < right.path ? -1 : 1))

/** For `missing`, a condition (` AND …`) that only an `unseen` folder meets: others keep what is known; else ''. */
const onlyNew = ({ finding }: FoundWorkspace): string => (finding === 'missing' ? ' AND finding = 0' : '')
