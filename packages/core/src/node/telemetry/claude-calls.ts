/**
 * The requests of Claude Code's transcripts by the provider's ids of them. An import counts a request by its reply's id, which
 * telemetry does not tell; the transcript has both.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { claudeCodeImporter } from '../../importers/claude-code.ts'
import { stringOf } from '../../json.ts'
import type { Hasher } from '../../ports/hasher.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { createFollowedSessions } from '../followed-sessions.ts'

export interface ClaudeCalls {
  /**
   * The request as an import of the session's transcript, or of its subagents', has it; undefined where it is not written
   * there (yet). One call at a time. Never rejects.
   */
  find(transcript: string, requestId: string): Promise<RequestFact | undefined>
}

/**
 * Finds requests in Claude Code's transcripts. `find` reads on in the transcript, then in its subagents' files, and
 * gives undefined if none has the request.
 */
export const createClaudeCalls = (hasher: Hasher): ClaudeCalls => {
  const sessionOf = createFollowedSessions({
    importer: claudeCodeImporter,
    hasher,
    begin: () => new Map<string, RequestFact>(),
    take: (requests, line, [fact]) => {
      const requestId = stringOf(line.requestId)
      if (requestId !== undefined && fact !== undefined) requests.set(requestId, fact)
    },
  })
  return {
    /** The request with this id of the provider's; reads on in the transcript, then in those of its subagents. */
    find: async (transcript, requestId) => {
      const session = sessionOf(transcript)
      const { known } = session
      if (!known.has(requestId)) await session.readOn([transcript])
      // There may be hundreds of these.
      if (!known.has(requestId)) await session.readOn(await subagentFiles(transcript))
      return known.get(requestId)
    },
  }
}

/** The transcripts of a session's subagents; empty if it has none. A folder that can't be read counts as empty. */
const subagentFiles = async (transcript: string): Promise<readonly string[]> => {
  const folder = join(transcript.replace(/\.jsonl$/, ''), 'subagents')
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name))
}
