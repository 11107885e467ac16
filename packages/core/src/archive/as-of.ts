/**
 * A session, and what was known beside it, as of a time. The log's entries are found by binary search over their times
 * (`session/replay`); memory and notes keep their versions.
 */
import { CairnError } from '../errors.ts'
import { assertName, shownValue } from '../input.ts'
import type { MemoryEntry, MemoryStorage } from '../ports/memory-storage.ts'
import type { Note, NoteStorage } from '../ports/note-storage.ts'
import type { SessionStorage } from '../ports/session-storage.ts'
import type { LogEntry, TodoItem } from '../session-log.ts'
import { createDisplayStream, type DisplayStream } from '../session/display-stream.ts'
import { modelHistory, type ModelMessage } from '../session/model-history.ts'
import { createTimeIndex, entriesAt } from '../session/time-index.ts'
import { todoList } from '../session/todo.ts'
import { fileActivity, type SessionFiles } from '../file-activity/file-activity.ts'

/** The parts of a store that it is asked of. */
export interface AsOfSources {
  readonly sessions: Pick<SessionStorage, 'get' | 'read'>
  readonly memory: Pick<MemoryStorage, 'list'>
  readonly notes: Pick<NoteStorage, 'list'>
}

export interface SessionAsOf {
  /** ms. */
  readonly at: number
  /** The log's entries that there were, in its order; one of that very time included. */
  readonly entries: readonly LogEntry[]
  /** What a person saw. */
  readonly display: DisplayStream
  /** What the model would have been sent. */
  readonly history: readonly ModelMessage[]
  /** Files that had been read and edited. */
  readonly files: SessionFiles
  readonly todo: readonly TodoItem[]
  /** Of the session's workspace; none for a session without one. */
  readonly memory: readonly MemoryEntry[]
  readonly notes: readonly Note[]
}

/**
 * Everything about a session as of a time (ms since the epoch). Memory and notes are empty for a session without a
 * workspace. Without an entry up to then, the log, display and history are empty.
 * @throws CairnError `not-found` for a session that is not there, `invalid-input` for a time that is none.
 */
export const sessionAsOf = async (
  { sessions, memory, notes }: AsOfSources,
  sessionId: string,
  at: number,
): Promise<SessionAsOf> => {
  assertName(sessionId, "The session's id")
  if (typeof at !== 'number' || Number.isNaN(at))
    throw new CairnError('invalid-input', 'The time must be a number of milliseconds since 1970.')
  const session = await sessions.get(sessionId)
  if (session === undefined)
    throw new CairnError('not-found', `There is no session with the id ${shownValue(sessionId)}.`)
  const { workspace } = session
  const [log, entriesOfMemory, itsNotes] = await Promise.all([
    sessions.read(sessionId),
    workspace === null ? [] : memory.list(workspace, { asOf: at }),
    workspace === null ? [] : notes.list(workspace, at),
  ])
  const entries = entriesAt(createTimeIndex(log).index, at)
  const display = createDisplayStream()
  for (const entry of entries) display.step(entry)
  return {
    at,
    entries,
    display,
    history: modelHistory(entries),
    files: fileActivity(entries, workspace ?? undefined),
    todo: todoList(entries),
    memory: entriesOfMemory,
    notes: itsNotes,
  }
}
