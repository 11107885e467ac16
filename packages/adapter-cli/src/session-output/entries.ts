/** Reads a session's log in pages, so that a long one does not lie in memory whole. */
import type { Engine, LogEntry } from '@cairn/core'

const PAGE = 200

/** Every entry in order. */
export async function* eachEntry(sessionId: string, engine: Pick<Engine, 'store'>): AsyncGenerator<LogEntry> {
  for (let fromSeq = 0; ;) {
    const entries = await engine.store.sessions.read(sessionId, { fromSeq, limit: PAGE })
    yield* entries
    const last = entries.at(-1)
    if (last === undefined || entries.length < PAGE) return
    fromSeq = last.seq + 1
  }
}

/** A command's result is looked for among so many entries behind its call. */
const FOLLOWING = 40

/** Each entry with those that follow it, as far as results of its calls are looked for. */
export async function* withFollowing(
  entries: Iterable<LogEntry> | AsyncIterable<LogEntry>,
): AsyncGenerator<{ readonly entry: LogEntry; readonly following: readonly LogEntry[] }> {
  const waiting: LogEntry[] = []
  for await (const next of entries) {
    waiting.push(next)
    if (waiting.length <= FOLLOWING) continue
    const entry = waiting.shift()
    if (entry !== undefined) yield { entry, following: waiting }
  }
  for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) yield { entry, following: waiting }
}
