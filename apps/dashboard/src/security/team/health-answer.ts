/** What `/healthz` and `/readyz` of a team's dashboard answer. */
import { emptyPolicy, securityHeaders } from '../headers.ts'
import { isTeam } from './team.ts'

/** Returns `ok`, or 503 with `not ready`; 404 in a dashboard of one person, which nobody monitors. */
export const healthAnswer = (isWell: boolean): Response =>
  new Response(isTeam() ? (isWell ? 'ok\n' : 'not ready\n') : 'There is nothing at this address.\n', {
    status: isTeam() ? (isWell ? 200 : 503) : 404,
    headers: {
      ...securityHeaders,
      'Content-Security-Policy': emptyPolicy,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
    },
  })
