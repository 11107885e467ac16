/**
 * What an agent gets back after it compacted its conversation: its current request verbatim, the todo list, what the
 * older part was about, the files in progress, and the project's notes. All of it comes from the log, which a
 * compaction does not change.
 */
import { sessionArchive } from '../archive/session-archive.ts'
import type { NoteStorage } from '../ports/note-storage.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import type { LogEntry } from '../session-log.ts'
import { liveEntries } from '../session/live-entries.ts'
import { todoList } from '../session/todo.ts'
import { recoveryContext } from '../summary/recovery-context.ts'
import type { RecoveryState } from '../summary/recovery-context.ts'
import { isRequest, userAuthoredText } from '../user-words/user-words.ts'
import type { OutputLimit } from './hook-output.ts'
import { fits } from './start-context.ts'

interface CompactionSources {
  readonly sessions: Pick<SessionStorage, 'read'>
  readonly notes: Pick<NoteStorage, 'list'>
}

interface CompactionRequest {
  /** The session's id in the store. */
  readonly sessionId: string
  readonly workspace: string
  readonly limit: OutputLimit
}

/** Maximum number of log entries read, from the end; a session may run for weeks. */
const ENTRIES_READ = 4_000
const TASK_CHARACTERS = 3_000
const NOTES_SHOWN = 5
const SUMMARY_SIZES = [6_000, 4_000, 2_500, 1_200, 400] as const

/**
 * The text that a hook gives an agent after its context was compacted: the user's newest request, the todo list, a
 * summary of what was before, and the first notes; to fit the limit the summary gets shorter, then it and the notes go.
 * Empty if the store does not have the session or a request in it, or if not even the shortest form fits. Only the last
 * `ENTRIES_READ` of the `entryCount` entries are read. Rejects as the store does.
 */
export const compactionContext = async (
  { sessions, notes }: CompactionSources,
  { sessionId, workspace, limit }: CompactionRequest,
  entryCount: number,
): Promise<string> => {
  const log = await sessions.read(sessionId, { fromSeq: Math.max(0, entryCount - ENTRIES_READ) })
  const task = newestRequest(log)
  if (task === undefined) return ''
  const state: RecoveryState = {
    summary: sessionArchive(log, sessionId).merged,
    task: task.length > TASK_CHARACTERS ? `${task.slice(0, TASK_CHARACTERS).toWellFormed()} …` : task,
    todo: todoList(log),
    notes: (await notes.list(workspace)).slice(0, NOTES_SHOWN).map(({ key, text }) => ({ key, text })),
  }
  for (const maxSummaryCharacters of SUMMARY_SIZES) {
    const text = recoveryContext({ ...state, maxSummaryCharacters })
    if (fits(text, limit)) return text
  }
  const shortest = recoveryContext({ ...state, notes: [], maxSummaryCharacters: 0 })
  return fits(shortest, limit) ? shortest : ''
}

/**
 * The user's text in the newest message of the main conversation that asks for something; undefined if none does.
 * Rewound messages don't count.
 */
const newestRequest = (log: readonly LogEntry[]): string | undefined => {
  for (const entry of liveEntries(log).toReversed()) {
    if (entry.kind !== 'message' || entry.subagent !== undefined) continue
    const words = userAuthoredText(entry)
    if (words !== undefined && isRequest(words)) return words
  }
  return undefined
}
