/** The answer to a request that may not pass: one sentence, and nothing of the store. */
import { emptyPolicy, securityHeaders } from './headers.ts'
import { isTeam } from './team/team.ts'

/** Why a request is refused. */
export interface Refusal {
  readonly kind: 'refuse'
  readonly status: number
  readonly sentence: string
}

/** Returns the response to a refused request: a sentence as plain text, so that nothing in it can act as markup. */
export const refusal = ({ status, sentence }: Refusal): Response =>
  new Response(`${sentence}\n`, {
    status,
    headers: {
      ...securityHeaders,
      'Content-Security-Policy': emptyPolicy,
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(status === 401 && isTeam() ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
  })
