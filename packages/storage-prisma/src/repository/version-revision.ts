/** Whether memory or notes of a workspace have changed: each change adds a version, or ends one, and none is removed. */
import type { SqlDatabase } from '../sql/database.ts'
import { assertIndexesIntact } from './integrity.ts'

/**
 * A text that changes with the versions of a workspace, in its stored form. Counted in an index: no text is read.
 * Rejects with `storage-corrupt` for a damaged index.
 */
export const versionRevision = async (
  database: SqlDatabase,
  table: 'memory_version' | 'note_version',
  workspace: string,
): Promise<string> => {
  await assertIndexesIntact(database, [table])
  const [row] = await database.all<{ versions: number; ended: number }>(
    `SELECT COUNT(*) AS versions, COUNT(valid_to) AS ended FROM ${table} WHERE workspace = ?`,
    [workspace],
  )
  return `${row?.versions ?? 0}.${row?.ended ?? 0}`
}
