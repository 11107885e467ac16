/** Starts the team's dashboard, before the first request. */
import { messageOf } from '@cairn/core'
import { noteWrite } from './judge-team.ts'
import { startTeam } from './team.ts'
import type { Team } from './team.ts'

const KEY = Symbol.for('cairn.dashboard.write-refused')
/** Why it did not start: bin/serve.mjs tells it. */
const FAULT = Symbol.for('cairn.dashboard.team-fault')

interface Holder {
  [FAULT]?: string
  [KEY]?: (url: string, headers: Pick<Headers, 'get'>) => void
}

const holder: typeof globalThis & Holder = globalThis

/**
 * Reads the settings of a team's dashboard, and lets bin/serve.mjs report what it refuses itself.
 * @throws CairnError `usage` if the settings can't be used
 */
export const start = (): void => {
  let team: Team | undefined
  try {
    team = startTeam()
  } catch (error) {
    holder[FAULT] = messageOf(error)
    throw error
  }
  if (team !== undefined) holder[KEY] = (url, headers) => noteWrite(team, { url, headers })
}
