/** Whose a page is that reads the store while it is made: asked of the token again, as at every other door to the data. */
import 'server-only'
import { headers } from 'next/headers'
import { addressOf, whoOf } from './judge-team.ts'
import { askedBy } from './asker.ts'
import type { Role } from './role.ts'
import { currentTeam } from './team.ts'

/**
 * Does a page's work on behalf of whoever asks for the page; in a dashboard of one person it just does the work. What
 * is shown to an admin is text, and logged. Throws if the page is asked for by nobody who is known.
 * @param what of the page, for the audit log
 */
export const forReader = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const team = currentTeam()
  if (team === undefined) return work()
  const sent = await headers()
  const identity = await team.identify(sent)
  if (identity.kind === 'refused') throw new Error('the page is asked for by nobody who is known')
  const asker = { ...identity.person, address: addressOf(sent, team.settings.proxies) }
  if (asker.role === 'admin')
    team.audit.writeOnce({
      event: 'text',
      ...whoOf(asker),
      address: asker.address,
      what: 'page',
      input: what,
    })
  return askedBy(asker, work)
}

/** The role of whoever asks for a page; undefined in a dashboard of one person, who may all, and for nobody who is known. */
export const roleOfReader = async (): Promise<Role | undefined> => {
  const identity = await currentTeam()?.identify(await headers())
  return identity?.kind === 'refused' ? undefined : identity?.person.role
}
