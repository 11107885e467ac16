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
