/** The edits of files that an entry of a session's log stands for. */
import { fileEditsIn } from '@cairn/core'
import type { FileEdit, LogEntry, SessionStorage } from '@cairn/core'

/** Entries between a call and its result: other calls of the same message, and their results. */
const NEAR = 100

/** Returns the ids of the calls whose results an entry holds; empty for other entries. */
const callIdsOf = (entry: LogEntry | undefined): ReadonlySet<string> =>
  new Set(
    entry?.kind === 'message'
      ? entry.content.flatMap((block) => (block.type === 'tool_result' ? [block.callId] : []))
      : [],
  )

/** Returns the entry with only its calls of these ids. */
const onlyCalls = (entry: LogEntry, ids: ReadonlySet<string>): LogEntry =>
  entry.kind === 'message'
    ? { ...entry, content: entry.content.filter((block) => block.type === 'tool_call' && ids.has(block.id)) }
    : entry

/**
 * Returns the edits that a message's calls made; for a tool's result, those of its call; empty for any other entry.
 * Rejects as the store does.
 */
export const editsAt = async (
  sessions: Pick<SessionStorage, 'read'>,
  sessionId: string,
  seq: number,
): Promise<readonly FileEdit[]> => {
  const [entry] = await sessions.read(sessionId, { fromSeq: seq, limit: 1 })
  const own = fileEditsIn(entry)
  const ids = callIdsOf(entry)
  if (own.length > 0 || ids.size === 0) return own
  const fromSeq = Math.max(0, seq - NEAR)
  const before = await sessions.read(sessionId, { fromSeq, limit: seq - fromSeq, kinds: ['message'] })
  return before.flatMap((each) => fileEditsIn(onlyCalls(each, ids)))
}
