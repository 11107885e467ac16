/** Exports of a team's dashboard: by role, and each one written down. */
import { CairnError } from '@cairn/core'
import { mayExport } from './access.ts'
import { currentAsker } from './asker.ts'
import { whoOf } from './judge-team.ts'
import { currentTeam } from './team.ts'

/**
 * Does nothing but log if the asker may export the table, or in a dashboard of one person. Throws if it can't be
 * logged.
 * @throws CairnError `disabled` if the role does not show the table
 */
export const assertExport = (table: string, parameters: URLSearchParams): void => {
  const team = currentTeam()
  if (team === undefined) return
  const asker = currentAsker()
  const isAllowed = asker !== undefined && mayExport(asker.role, table)
  team.audit.write({
    event: isAllowed ? 'export' : 'refused',
    ...(asker === undefined ? {} : whoOf(asker)),
    address: asker?.address ?? 'unknown',
    what: `export.${table}`,
    input: parameters.toString(),
  })
  if (!isAllowed) throw new CairnError('disabled', 'Your role does not show this table.')
}
