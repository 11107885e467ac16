/** The address of a session's document: its title for the tab, its id in the query. */
import type { SessionSummary } from '@cairn/core'
import { sessionTitle } from '../sessions/session-label.ts'
import { shorten } from '../text/neutralise.ts'

/** The scheme of a session's documents. */
export const SESSION_SCHEME = 'cairn-session'

/**
 * The folder in the address. The package's manifest assigns the language by it, and the editor shows it before the
 * title.
 */
const FOLDER = 'Cairn sessions'
const LONGEST_NAME = 60

/** The parts of a session's address. */
export interface SessionAddress {
  readonly scheme: typeof SESSION_SCHEME
  readonly path: string
  readonly query: string
}

/**
 * Returns the parts of the document's address. Separators in the title are replaced by blanks, as the editor shows only
 * what follows the last one; a title with nothing left is `session`.
 */
export const sessionAddress = (session: Pick<SessionSummary, 'id' | 'title' | 'externalId'>): SessionAddress => {
  const name = shorten(
    sessionTitle(session)
      .replace(/[\\/:*?"<>|#%]+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    LONGEST_NAME,
  )
  return { scheme: SESSION_SCHEME, path: `/${FOLDER}/${/^\.*$/.test(name) ? 'session' : name}`, query: session.id }
}
