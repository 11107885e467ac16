/** The filter that the user types: words of the title, and names after `agent:` and `project:`. */
import type { SessionQuery } from '@cairn/core'

/** Which sessions are shown. */
export type SessionFilter = Pick<SessionQuery, 'agent' | 'workspace' | 'text'>

/** Names with spaces are quoted: `project:"my shop"`. */
const NAMED = /(?:^|\s)(agent|project):(?:"([^"]*)"|(\S+))/gi

/**
 * Returns the filter that a typed text means: `agent:` and `project:`, each with a name or a quoted text (the last one
 * counts), and words of the title. Undefined if it excludes nothing.
 */
export const parseFilter = (typed: string): SessionFilter | undefined => {
  const found = new Map(
    [...typed.matchAll(NAMED)].map(([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare ?? '']),
  )
  const text = typed.replace(NAMED, ' ').replace(/\s+/g, ' ').trim()
  const agent = found.get('agent') ?? ''
  const workspace = found.get('project') ?? ''
  if (text === '' && agent === '' && workspace === '') return undefined
  return {
    ...(agent === '' ? {} : { agent }),
    ...(workspace === '' ? {} : { workspace }),
    ...(text === '' ? {} : { text }),
  }
}
