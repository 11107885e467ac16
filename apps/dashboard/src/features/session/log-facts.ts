/** What only the whole log of a session says: where it was compacted, which subagents it had, what it is in the middle of. */
import type { EntryKind, LogEntry, SessionStorage } from '@cairn/core'
import { createTaskFold } from './task-view.ts'
import type { TaskFold, TaskView } from './task-view.ts'

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

interface LogFacts {
  readonly compactions: readonly CompactionMark[]
  /** In the order of their first entries. */
  readonly subagents: readonly SubagentMark[]
  readonly task: TaskView
}

/** The kinds that are read: the task comes from all of them. */
const KINDS: readonly EntryKind[] = ['message', 'compaction', 'file', 'checkpoint', 'todo', 'truncation', 'rewind']

/** Entries that are held at once. */
const AT_ONCE = 500
/** Sessions of which the fold stays in memory. */
const MOST_KNOWN = 16

type Sessions = Pick<SessionStorage, 'read'>

/** What was taken of a log so far. */
interface FactsFold {
  readonly task: TaskFold
  readonly compactions: CompactionMark[]
  readonly subagents: Map<string, number>
  /** The entry to go on with. */
  nextSeq: number
}

/** Returns what is known before a log's first entry. Rejects as the store does. */
const beginFold = async (sessions: Sessions, id: string): Promise<FactsFold> => ({
  task: await createTaskFold(sessions, id),
  compactions: [],
  subagents: new Map(),
  nextSeq: 0,
})

/** Takes the log's next entry: entries come once each, in order. */
const step = ({ task, compactions, subagents }: FactsFold, entry: LogEntry): void => {
  task.step(entry)
  if (entry.kind === 'compaction') compactions.push({ seq: entry.seq, at: entry.at, trigger: entry.trigger })
  else if (entry.kind === 'message' && entry.subagent !== undefined && !subagents.has(entry.subagent))
    subagents.set(entry.subagent, entry.seq)
}

/**
 * Reads on to the end of the log; resolves with false if a rewind was found that the fold did not know, so that it has
 * to start again.
 */
const readOn = async (sessions: Sessions, id: string, fold: FactsFold): Promise<boolean> => {
  for (;;) {
    const entries = await sessions.read(id, { fromSeq: fold.nextSeq, limit: AT_ONCE, kinds: KINDS })
    for (const entry of entries) {
      if (entry.kind === 'rewind' && !fold.task.knowsRewind(entry.seq)) return false
      step(fold, entry)
      fold.nextSeq = entry.seq + 1
    }
    if (entries.length < AT_ONCE) return true
    // Other pages are answered in between.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Returns the facts so far. */
const viewOf = ({ task, compactions, subagents }: FactsFold): LogFacts => ({
  compactions: [...compactions],
  subagents: [...subagents].map(([name, seq]) => ({ name, seq })),
  task: task.view(),
})

/** A function that gives the facts of a session: the first time from its whole log, and then from what is new in it. */
type LogFactsReader = (
  sessions: Sessions,
  session: { readonly id: string; readonly entries: number },
) => Promise<LogFacts>

/**
 * Returns a reader of such facts, which reads on from where it was, and keeps the sessions that were used last. One
 * session is read by one at a time. It rejects as the store does, and returns no facts for an unknown session.
 */
export const createLogFacts = (): LogFactsReader => {
  /** In the order of their use. */
  const known = new Map<string, { fold: FactsFold | undefined; reading: Promise<unknown> }>()

  const factsOf = async (sessions: Sessions, id: string, session: { fold: FactsFold | undefined }) => {
    let fold = session.fold ?? (await beginFold(sessions, id))
    // Another rewind may come while the log is read.
    while (!(await readOn(sessions, id, fold))) fold = await beginFold(sessions, id)
    session.fold = fold
    return viewOf(fold)
  }
  let store: Sessions | undefined
  return async (sessions, { id, entries }) => {
    // Another store may have another session of this id.
    if (store !== sessions) known.clear()
    store = sessions
    const before = known.get(id)
    // One that was deleted and begun again is shorter.
    const isOther = before === undefined || (before.fold?.nextSeq ?? 0) > entries
    const session = isOther ? { fold: undefined, reading: Promise.resolve() } : before
    known.delete(id)
    known.set(id, session)
    const oldest = known.keys().next().value
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    const reading = session.reading.then(() => factsOf(sessions, id, session))
    session.reading = reading
    try {
      return await reading
    } catch (error) {
      known.delete(id)
      throw error
    }
  }
}
