/** What a session's log says of its files: which its context holds, what it did with each, and the models it used. */
import { createCommandRuns, createFileActivity, createFileTracker, createModelUses, lastKnownOf } from '@cairn/core'
import type { CommandRun, Hasher, LastKnown, ModelUse, SessionFiles, SessionStorage, TrackedFile } from '@cairn/core'
import { cachedBySession } from '../session/session-cache.ts'
import type { CachedSession } from '../session/session-cache.ts'

/** A file of the context. Its history is left out: of long sessions it is large. */
interface LoggedFile extends TrackedFile {
  readonly history: readonly []
  /** Who changed it besides the agent, each once, in the order of their first change; null: it is not known who. */
  readonly changers: readonly (string | null)[]
  /** The entries that read, edited and mentioned it last, as far as they are among its newest records. */
  readonly lastUses: LastUses
}

/** Numbers of entries, by what was done; absent where none is known. */
export type LastUses = Readonly<Partial<Record<'read' | 'edit' | 'mention', number>>>

/** What a session's log says of files. */
export interface FilesLog {
  /** The file that was touched last comes first. */
  readonly files: readonly LoggedFile[]
  readonly activity: SessionFiles
  /** In the order of the log. */
  readonly models: readonly ModelUse[]
  /** What the session knew last of a file in `files`, by its path. */
  readonly lastKnown: ReadonlyMap<string, LastKnown>
  /** The agent's, oldest first. */
  readonly commands: readonly CommandRun[]
}

/** Entries that are held at once. */
const AT_ONCE = 500

/** Reads a session's log once; other requests are answered in between. `AT_ONCE` entries at a time. */
const readFilesLog = async (
  sessions: Pick<SessionStorage, 'read'>,
  hasher: Hasher,
  { id, workspace }: Pick<CachedSession, 'id' | 'workspace'>,
): Promise<FilesLog> => {
  const tracker = createFileTracker(workspace === null ? {} : { workspace })
  const activity = workspace === null ? createFileActivity() : createFileActivity(workspace)
  const models = createModelUses()
  const commands = createCommandRuns()
  for (let fromSeq = 0; ;) {
    const entries = await sessions.read(id, { fromSeq, limit: AT_ONCE })
    const last = entries.at(-1)
    if (last === undefined) break
    for (const entry of entries) for (const fold of [tracker, activity, models, commands]) fold.step(entry)
    fromSeq = last.seq + 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  const files = tracker.files()
  return {
    files: files.map(loggedFile),
    activity: activity.result(),
    models: models.result(),
    lastKnown: new Map(files.map(({ path }) => [path, lastKnownOf(tracker.known(path), hasher)])),
    commands: commands.runs(),
  }
}

/**
 * Returns a file without its history, with who changed it. `lastUses` is the newest entry by source; `changers` are who
 * changed it from outside, null for unknown.
 */
const loggedFile = ({ history, ...file }: TrackedFile): LoggedFile => ({
  ...file,
  history: [],
  lastUses: Object.fromEntries(
    history.flatMap(({ source, seq }) => (source === 'external-edit' ? [] : [[source, seq]])),
  ),
  changers: [...new Set(history.flatMap(({ source, by }) => (source === 'external-edit' ? [by ?? null] : [])))],
})

/**
 * Returns a function that reads what a session's log says of files. The results of the last 8 sessions are kept until
 * these change.
 */
export const createFilesLogs = (
  hasher: Hasher,
): ((sessions: Pick<SessionStorage, 'read'>, session: CachedSession) => Promise<FilesLog>) =>
  cachedBySession((sessions, session) => readFilesLog(sessions, hasher, session), 8)
