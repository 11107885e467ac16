/** What the user narrows the list of sessions to: words of the title, and `agent:` and `project:` before names. */
import type { SessionQuery } from '@cairn/core'

export type SessionFilter = Pick<SessionQuery, 'agent' | 'workspace' | 'text'>

/** Names with spaces stand in quotes: `project:"my shop"`. */
const NAMED = /(?:^|\s)(agent|project):(?:"([^"]*)"|(\S+))/gi

/** The filter of a text; undefined when it narrows nothing. */
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
