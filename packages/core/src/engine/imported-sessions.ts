/**
 * After an import, checks the files of active sessions, so that what their agents know of them is recorded, and assigns
 * new folders to projects.
 */
import type { EngineEvent } from '../events.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileSystem } from '../ports/file-system.ts'
import type { Store } from '../ports/store.ts'
import type { EngineFiles } from './files.ts'
import type { ReadTranscript } from '../watching/known-files.ts'

export interface ImportedSessions {
  /**
   * Receives an event of the import; notes the sessions that an imported file added to. Other events are passed over.
   */
  listen(event: EngineEvent): void
  /**
   * Checks the files of the sessions that received something new, of at most eight that have a folder and were active
   * in the last 12 hours; and looks for new projects. Never rejects: the next import checks again.
   */
  observe(): Promise<void>
}

/** A session without anything new for longer is not active. */
const AT_WORK_MS = 12 * 3_600_000
/** Maximum number of sessions checked per import, newest first. */
const MOST_SESSIONS = 8

/**
 * Creates the listener of one import. `observe` looks at the files of the grown sessions that were at work lately, and
 * finds their projects; it never rejects. At most `MOST_SESSIONS` sessions.
 */
export const createImportedSessions = ({
  store,
  clock,
  files,
  fileSystem,
}: {
  readonly store: Pick<Store, 'sessions' | 'imports' | 'projects'>
  readonly clock: Clock
  readonly files: Pick<EngineFiles, 'observe'>
  readonly fileSystem: Pick<FileSystem, 'stat' | 'readText'>
}): ImportedSessions => {
  /** The transcripts from which each session grew. */
  const grown = new Map<string, Set<string>>()

  /** Has a session's files looked at, and notes how far each transcript that it grew from was read. */
  const observeOne = async (sessionId: string): Promise<void> => {
    const read: ReadTranscript[] = []
    for (const path of grown.get(sessionId) ?? []) {
      const file = await store.imports.file(path)
      if (file !== undefined) read.push({ path, bytes: file.cursor.size })
    }
    await files.observe(sessionId, read)
  }
  return {
    listen: (event) => {
      if (event.type !== 'import-file') return
      for (const sessionId of event.sessions) {
        const paths = grown.get(sessionId) ?? new Set()
        grown.set(sessionId, paths.add(event.file))
      }
    },
    /** Does nothing where no session grew; what fails is passed over, with all that would have come after it. */
    observe: async () => {
      if (grown.size === 0) return
      try {
        const { sessions } = await store.sessions.list({ since: clock.now() - AT_WORK_MS })
        const atWork = sessions.filter(({ id, workspace }) => grown.has(id) && workspace !== null)
        for (const { id } of atWork.slice(0, MOST_SESSIONS)) await observeOne(id)
        const { createProjects } = await import('../projects/create-projects.ts')
        await createProjects({ storage: store.projects, fileSystem }).identify()
      } catch {
        // What is imported is kept; what was not looked at is compared with the log's times instead.
      }
    },
  }
}
