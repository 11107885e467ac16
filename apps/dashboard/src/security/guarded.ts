/** The guard before a route of data: once more after the proxy, so that no gap in the routing lays the data open. */
import { judge } from './guard.ts'
import { guardSettings } from './guard-settings.ts'
import { refusal } from './refusal.ts'
import { askedBy } from './team/asker.ts'
import { admitToTeam } from './team/judge-team.ts'
import { currentTeam } from './team/team.ts'

/**
 * Answers a request that may pass, and refuses any other; one with the token in its address gets 401, as that belongs
 * to a page. In a team's dashboard the answer is made on behalf of whoever asks.
 */
export const guarded = async (request: Request, answer: () => Response | Promise<Response>): Promise<Response> => {
  const team = currentTeam()
  if (team !== undefined) {
    const verdict = await admitToTeam(team, request)
    return verdict.kind === 'refuse' ? refusal(verdict) : askedBy(verdict.asker, answer)
  }
  const verdict = judge(guardSettings(process.env), request)
  if (verdict.kind === 'pass') return answer()
  return refusal(
    verdict.kind === 'refuse'
      ? verdict
      : { kind: 'refuse', status: 401, sentence: 'A token belongs into the address of the page.' },
  )
}
