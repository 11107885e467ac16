/** Procedures of a team's dashboard: by role, and written down where they answer with text. */
import 'server-only'
import { CairnError } from '@cairn/core'
import { TRPCError } from '@trpc/server'
import { NOT_SHOWN, isAudited, mayCall } from './access.ts'
import { currentAsker } from './asker.ts'
import type { Asker } from './asker.ts'
import type { AuditEvent } from './audit.ts'
import { whoOf } from './judge-team.ts'
import { currentTeam } from './team.ts'
import type { Team } from './team.ts'

/** Writes an event to the audit log, unless the same was written a moment ago. Throws as the log does. */
const note = ({ audit }: Team, event: AuditEvent['event'], asker: Asker, what: string, input?: string): void =>
  audit.writeOnce({
    event,
    ...whoOf(asker),
    address: asker.address,
    what,
    ...(input === undefined ? {} : { input }),
  })

/**
 * Passes where the asker's role may call the procedure; does nothing in a dashboard of one person. What it answers with
 * text is written down first: it rejects where that can't be done.
 * @throws TRPCError `FORBIDDEN`
 */
export const assertCall = async (path: string, getRawInput: () => Promise<unknown>): Promise<void> => {
  const team = currentTeam()
  if (team === undefined) return
  const asker = currentAsker()
  if (asker === undefined) throw new TRPCError({ code: 'FORBIDDEN', message: 'Nobody who is known asks for this.' })
  if (!mayCall(asker.role, path)) {
    note(team, 'refused', asker, path)
    throw new TRPCError({ code: 'FORBIDDEN', message: NOT_SHOWN })
  }
  if (isAudited(asker.role, path)) note(team, 'text', asker, path, JSON.stringify((await getRawInput()) ?? null))
}

/**
 * Logs that the store, as the asker's role shows it, refused to answer. Does nothing for any other error, for admins,
 * and in a dashboard of one person.
 * @throws TRPCError `FORBIDDEN`, with the store's sentence, for such a refusal
 */
export const noteRefusal = (path: string, { cause }: TRPCError): void => {
  const [team, asker] = [currentTeam(), currentAsker()]
  if (team === undefined || asker === undefined || asker.role === 'admin') return
  if (!CairnError.is(cause) || cause.code !== 'disabled') return
  note(team, 'refused', asker, path)
  throw new TRPCError({ code: 'FORBIDDEN', message: cause.message })
}
