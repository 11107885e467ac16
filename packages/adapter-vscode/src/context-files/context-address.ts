/** The address of a file's text as a session's agent knew it last. */
import type { AddressParts } from '../checkpoints/checkpoint-address.ts'

export const KNOWN_SCHEME = 'cairn-known'
/** Of entries of the tree, which are marked by it; nothing is opened there. */
export const CONTEXT_SCHEME = 'cairn-context'

/** The parts of the address. `at`: when the agent knew it, ms; null where the log has no time. Another time is another text. */
export const knownAddress = (sessionId: string, path: string, at: number | null): AddressParts => ({
  scheme: KNOWN_SCHEME,
  path: `/${path.replace(/^\/+/, '')}`,
  query: new URLSearchParams({ session: sessionId, file: path, at: at === null ? '' : String(at) }).toString(),
})

/** The session and file that an address names; undefined for any other. */
export const knownFileOf = (query: string): { readonly sessionId: string; readonly path: string } | undefined => {
  const values = new URLSearchParams(query)
  const [sessionId, path] = [values.get('session'), values.get('file')]
  return sessionId === null || path === null ? undefined : { sessionId, path }
}
