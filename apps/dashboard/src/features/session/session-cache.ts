/** Keeps what was made of a session's whole log: a log only ever grows, so the same length is the same log. */
import type { SessionStorage } from '@cairn/core'

/** The facts of a session by which its log is known. */
export interface CachedSession {
  readonly id: string
  readonly entries: number
  readonly workspace: string | null
  readonly updatedAt: number | null
}

/** Reads something from a session's log. */
type Reader<Made> = (sessions: Pick<SessionStorage, 'read'>, session: CachedSession) => Promise<Made>

/**
 * Returns `read` with a cache of the `most` results made last, not used last. One counts while the session's id, number
 * of entries, time and folder stay the same; a failed one is dropped. Calls while it is being made share one result.
 * Other `sessions` are not told apart.
 */
export const cachedBySession = <Made>(read: Reader<Made>, most: number): Reader<Made> => {
  const known = new Map<string, Promise<Made>>()
  return (sessions, session) => {
    const { id, entries, workspace, updatedAt } = session
    const key = JSON.stringify([id, entries, updatedAt, workspace])
    const found = known.get(key)
    if (found !== undefined) return found
    const made = read(sessions, session)
    known.set(key, made)
    made.catch(() => known.delete(key))
    const oldest = known.keys().next().value
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return made
  }
}
