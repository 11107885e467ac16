/** What `/healthz` and `/readyz` of a team's dashboard answer. */
import { replicaLagText } from '@cairn/core'
import type { ReplicaLag } from '@cairn/core'
import { emptyPolicy, securityHeaders } from '../headers.ts'
import { isTeam } from './team.ts'

/**
 * Returns `ok`, with a second line on how far a replica is behind, or 503 and `not ready`, and nothing else; 404 in a
 * dashboard of one person, which nobody monitors. `isWell`: this server works; for `ready` its store, too.
 */
export const healthAnswer = (isWell: boolean, replica: ReplicaLag | null = null): Response =>
  new Response(
    isTeam() ? (isWell ? `ok\n${lagLine(replica)}` : 'not ready\n') : 'There is nothing at this address.\n',
    {
      status: isTeam() ? (isWell ? 200 : 503) : 404,
      headers: {
        ...securityHeaders,
        'Content-Security-Policy': emptyPolicy,
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': 'no-store',
      },
    },
  )

const lagLine = (replica: ReplicaLag | null): string =>
  replica === null ? '' : `replica: ${replicaLagText(replica)}\n`
