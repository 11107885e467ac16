/** The address of a file's text as a session's agent knew it last. */
import type { AddressParts } from '../checkpoints/checkpoint-address.ts'

/** The scheme of documents that show files as an agent knew them. */
export const KNOWN_SCHEME = 'cairn-known'
/** Of entries of the tree, which are marked by it; nothing is opened there. */
export const CONTEXT_SCHEME = 'cairn-context'

/**
 * Returns the address of a file as a session's agent knew it. `at`: when it knew it, ms; null if the log has no time.
 * Another time makes another document.
 */
export const knownAddress = (sessionId: string, path: string, at: number | null): AddressParts => ({
  scheme: KNOWN_SCHEME,
  path: `/${path.replace(/^\/+/, '')}`,
  query: new URLSearchParams({ session: sessionId, file: path, at: at === null ? '' : String(at) }).toString(),
})

/** Returns the session and file that an address's query names; undefined for any other query. */
export const knownFileOf = (query: string): { readonly sessionId: string; readonly path: string } | undefined => {
  const values = new URLSearchParams(query)
  const [sessionId, path] = [values.get('session'), values.get('file')]
  return sessionId === null || path === null ? undefined : { sessionId, path }
}
