/** The session that a request is of: one of the store, or a new one. */
import { CairnError } from '../errors.ts'
import { shownValue } from '../input.ts'
import type { Ids } from '../ports/ids.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import type { Store } from '../ports/store.ts'
import type { SendInput } from './send-input.ts'

/** A session, and how many entries its log has. */
export interface StoredSession {
  readonly facts: SessionFacts
  readonly entries: number
}

/**
 * The session to send a request of: the stored one of an id, or the facts of a new one, with a new id; nothing is
 * written yet.
 * @throws CairnError `not-found` for an id that the store does not have
 */
export const sessionFor = async (
  session: SendInput['session'],
  { store, ids }: { readonly store: Pick<Store, 'sessions'>; readonly ids: Ids },
): Promise<StoredSession> => {
  if (typeof session !== 'string') {
    const { agent = 'cairn', ...own } = session
    const externalId = ids.next()
    return { facts: { ...own, id: `${agent}:${externalId}`, agent, externalId }, entries: 0 }
  }
  const found = await store.sessions.get(session)
  if (found === undefined)
    throw new CairnError('not-found', `There is no session with the id ${shownValue(session)}; nothing was sent.`)
  const { id, agent, externalId, workspace, branch, entries } = found
  return {
    entries,
    facts: {
      id,
      agent,
      externalId,
      ...(workspace === null ? {} : { workspace }),
      ...(branch === null ? {} : { branch }),
    },
  }
}
