/** What only the whole log of a session says: where it was compacted, which subagents it had, what it did with files. */
import { createFileActivity } from '@cairn/core'
import type { EntryKind, SessionFiles, SessionStorage } from '@cairn/core'
import { createTaskFold } from './task-view.ts'
import type { TaskView } from './task-view.ts'

export interface CompactionMark {
  readonly seq: number
  readonly at: number | null
  readonly trigger: string
}

/** A subagent, and the entry where it begins. */
interface SubagentMark {
  readonly name: string
  readonly seq: number
}

export interface SessionOutline {
  readonly compactions: readonly CompactionMark[]
  /** In the order of their first entries. */
  readonly subagents: readonly SubagentMark[]
  readonly files: SessionFiles
  readonly task: TaskView
}

/** The kinds that are read: files come from messages and compactions, the task from all of them. */
const KINDS: readonly EntryKind[] = ['message', 'compaction', 'file', 'checkpoint', 'todo', 'truncation']

/** Entries that are held at once. */
const AT_ONCE = 500

/**
 * Reads a session’s log once, for its files, compactions, subagents and task, in steps between which other work goes
 * on; an unknown session has nothing of it. Rejects as the store does.
 */
export const readOutline = async (
  sessions: Pick<SessionStorage, 'read'>,
  id: string,
  workspace: string | null,
): Promise<SessionOutline> => {
  const activity = workspace === null ? createFileActivity() : createFileActivity(workspace)
  const task = await createTaskFold(sessions, id)
  const compactions: CompactionMark[] = []
  const subagents = new Map<string, number>()
  for (let fromSeq = 0; ;) {
    const entries = await sessions.read(id, { fromSeq, limit: AT_ONCE, kinds: KINDS })
    const last = entries.at(-1)
    if (last === undefined) break
    for (const entry of entries) {
      task.step(entry)
      if (entry.kind === 'message' || entry.kind === 'compaction') activity.step(entry)
      if (entry.kind === 'compaction') compactions.push({ seq: entry.seq, at: entry.at, trigger: entry.trigger })
      else if (entry.kind === 'message' && entry.subagent !== undefined && !subagents.has(entry.subagent))
        subagents.set(entry.subagent, entry.seq)
    }
    fromSeq = last.seq + 1
    // Other pages are answered in between.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    compactions,
    subagents: [...subagents].map(([name, seq]) => ({ name, seq })),
    files: activity.result(),
    task: task.view(),
  }
}

/**
 * A function that gives a session's outline, and keeps the last `most` of them by session and length: a log only ever
 * grows, so the same length is the same log. One that can't be read is not kept.
 */
export const createOutlines = (
  most = 16,
): ((
  sessions: Pick<SessionStorage, 'read'>,
  session: {
    readonly id: string
    readonly entries: number
    readonly workspace: string | null
    readonly updatedAt: number | null
  },
) => Promise<SessionOutline>) => {
  const known = new Map<string, Promise<SessionOutline>>()
  return (sessions, { id, entries, workspace, updatedAt }) => {
    const key = JSON.stringify([id, entries, updatedAt, workspace])
    const found = known.get(key)
    if (found !== undefined) return found
    const made = readOutline(sessions, id, workspace)
    known.set(key, made)
    made.catch(() => known.delete(key))
    const oldest = known.keys().next().value
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return made
  }
}
