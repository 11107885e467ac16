/** Exports of a team's dashboard: by role, and each one written down. */
import { CairnError } from '@cairn/core'
import { mayExport } from './access.ts'
import { currentAsker } from './asker.ts'
import { whoOf } from './judge-team.ts'
import { currentTeam } from './team.ts'

/**
 * Logs that the asker exports the table, or is refused it; throws if it can't be logged. Does nothing in a dashboard of
 * one person.
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
