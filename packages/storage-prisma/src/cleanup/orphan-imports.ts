/** Records of imported files that are gone, and of which nothing is in the store: a file that comes back is read again. */
import type { OrphanCount } from '@cairn/core'
import { tables } from '../sql/schema.ts'
import type { StoreContext } from '../repository/store-context.ts'

interface FileRow {
  readonly id: number
  readonly path: string
  readonly version: number
  readonly bytes: number
}

const WITHOUT_LINES = 'NOT EXISTS (SELECT 1 FROM source_run WHERE source_run.file_id = imported_file.id)'
/** Files looked at in one clean-up; the next one goes on with the rest, as those that are gone leave the list. */
const MOST_FILES = 2_000

/**
 * Counts and removes records of imported files that are gone and of which no line is stored, with what was skipped of
 * them; only the `MOST_FILES` oldest records without lines are looked at. A dry run removes none; one that was imported
 * again meanwhile stays. @param isGone see core's `OrphanQuery`
 */
export const removeOrphanImports = async (
  { database }: StoreContext,
  dryRun: boolean,
  isGone: (path: string) => boolean,
): Promise<OrphanCount> => {
  const rows = await database.all<FileRow>(
    `SELECT id, "path", version, length("path") + length(parser_state) AS bytes FROM imported_file WHERE ${WITHOUT_LINES} ORDER BY id LIMIT ?`,
    [MOST_FILES],
  )
  const gone = rows.filter(({ path }) => isGone(path))
  const count = {
    kind: 'import-record',
    found: gone.length,
    bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0),
  } as const
  if (dryRun || gone.length === 0) return { ...count, removed: 0 }
  const removed = await database.transaction({ durability: 'lazy' }, async (transaction) => {
    let files = 0
    for (const { id, path, version } of gone) {
      // An import that has read it meanwhile has made it a new version.
      const isRemoved = await transaction.run(
        `DELETE FROM ${tables.importedFile.name} WHERE id = ? AND version = ? AND ${WITHOUT_LINES}`,
        [id, version],
      )
      if (isRemoved === 1) await transaction.run('DELETE FROM import_skip WHERE "path" = ?', [path])
      files += isRemoved
    }
    return files
  })
  return { ...count, removed }
}
