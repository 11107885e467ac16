/** Which session something that imports left out belongs to. */
import type { ImportSkip, ImportStorage, SessionStorage } from '@cairn/core'

/** What was left out, with the session whose transcript it stood in; null where the path names none. */
export interface SkipRow extends ImportSkip {
  readonly sessionId: string | null
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/**
 * What in a path may be the agent's id of a session, the name of the file first. UUIDs anywhere in it, and the file's
 * name without its ending.
 */
const idsIn = (path: string): readonly string[] => {
  const parts = path.split(/[\\/]/).toReversed()
  const [file = ''] = parts
  return [...new Set([file.replace(/\.\w+$/, ''), ...parts.flatMap((part) => part.match(UUID) ?? [])])]
}

/**
 * Returns each with the id of the session that its path names; null if it names none in the store. Rejects as the store
 * does.
 */
export const withSessions = async (
  skips: readonly ImportSkip[],
  store: { readonly imports: Pick<ImportStorage, 'file'>; readonly sessions: Pick<SessionStorage, 'get'> },
): Promise<readonly SkipRow[]> => {
  const sessionOf = async (path: string): Promise<string | null> => {
    const agent = (await store.imports.file(path))?.agent
    if (agent === undefined) return null
    for (const id of idsIn(path)) {
      const session = await store.sessions.get(`${agent}:${id}`)
      if (session !== undefined) return session.id
    }
    return null
  }
  const files = [...new Set(skips.map(({ file }) => file))]
  const found = new Map(await Promise.all(files.map(async (file) => [file, await sessionOf(file)] as const)))
  return skips.map((skip) => ({ ...skip, sessionId: found.get(skip.file) ?? null }))
}
