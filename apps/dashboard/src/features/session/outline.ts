/** What only the whole log of a session says: where it was compacted, which subagents it had, what it is in the middle of. */
import type { EntryKind, SessionStorage } from '@cairn/core'
import { cachedBySession } from './session-cache.ts'
import type { CachedSession } from './session-cache.ts'
import { createTaskFold } from './task-view.ts'
import type { TaskView } from './task-view.ts'

interface CompactionMark {
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
  readonly task: TaskView
}

/** The kinds that are read: the task comes from all of them. */
const KINDS: readonly EntryKind[] = ['message', 'compaction', 'file', 'checkpoint', 'todo', 'truncation']

/** Entries that are held at once. */
const AT_ONCE = 500

/**
 * Reads a session’s log once, for its compactions, subagents and task, in steps between which other work goes on; an
 * unknown session has nothing of it. Rejects as the store does.
 */
export const readOutline = async (sessions: Pick<SessionStorage, 'read'>, id: string): Promise<SessionOutline> => {
  const task = await createTaskFold(sessions, id)
  const compactions: CompactionMark[] = []
  const subagents = new Map<string, number>()
  for (let fromSeq = 0; ;) {
    const entries = await sessions.read(id, { fromSeq, limit: AT_ONCE, kinds: KINDS })
    const last = entries.at(-1)
    if (last === undefined) break
    for (const entry of entries) {
      task.step(entry)
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
    task: task.view(),
  }
}

/**
 * A function that gives a session's outline ({@link readOutline}), and keeps those of the last 16 sessions until they
 * change.
 */
export const createOutlines = (): ((
  sessions: Pick<SessionStorage, 'read'>,
  session: CachedSession,
) => Promise<SessionOutline>) => cachedBySession((sessions, { id }) => readOutline(sessions, id), 16)
