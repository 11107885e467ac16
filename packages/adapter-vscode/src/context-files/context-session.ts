/** Which session's files are shown: the one that was chosen, else the one that was active last in the window's projects. */
import type { SessionStorage, SessionSummary } from '@cairn/core'

type Sessions = Pick<SessionStorage, 'get' | 'list'>

/** Returns the session that was updated later; the first if both times are equal. */
const later = (one: SessionSummary | undefined, other: SessionSummary): SessionSummary =>
  one !== undefined && (one.updatedAt ?? 0) >= (other.updatedAt ?? 0) ? one : other

/** Returns the session of any of the projects that was updated last; undefined if none was recorded. */
const lastActive = async (sessions: Sessions, projects: readonly string[]): Promise<SessionSummary | undefined> => {
  let found: SessionSummary | undefined
  for (const workspace of projects) {
    const [newest] = (await sessions.list({ workspace, sort: 'updated', limit: 1 })).sessions
    if (newest !== undefined) found = later(found, newest)
  }
  return found
}

/**
 * Returns the session whose files are shown: the chosen one if it is still in the store, otherwise the one of these
 * projects that was active last; undefined if there is none.
 */
export const contextSession = async (
  sessions: Sessions,
  projects: readonly string[],
  chosen: string | undefined,
): Promise<SessionSummary | undefined> => {
  const session = chosen === undefined ? undefined : await sessions.get(chosen)
  return session ?? lastActive(sessions, projects)
}
