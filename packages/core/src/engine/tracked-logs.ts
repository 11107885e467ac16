/** Folds over sessions' logs that track files. Folds of frequently requested sessions continue where they stopped. */
import type { Hasher } from '../ports/hasher.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import type { LogEntry } from '../session-log.ts'
import { createCommandRuns } from '../tracking/command-runs.ts'
import type { CommandRuns } from '../tracking/command-runs.ts'
import { createFileTracker } from '../tracking/file-tracker.ts'
import type { FileTracker } from '../tracking/file-tracker.ts'
import { lastKnownOf } from '../watching/compare-file.ts'
import type { FilesOfLog } from './compared-files.ts'

export interface TrackedLog {
  readonly tracker: FileTracker
  readonly commands: CommandRuns
}

export interface TrackedLogs {
  /** The folds over these entries. */
  of(entries: readonly LogEntry[], workspace: string | null): TrackedLog
  /** The folds over a session's current log; for recently followed sessions, only new entries are read. */
  follow(sessionId: string, workspace: string): Promise<TrackedLog>
}

/** Maximum number of followed sessions: folds keep a log's texts, and few sessions are active at the same time. */
const MOST_FOLLOWED = 4

interface Followed extends TrackedLog {
  readonly workspace: string
  nextSeq: number
}

/**
 * Creates folds over the logs of requested sessions, which continue reading where they stopped. The most recently used
 * ones are kept. `of` reads nothing; `follow` starts over when the workspace changed.
 */
export const createTrackedLogs = (sessions: Pick<SessionStorage, 'read'>): TrackedLogs => {
  /** In the order of their use. */
  const followed = new Map<string, Followed>()
  return {
    of: (entries, workspace) => stepped(begin(workspace), entries),
    /**
     * Reads what was added since the last call into the session's folds, and gives them; of the whole log for a session
     * that is not kept, or whose workspace changed. Beyond `MOST_FOLLOWED` the one used longest ago is dropped.
     */
    follow: async (sessionId, workspace) => {
      const former = followed.get(sessionId)
      const log = former?.workspace === workspace ? former : { ...begin(workspace), workspace, nextSeq: 0 }
      followed.delete(sessionId)
      const entries = await sessions.read(sessionId, { fromSeq: log.nextSeq })
      stepped(log, entries)
      log.nextSeq += entries.length
      followed.set(sessionId, log)
      const oldest = followed.size > MOST_FOLLOWED ? followed.keys().next().value : undefined
      if (oldest !== undefined) followed.delete(oldest)
      return log
    },
  }
}

/** The current files of a session according to the folds; a view that later steps change. */
export const filesOfLog = (
  session: Pick<FilesOfLog, 'sessionId' | 'workspace'>,
  { tracker, commands }: TrackedLog,
  hasher: Hasher,
): FilesOfLog => ({
  ...session,
  files: tracker.files(),
  lastKnown: (path) => lastKnownOf(tracker.known(path), hasher),
  commands: commands.runs(),
})

/** Folds over no entries yet; without a workspace paths stay as they are named. */
const begin = (workspace: string | null): TrackedLog => ({
  tracker: createFileTracker(workspace === null ? {} : { workspace }),
  commands: createCommandRuns(),
})

/** Feeds these entries, in order, to the log's folds, and returns the same log. */
const stepped = <Log extends TrackedLog>(log: Log, entries: readonly LogEntry[]): Log => {
  for (const entry of entries) {
    log.tracker.step(entry)
    log.commands.step(entry)
  }
  return log
}
