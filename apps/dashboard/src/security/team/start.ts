/** Starts the team's dashboard, before the first request. */
import { noteWrite } from './judge-team.ts'
import { startTeam } from './team.ts'

const KEY = Symbol.for('cairn.dashboard.write-refused')

interface Holder {
  [KEY]?: (url: string, headers: Pick<Headers, 'get'>) => void
}

const holder: typeof globalThis & Holder = globalThis

/** Reads the settings; bin/serve.mjs tells here of what it refuses itself. @throws CairnError `usage` where they can't be used */
export const start = (): void => {
  const team = startTeam()
  if (team !== undefined) holder[KEY] = (url, headers) => noteWrite(team, { url, headers })
}
