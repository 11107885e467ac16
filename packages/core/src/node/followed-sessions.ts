/** Transcripts that agents are still writing, read on as an import would read them; of the sessions that were asked for last. */
import type { FileParser, Importer } from '../importers/importer.ts'
import { isJsonObject, parseJson, type JsonObject } from '../json.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import { readNewLines } from './new-lines.ts'

const MOST_SESSIONS = 50

/** A session's files as far as they were read. */
export interface FollowedSession<Known> {
  /** What was taken from them. */
  readonly known: Known
  /**
   * Takes the whole lines that have come in these files since. One call at a time. Never rejects: what can't be read has
   * none.
   */
  readOn(paths: readonly string[]): Promise<void>
}

interface Reading<Known> {
  readonly importer: Pick<Importer, 'parser'>
  readonly hasher: Hasher
  /** What is known of a session before its first line. */
  readonly begin: () => Known
  /** Takes a line, and the requests that it tells of, in its order. */
  readonly take: (known: Known, line: JsonObject, requests: readonly RequestFact[]) => void
}

/**
 * Gives the session of a transcript's path, a new one at first. The path is only its key: nothing is read until
 * `readOn`, which takes the paths to read, this one too. The 50 sessions asked for last are kept; one that was dropped
 * is read again from its first line when it is asked for.
 */
export const createFollowedSessions = <Known>(
  reading: Reading<Known>,
): ((transcript: string) => FollowedSession<Known>) => {
  const sessions = new Map<string, FollowedSession<Known>>()
  return (transcript) => {
    const session = sessions.get(transcript) ?? followedSession(reading)
    sessions.delete(transcript)
    sessions.set(transcript, session)
    for (const oldest of sessions.keys()) {
      if (sessions.size <= MOST_SESSIONS) break
      sessions.delete(oldest)
    }
    return session
  }
}

interface FollowedFile {
  readonly parser: FileParser
  offset: number
  line: number
}

/**
 * Follows a session's files: `readOn` gives the whole lines written since, each once, to `take`, which puts them into
 * `known`; lines that are no JSON object are left out. A file that can't be read is tried again next time; never
 * rejects.
 */
const followedSession = <Known>({ importer, hasher, begin, take }: Reading<Known>): FollowedSession<Known> => {
  const known = begin()
  const files = new Map<string, FollowedFile>()
  /** Gives each JSON line that a file got since the last call to `take`, with the requests in it, often none. */
  const readFile = async (path: string): Promise<void> => {
    const file = files.get(path) ?? { parser: importer.parser({ path, hasher }), offset: 0, line: 0 }
    files.set(path, file)
    const { lines, offset } = await readNewLines(path, file.offset)
    file.offset = offset
    for (const text of lines) {
      const line = parseJson(text)?.value
      file.line += 1
      if (!isJsonObject(line)) continue
      const { entries } = file.parser.parse(line, { number: file.line, identity: () => `line-${file.line}` })
      const requests = entries.flatMap(({ request }) => request ?? [])
      take(known, line, requests)
    }
  }
  return {
    known,
    readOn: async (paths) => {
      for (const path of paths) await readFile(path).catch(() => undefined)
    },
  }
}
