/** Removes a session from the index completely: its tail, and every segment with its words. */
import type { SegmentWithPostings } from '@cairn/core'
import type { SqlReader, SqlTransaction } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import { segmentOfHead } from './decode-rows.ts'
import { IndexChanged, addSegment, removeSegments } from './index-rows.ts'
import { mergeInSteps, readSegments } from './index-maintenance.ts'

interface SegmentRow {
  readonly id: number
  readonly workspace_id: number
  readonly level: number
}

export interface Removal {
  readonly sessionId: number
  /** Segments that were examined. */
  readonly seen: ReadonlySet<number>
  readonly replaced: readonly { readonly row: SegmentRow; readonly rest: SegmentWithPostings }[]
}

/** A session's messages are in segments of its workspace or, from before that was known, of none. */
const segmentsOf = (reader: SqlReader, sessionId: number): Promise<SegmentRow[]> =>
  reader.all(
    'SELECT id, workspace_id, level FROM search_segment WHERE workspace_id = 0 OR workspace_id = (SELECT workspace_id FROM session WHERE id = ?)',
    [sessionId],
  )

/**
 * Rebuilds the segments that hold messages of the session without it, outside any lock; nothing is written. Rejects
 * with {@link IndexChanged} when one is gone meanwhile.
 */
export const prepareRemoval = async (reader: SqlReader, sessionId: number): Promise<Removal> => {
  const rows = await segmentsOf(reader, sessionId)
  const replaced: { row: SegmentRow; rest: SegmentWithPostings }[] = []
  for (const row of rows) {
    const [found] = await reader.lookup<{ head: Uint8Array }>(tables.searchSegment, { columns: ['head'], key: 'id' }, [
      row.id,
    ])
    if (found === undefined) throw new IndexChanged()
    if (!segmentOfHead(found.head).runSession.includes(sessionId)) continue
    replaced.push({ row, rest: await mergeInSteps(await readSegments(reader, [row.id]), new Set([sessionId])) })
  }
  return { sessionId, seen: new Set(rows.map(({ id }) => id)), replaced }
}

/**
 * Takes a session out of the search index, also what waits to be indexed; to be called before its row is deleted.
 * Rejects with {@link IndexChanged} when segments of its workspace came, or one that holds it went, since they were
 * examined.
 */
export const removeFromIndex = async (
  transaction: SqlTransaction,
  { sessionId, seen, replaced }: Removal,
): Promise<void> => {
  // First, so that no message can move from the tail into a segment meanwhile.
  await transaction.run('DELETE FROM search_tail WHERE session_id = ?', [sessionId])
  await transaction.run('DELETE FROM search_pending WHERE session_id = ?', [sessionId])
  if ((await segmentsOf(transaction, sessionId)).some(({ id }) => !seen.has(id))) throw new IndexChanged()
  for (const { row, rest } of replaced) {
    await removeSegments(transaction, [row.id])
    await addSegment(transaction, row.workspace_id, row.level, rest)
  }
}
