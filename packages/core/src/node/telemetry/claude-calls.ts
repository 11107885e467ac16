/**
 * The requests of Claude Code's transcripts by the provider's ids of them. An import counts a request by its reply's id, which
 * telemetry does not tell; the transcript has both.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { claudeCodeImporter } from '../../importers/claude-code.ts'
import type { FileParser } from '../../importers/importer.ts'
import { isJsonObject, parseJson, stringOf } from '../../json.ts'
import type { Hasher } from '../../ports/hasher.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { readNewLines } from '../new-lines.ts'

/** Files that are followed at once. */
const MOST_FILES = 50

/** A transcript as far as it was read. */
interface FollowedFile {
  readonly parser: FileParser
  /** Requests by the provider's ids. */
  readonly requests: Map<string, RequestFact>
  offset: number
  line: number
}

export interface ClaudeCalls {
  /**
   * The request as an import of the session's transcript, or of its subagents', has it; undefined where it is not written
   * there (yet). Never rejects.
   */
  find(transcript: string, requestId: string): Promise<RequestFact | undefined>
}

export const createClaudeCalls = (hasher: Hasher): ClaudeCalls => {
  const files = new Map<string, FollowedFile>()
  const fileAt = (path: string): FollowedFile => {
    const known = files.get(path) ?? {
      parser: claudeCodeImporter.parser({ path, hasher }),
      requests: new Map(),
      offset: 0,
      line: 0,
    }
    files.delete(path)
    files.set(path, known)
    for (const oldest of files.keys()) {
      if (files.size <= MOST_FILES) break
      files.delete(oldest)
    }
    return known
  }
  return {
    find: async (transcript, requestId) => {
      for (const path of [transcript, ...(await subagentFiles(transcript))]) {
        const file = fileAt(path)
        await readOn(path, file).catch(() => undefined)
        const found = file.requests.get(requestId)
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

const subagentFiles = async (transcript: string): Promise<readonly string[]> => {
  const folder = join(transcript.replace(/\.jsonl$/, ''), 'subagents')
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name))
}

const readOn = async (path: string, file: FollowedFile): Promise<void> => {
  const { lines, offset } = await readNewLines(path, file.offset)
  file.offset = offset
  for (const text of lines) {
    const line = parseJson(text)?.value
    file.line += 1
    if (!isJsonObject(line)) continue
    const { entries } = file.parser.parse(line, { number: file.line, identity: () => `line-${file.line}` })
    const requestId = stringOf(line.requestId)
    const fact = entries.find(({ request }) => request !== undefined)?.request
    if (requestId !== undefined && fact !== undefined) file.requests.set(requestId, fact)
  }
}
