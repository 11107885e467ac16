/** Which files a session has seen, and with which content: nothing is changed that the model does not know. */
import { statSync } from 'node:fs'
import { fileTimes } from '../../agent/tools/file-times.ts'
import type { LogEntry } from '../../session-log.ts'
import type { WorkspacePaths } from './workspace-paths.ts'
import { hashOf } from './write-regular.ts'

/** The log of a session that another process may have begun. */
export type SessionEntries = (sessionId: string) => Promise<readonly LogEntry[]>

type Sight = 'seen' | 'changed' | 'unseen'

export interface SeenFiles {
  /** The model has been given the file, or has made it. */
  note(sessionId: string, real: string, content: Uint8Array): void
  /** Whether the session has seen this content. Rejects as `entries` does. */
  sightOf(sessionId: string, real: string, content: Uint8Array): Promise<Sight>
}

interface Session {
  /** By real path: the content's hash. */
  readonly hashes: Map<string, string>
  /** By real path: when the log has it read or changed, ms. */
  readonly times: Promise<ReadonlyMap<string, number>>
}

/**
 * Keeps which content of each file a session has seen. A file that this process did not give is `seen` where the
 * session's log (`entries`) has it read or changed after its last change on disk; without `entries`, or in no log, it
 * is `unseen`. `changed`: it was seen with another content.
 */
export const createSeenFiles = (paths: WorkspacePaths, entries?: SessionEntries): SeenFiles => {
  const sessions = new Map<string, Session>()
  const sessionOf = (id: string): Session => {
    const session = sessions.get(id) ?? { hashes: new Map<string, string>(), times: timesOf(paths, entries, id) }
    sessions.set(id, session)
    return session
  }
  return {
    note: (sessionId, real, content) => void sessionOf(sessionId).hashes.set(real, hashOf(content)),
    /** Whether the session has seen just this content: by what this process gave, else by the log's times. */
    sightOf: async (sessionId, real, content) => {
      const { hashes, times } = sessionOf(sessionId)
      const known = hashes.get(real)
      if (known !== undefined) return known === hashOf(content) ? 'seen' : 'changed'
      const at = (await times).get(real)
      if (at === undefined) return 'unseen'
      // The time of the last change of content or name is the system's, and no program sets it. The log has whole ms.
      const changedAt = Math.floor(statSync(real, { throwIfNoEntry: false })?.ctimeMs ?? Infinity)
      return changedAt <= at ? 'seen' : 'changed'
    },
  }
}

/**
 * When the session last read or wrote each file, in ms by real path, from its log; without a log empty. Names in the
 * log that are no path here are left out.
 */
const timesOf = async (
  paths: WorkspacePaths,
  entries: SessionEntries | undefined,
  sessionId: string,
): Promise<ReadonlyMap<string, number>> => {
  const byRealPath = new Map<string, number>()
  if (entries === undefined) return byRealPath
  for (const [path, at] of fileTimes(await entries(sessionId))) {
    try {
      byRealPath.set((await paths.locate(path)).real, at)
    } catch {
      // The text is no path here: no file of this name was ever given.
    }
  }
  return byRealPath
}
