/**
 * Names that no row refers to any more: paths of projects, and those of models, branches and so on. A deleted session
 * leaves them behind. Writers keep ids of names, so a removal is counted, and every transaction that uses a name looks at
 * the count first (see repository/labels).
 */
import type { OrphanCount } from '@cairn/core'
import { rowLockClause } from '../repository/store-context.ts'
import type { StoreContext } from '../repository/store-context.ts'
import { countRemovedNames } from '../repository/labels.ts'
import type { SqlReader } from '../sql/database.ts'

interface NameTable {
  readonly kind: 'workspace' | 'name'
  readonly table: string
  readonly bytes: string
  /** Columns with ids of names. */
  readonly usedIn: readonly (readonly [table: string, column: string])[]
}

const NAME_TABLES: readonly NameTable[] = [
  {
    kind: 'workspace',
    table: 'workspace',
    bytes: 'length("path") + length(name)',
    usedIn: [
      ['session', 'workspace_id'],
      ['search_tail', 'workspace_id'],
      ['search_segment', 'workspace_id'],
      ['usage_fact', 'workspace_id'],
      ['usage_day', 'workspace_id'],
    ],
  },
  {
    kind: 'name',
    table: 'label',
    bytes: 'length(value)',
    usedIn: [
      ['session', 'agent_id'],
      ['session', 'branch_id'],
      ...['model_id', 'provider_id', 'mode_id', 'agent_id', 'branch_id', 'subagent_id'].map(
        (column) => ['usage_fact', column] as const,
      ),
      ...['model_id', 'mode_id', 'agent_id', 'branch_id'].map((column) => ['usage_day', column] as const),
      ...['model_id', 'provider_id', 'mode_id'].map((column) => ['request_failure', column] as const),
    ],
  },
]

/** The id 0 stands for a name that is not known. */
const unused = ({ usedIn }: NameTable): string =>
  `id NOT IN (${usedIn.map(([table, column]) => `SELECT ${column} FROM ${table}`).join(' UNION ')})`

/** How many names nothing uses, and their bytes. Bytes are those of the names alone. */
const find = async (
  reader: SqlReader,
  names: NameTable,
): Promise<{ readonly found: number; readonly bytes: number }> => {
  const [row] = await reader.all<{ found: number; bytes: number }>(
    `SELECT count(*) AS found, COALESCE(sum(${names.bytes}), 0) AS bytes FROM ${names.table} WHERE ${unused(names)}`,
  )
  return { found: row?.found ?? 0, bytes: row?.bytes ?? 0 }
}

/**
 * Counts names (of models, branches, projects and the like) without use, and removes them unless it is a dry run; a
 * count for each kind, also of 0.
 */
export const removeOrphanNames = async (context: StoreContext, dryRun: boolean): Promise<readonly OrphanCount[]> => {
  const counts: OrphanCount[] = []
  for (const names of NAME_TABLES) {
    const { found, bytes } = await find(context.database, names)
    const removed =
      found === 0 || dryRun
        ? 0
        : await context.database.transaction({ durability: 'lazy' }, async (transaction) => {
            // Waits for writers that use names, and makes the next ones wait: what is unused now stays so.
            await countRemovedNames(transaction, rowLockClause(context))
            return transaction.run(`DELETE FROM ${names.table} WHERE ${unused(names)}`)
          })
    counts.push({ kind: names.kind, found, removed, bytes })
  }
  return counts
}
