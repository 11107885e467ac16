/** Whether the user of a team's store may change only rows of their own. */
import type { DialectName, SqlReader } from '../sql/database.ts'

/**
 * Whether rows are restricted: true for a developer where roles are set up (see team-roles); false for who owns the
 * tables, an admin, and on SQLite.
 */
export const isRestricted = async (reader: SqlReader, dialect: DialectName): Promise<boolean> => {
  if (dialect === 'sqlite') return false
  const [row] = await reader.all<{ restricted: boolean }>(
    `SELECT CASE WHEN row_security_active('session') THEN NOT pg_has_role(current_user, 'cairn_admin', 'USAGE')
       ELSE FALSE END AS restricted`,
  )
  return row?.restricted === true
}
