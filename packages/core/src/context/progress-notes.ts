/** The notes of where the work stood before each trim of a session, to be read afterwards. */
import { isJsonObject } from '../json.ts'
import type { CompactionEntry, LogEntry, MessageEntry, RewriteEntry } from '../session-log.ts'
import { liveEntries } from '../session/live-entries.ts'
import { todoList } from '../session/todo.ts'
import { findCurrentTask } from '../summary/conversation.ts'
import { progressNote, listRecentToolCalls } from '../summary/progress-note.ts'
import { createRequestCount } from './request-count.ts'

export interface NoteBeforeTrim {
  /** The trim's entry in the log. */
  readonly seq: number
  readonly at: number | null
  /** The policy that trimmed; `agent` for a compaction of the recorded agent's own. */
  readonly by: string
  /** `written` when the trim was made, or `derived` from the log, as agents write none. */
  readonly origin: 'written' | 'derived'
  /** Markdown. */
  readonly text: string
}

/**
 * The progress notes of a log, oldest first: those that a policy wrote into its rewrites (`written`), and one made from
 * the log for each compaction of the agent's own (`derived`). Rewrites without a note have none. Partial compactions
 * have none, either.
 */
export const notesBeforeTrims = (entries: readonly LogEntry[]): readonly NoteBeforeTrim[] =>
  entries.flatMap((entry, index): readonly NoteBeforeTrim[] => {
    if (entry.kind === 'rewrite') {
      const text = noteIn(entry)
      return text === undefined ? [] : [{ seq: entry.seq, at: entry.at, by: entry.policy, origin: 'written', text }]
    }
    if (entry.kind !== 'compaction' || entry.partial === true) return []
    const text = noteAt(entry, entries.slice(0, index))
    return [{ seq: entry.seq, at: entry.at, by: 'agent', origin: 'derived', text }]
  })

const noteIn = ({ metadata }: RewriteEntry): string | undefined =>
  metadata !== undefined && isJsonObject(metadata) && typeof metadata.note === 'string' ? metadata.note : undefined

/** Calls that are listed lie among so many messages at the end. */
const NEWEST_MESSAGES = 100

/**
 * The progress note for an agent's compaction, from the log before it; its time is that of the newest message if
 * unknown.
 */
const noteAt = ({ at, trigger }: CompactionEntry, before: readonly LogEntry[]): string => {
  const messages = liveEntries(before).filter(
    (entry): entry is MessageEntry => entry.kind === 'message' && entry.subagent === undefined,
  )
  const task = findCurrentTask(messages)
  return progressNote({
    at: at ?? messages.findLast((message) => message.at !== null)?.at ?? null,
    ...(task === undefined ? {} : { task }),
    todo: todoList(before),
    recentToolCalls: listRecentToolCalls(messages.slice(-NEWEST_MESSAGES)),
    requests: requestsIn(messages),
    reason: `the agent compacted the conversation (${trigger})`,
  })
}

/** The number of requests, counted as everywhere. */
const requestsIn = (messages: readonly MessageEntry[]): number => {
  const count = createRequestCount()
  for (const message of messages) count.take(message)
  return count.requests
}
