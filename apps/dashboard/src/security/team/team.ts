/** The team's dashboard as this process runs it: its settings, who asks, how much they may ask, and the audit log. */
import { CairnError } from '@cairn/core'
import { openAudit } from './audit.ts'
import type { Audit } from './audit.ts'
import { createIdentify } from './identity.ts'
import type { Identify } from './identity.ts'
import { createRateLimiter } from './rate-limit.ts'
import type { RateLimiter } from './rate-limit.ts'
import { readTeamFile } from './team-file.ts'
import type { TeamSettings } from './team-file.ts'

/** What a team's dashboard runs with. */
export interface Team {
  readonly settings: Pick<TeamSettings, 'hosts' | 'proxies'>
  readonly identify: Identify
  readonly audit: Audit
  readonly ofPerson: RateLimiter
  readonly ofAddress: RateLimiter
}

const KEY = Symbol.for('cairn.dashboard.team')

interface Holder {
  [KEY]?: Team
}

const holder: typeof globalThis & Holder = globalThis

/** Returns the file of settings that this server was started with; undefined for a dashboard of one person. */
const teamFile = (): string | undefined => {
  const path = process.env['CAIRN_DASHBOARD_TEAM']
  return path === undefined || path === '' ? undefined : path
}

/** Whether this server is a team's, which shows nothing to somebody who is not known. */
export const isTeam = (): boolean => teamFile() !== undefined

/**
 * Reads the settings once, before the first request; returns undefined in a dashboard of one person. Opens the audit
 * log.
 * @throws CairnError `usage` if they can't be used
 */
export const startTeam = (): Team | undefined => {
  const path = teamFile()
  if (path === undefined) return undefined
  const settings = readTeamFile(path)
  const team: Team = {
    settings,
    identify: createIdentify(settings),
    audit: openAudit(settings.audit),
    ofPerson: createRateLimiter(settings.perPerson),
    ofAddress: createRateLimiter(settings.perAddress),
  }
  holder[KEY] = team
  return team
}

/**
 * Returns the team's dashboard; undefined in a dashboard of one person.
 * @throws CairnError `disabled` if it did not start as a team's
 */
export const currentTeam = (): Team | undefined => {
  if (!isTeam()) return undefined
  const team = holder[KEY]
  if (team === undefined) throw new CairnError('disabled', 'The team’s dashboard has not started.')
  return team
}
