/** Reads a session's log in pages, so that a long one is not in memory as a whole. */
import type { Engine, LogEntry } from '@cairn/core'

/** Entries that are read at once. */
const PAGE = 200

/**
 * Yields all entries of a session in order, read a page at a time; none for an unknown session. Rejects as the store
 * does.
 */
export async function* eachEntry(sessionId: string, engine: Pick<Engine, 'store'>): AsyncGenerator<LogEntry> {
  for (let fromSeq = 0; ;) {
    const entries = await engine.store.sessions.read(sessionId, { fromSeq, limit: PAGE })
    yield* entries
    const last = entries.at(-1)
    if (last === undefined || entries.length < PAGE) return
    fromSeq = last.seq + 1
  }
}

/** Entries behind a call among which its result is looked for. */
const FOLLOWING = 40

/**
 * Yields each entry in order with the up to 40 entries that follow it, among which a call's result is looked for.
 * `following` is one list for all: it changes when the next entry is asked for.
 */
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
