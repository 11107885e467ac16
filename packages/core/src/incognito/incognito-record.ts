/**
 * Sessions that nothing may keep, now or later. The record is a file of the user's data folder, a JSON object a line, to
 * which lines are only ever added: a hook writes it without a store, and every import reads it, whichever program runs it.
 */
import { dataFolderOf, type DataFolderInput } from '../data-folder.ts'
import { isJsonObject, stringOf } from '../json.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { SessionFacts } from '../ports/session-storage.ts'

export interface IncognitoSession {
  /** As importers name it. */
  readonly agent: string
  /** The agent's own id. */
  readonly session: string
}

export const INCOGNITO_FILE = 'incognito.jsonl'
/** Why an import left something out. */
export const INCOGNITO = 'incognito'

/** Shorter ids could be part of a path by chance. */
const SHORTEST_ID_IN_PATH = 8

export interface IncognitoRecord {
  /** How many sessions are marked. */
  readonly size: () => number
  /** Marks one more, here alone: the file stays as it is. */
  readonly add: (session: IncognitoSession) => void
  /** Whether exactly this session is marked, by its agent and the agent's own id. */
  readonly has: (agent: string, session: string) => boolean
  /**
   * The id of a marked session of the agent that a transcript's path names, by the file's own name or by a folder's;
   * undefined if it names none.
   */
  readonly inPath: (agent: string, path: string) => string | undefined
  /** Whether a session, or the one that it was forked from, is marked. */
  readonly covers: (facts: Pick<SessionFacts, 'agent' | 'externalId' | 'forkedFrom'>) => boolean
}

/** The path of the record of incognito sessions, in the data folder; whether it exists is not asked. */
export const incognitoPath = (environment: DataFolderInput): string =>
  `${dataFolderOf(environment)}${environment.platform === 'win32' ? '\\' : '/'}${INCOGNITO_FILE}`

/**
 * The line that marks a session, since `at` (ms); it begins with a line end, so that a line that was cut off before it
 * stays alone.
 */
export const incognitoLine = ({ agent, session }: IncognitoSession, at: number): string =>
  `\n${JSON.stringify({ agent, session, at })}\n`

/**
 * Reads a record. Lines that can't be read mark nothing; ids are compared without regard to case where they are UUIDs.
 * `inPath` finds the marked session that a transcript's path names, `covers` also takes a fork of one.
 */
export const parseIncognito = (text: string): IncognitoRecord => {
  const byAgent = new Map<string, Set<string>>()
  const add = ({ agent, session }: IncognitoSession): void => {
    const sessions = byAgent.get(agent) ?? new Set()
    byAgent.set(agent, sessions.add(comparable(session)))
  }
  for (const line of text.split('\n')) {
    const marked = parseLine(line)
    if (marked !== undefined) add(marked)
  }
  const has = (agent: string, session: string): boolean => byAgent.get(agent)?.has(comparable(session)) === true
  return {
    size: () => [...byAgent.values()].reduce((sum, sessions) => sum + sessions.size, 0),
    add,
    has,
    inPath: (agent, path) => {
      const sessions = byAgent.get(agent)
      if (sessions === undefined) return undefined
      return idsInPath(path).find((id) => sessions.has(comparable(id))) ?? markedBeginning(path, sessions)
    },
    covers: ({ agent, externalId, forkedFrom }) =>
      has(agent, externalId) ||
      (forkedFrom?.startsWith(`${agent}:`) === true && has(agent, forkedFrom.slice(agent.length + 1))),
  }
}

/**
 * The record of a user; an empty one where there is no file. @throws what the file system throws for one that is there
 * and can't be read: nothing may be imported then
 */
export const readIncognito = async (
  fileSystem: Pick<FileSystem, 'readText'>,
  environment: DataFolderInput,
): Promise<IncognitoRecord> => parseIncognito((await fileSystem.readText(incognitoPath(environment))) ?? '')

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const WHOLE_UUID = new RegExp(`^${UUID.source}$`, 'i')

/** Whether an id is a UUID, in lower or upper case. */
export const isUuid = (id: string): boolean => WHOLE_UUID.test(id)

/** UUIDs are the same in capital letters; other ids are not. */
const comparable = (id: string): string => (isUuid(id) ? id.toLowerCase() : id)

/** The session that a line marks; undefined for an empty or damaged line. */
const parseLine = (line: string): IncognitoSession | undefined => {
  if (line.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(line)
    if (!isJsonObject(value)) return undefined
    const [agent, session] = [stringOf(value['agent']), stringOf(value['session'])]
    return agent === undefined || session === undefined ? undefined : { agent, session }
  } catch {
    return undefined
  }
}

/** Gemini CLI names a file by its time and the first eight characters of the session's id. */
const NAMED_BY_BEGINNING = /[/\\]session-\d{4}-\d\d-\d\dT\d\d-\d\d-([0-9a-f]{8})\.jsonl?(?:\.gz|\.zst)?$/

/** The marked session whose id begins as the name of a file does that holds only a beginning; undefined without one. */
const markedBeginning = (path: string, sessions: ReadonlySet<string>): string | undefined => {
  const beginning = NAMED_BY_BEGINNING.exec(path)?.[1]
  return beginning === undefined ? undefined : [...sessions].find((id) => isUuid(id) && id.startsWith(beginning))
}

/**
 * What in a path may be a session's id: whole names of files and folders, and UUIDs within them. Short names are left
 * out.
 */
const idsInPath = (path: string): readonly string[] =>
  path.split(/[/\\]+/).flatMap((part) => {
    const name = part.replace(/\.(?:gz|zst)$/, '').replace(/\.jsonl?$/, '')
    return [name, ...(name.match(UUID) ?? [])].filter((id) => id.length >= SHORTEST_ID_IN_PATH)
  })
