/** Of which sessions an import keeps nothing: those that are marked, and those that the settings make incognito, which it marks. */
import type { DataFolderInput } from '../data-folder.ts'
import { messageOf } from '../errors.ts'
import { INCOGNITO, incognitoLine, incognitoPath, readIncognito } from '../incognito/incognito-record.ts'
import type { IncognitoRecord } from '../incognito/incognito-record.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { SessionFacts, SessionStorage } from '../ports/session-storage.ts'
import { createIncognitoSetting } from './incognito-setting.ts'

export interface IncognitoCheck extends Pick<IncognitoRecord, 'inPath' | 'covers'> {
  /**
   * Whether the settings of a folder that a session works in make it incognito; then it is marked for ever. Where no folder is
   * given, that of the stored session counts. Where none is known only the user's settings do, and nothing is marked: the
   * folder may become known. Rejects where settings don't tell.
   */
  readonly isSetFor: (session: SessionFacts, folder: string | undefined) => Promise<boolean>
  /**
   * Why lines of a session were left out. Deletes the stored session where this import marked it and the store knows no
   * workspace of it: it was taken in before its folder was known.
   */
  readonly reasonFor: (sessionId: string) => Promise<string>
  /** Whether anything was removed. */
  readonly hasRemoved: () => boolean
}

interface IncognitoDeps {
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly sessions: Pick<SessionStorage, 'get' | 'delete'>
}

/**
 * A check that reads the record of incognito sessions once, now, and the settings as they are asked for. Rejects where
 * the record is there and can't be read: any session may then be incognito.
 */
export const createIncognitoCheck = async (
  { fileSystem, clock, sessions }: IncognitoDeps,
  environment: DataFolderInput,
): Promise<IncognitoCheck> => {
  const record = await readIncognito(fileSystem, environment)
  const setting = createIncognitoSetting(fileSystem, environment)
  /** Sessions that this import has marked; where the mark could not be written, with the reason. */
  const marked = new Map<string, string | undefined>()

  const stored = new Map<string, Promise<string | undefined>>()
  let hasRemoved = false

  /** The folder that the store has of a session; undefined for none. Asked once for each session. */
  const storedFolder = (id: string): Promise<string | undefined> => {
    const found = stored.get(id) ?? sessions.get(id).then((session) => session?.workspace ?? undefined)
    stored.set(id, found)
    // Asked again after a failure.
    found.catch(() => stored.delete(id))
    return found
  }

  /**
   * Marks a session as private, for this import at once, and in the file. Why that could not be written is kept in
   * `marked`.
   */
  const mark = async ({ id, agent, externalId: session }: SessionFacts): Promise<void> => {
    record.add({ agent, session })
    try {
      await fileSystem.append(incognitoPath(environment), incognitoLine({ agent, session }, clock.now()))
      marked.set(id, undefined)
    } catch (error) {
      marked.set(id, messageOf(error))
    }
  }

  return {
    hasRemoved: () => hasRemoved,
    inPath: record.inPath,
    covers: record.covers,
    isSetFor: async (session, given) => {
      const folder = given ?? (await storedFolder(session.id))
      if (!(await setting(folder))) return false
      if (folder !== undefined && !record.has(session.agent, session.externalId)) await mark(session)
      return true
    },
    reasonFor: async (sessionId) => {
      const session = await sessions.get(sessionId)
      const problem = marked.get(sessionId)
      const unwritten = problem === undefined ? '' : `; it could not be marked as such: ${problem}`
      if (session === undefined) return `${INCOGNITO}${unwritten}`
      if (marked.has(sessionId) && session.workspace === null) {
        await sessions.delete(sessionId)
        hasRemoved = true
        return `${INCOGNITO}; what was taken in of it before its folder was known has been removed${unwritten}`
      }
      return `${INCOGNITO}; what was taken in before it was marked is still there: cairn session delete ${sessionId} removes it${unwritten}`
    },
  }
}
