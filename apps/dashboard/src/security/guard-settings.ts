/** Reads what the guard goes by from the environment that the dashboard was started in. */
import type { GuardSettings } from './guard.ts'

/** Next's own port where none is given (`next dev`). */
const DEFAULT_PORT = 3000

/** `CAIRN_DASHBOARD_TOKEN`, `HOSTNAME` and `PORT`; bin/serve.mjs sets the port that it really listens on. */
export const guardSettings = (variables: Readonly<Record<string, string | undefined>>): GuardSettings => {
  const token = variables['CAIRN_DASHBOARD_TOKEN']
  const port = Number(variables['PORT'])
  return {
    token: token === undefined || token === '' ? undefined : token,
    hostname: variables['HOSTNAME'] ?? '127.0.0.1',
    port: Number.isInteger(port) && port > 0 ? port : DEFAULT_PORT,
  }
}
