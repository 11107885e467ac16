/** Rows of the search index: messages of the tail, segments with their pages. All inside a transaction of the caller. */
import { CairnError, MAX_SEGMENT_PAGES, encodeHead, splitIntoPages } from '@cairn/core'
import type { SegmentWithPostings } from '@cairn/core'
import type { SqlReader, SqlTransaction } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { tables } from '../sql/schema.ts'
import { postingsOfPage, segmentOfHead } from './decode-rows.ts'
import { appendChecksum } from '../sql/sealed.ts'

export interface TailRow {
  readonly entryId: number
  readonly sessionId: number
  readonly seq: number
  readonly workspaceId: number
  /** The message as analysed; see `encodeMessage`. */
  readonly data: Uint8Array
}

/** Another process has changed rows that this one was about to replace: nothing is written. */
export class IndexChanged extends Error {}

/** The id of a segment's first page; those of its other pages follow. */
export const firstPageOf = (segmentId: number): number => segmentId * MAX_SEGMENT_PAGES

/** Adds messages to the index's tail; returns the number of rows written. With checksums. */
export const addToTail = (transaction: SqlTransaction, rows: readonly TailRow[]): Promise<number> =>
  transaction.insert(
    tables.searchTail,
    ['entry_id', 'session_id', 'seq', 'workspace_id', 'data'],
    rows.map(({ entryId, sessionId, seq, workspaceId, data }) => [
      entryId,
      sessionId,
      seq,
      workspaceId,
      appendChecksum(data),
    ]),
  )

/**
 * Removes messages (by their entries, ascending) from the tail; rejects with {@link IndexChanged} when one no longer
 * exists.
 */
export const removeFromTail = async (transaction: SqlTransaction, ids: readonly number[]): Promise<void> => {
  for (let start = 0; start < ids.length;) {
    const first = required(ids[start], 'the id of a message in the tail')
    let end = start + 1
    while (ids[end] === first + end - start) end += 1
    // Consecutive ids: no other entry can be among them.
    const removed = await transaction.run('DELETE FROM search_tail WHERE entry_id >= ? AND entry_id <= ?', [
      first,
      first + end - start - 1,
    ])
    if (removed !== end - start) throw new IndexChanged()
    start = end
  }
}

/** Writes a segment of a workspace with its pages; none for a segment without messages. */
export const addSegment = async (
  transaction: SqlTransaction,
  workspaceId: number,
  level: number,
  whole: SegmentWithPostings,
): Promise<void> => {
  const { segment } = whole
  if (segment.messages === 0) return
  const [reserved] = await transaction.reserveIds(tables.searchSegment, 1)
  const id = required(reserved, 'the id of a segment')
  await transaction.insert(
    tables.searchSegment,
    ['id', 'workspace_id', 'level', 'messages', 'bytes', 'head'],
    [[id, workspaceId, level, segment.messages, segment.postingBytes, appendChecksum(encodeHead(segment))]],
  )
  await transaction.insert(
    tables.searchPage,
    ['id', 'data'],
    splitIntoPages(whole).map((page, number) => [firstPageOf(id) + number, appendChecksum(page)]),
  )
}

/**
 * Removes segments with their pages; rejects with {@link IndexChanged} when one no longer exists, which ends the
 * transaction.
 */
export const removeSegments = async (transaction: SqlTransaction, ids: readonly number[]): Promise<void> => {
  for (const id of ids) {
    if ((await transaction.run('DELETE FROM search_segment WHERE id = ?', [id])) !== 1) throw new IndexChanged()
    await transaction.run('DELETE FROM search_page WHERE id >= ? AND id < ?', [firstPageOf(id), firstPageOf(id + 1)])
  }
}

/** Removes everything from the index, so that it can be built again. The log stays. */
export const clearIndex = async (transaction: SqlTransaction): Promise<void> => {
  for (const { name } of [tables.searchTail, tables.searchSegment, tables.searchPage, tables.searchPending])
    await transaction.run(`DELETE FROM ${name}`)
}

/** The number of messages that are indexed, or recorded as not indexed yet. */
export const countIndexed = async (reader: SqlReader): Promise<number> => {
  const rows = await reader.all<{ count: number }>(
    `SELECT (SELECT COALESCE(sum(messages), 0) FROM search_segment) + (SELECT count(*) FROM search_tail)
       + (SELECT count(*) FROM search_pending JOIN entry ON entry.session_id = search_pending.session_id
          WHERE entry.kind = 1 AND entry.seq >= search_pending.from_seq AND entry.seq < search_pending.until_seq) AS count`,
  )
  return rows[0]?.count ?? 0
}

/**
 * The number of segments whose heads or pages can't be read; reads all of them. Rejects for any other error. One that
 * is merged meanwhile is passed over.
 */
export const countDamagedSegments = async (reader: SqlReader): Promise<number> => {
  let damaged = 0
  for (const { id } of await reader.all<{ id: number }>('SELECT id FROM search_segment ORDER BY id')) {
    try {
      await checkSegment(reader, id)
    } catch (error) {
      if (!CairnError.is(error) || error.code !== 'storage-corrupt') throw error
      damaged += 1
    }
  }
  return damaged
}

/** Rejects with `storage-corrupt` where a segment is damaged; one that is gone is fine. */
const checkSegment = async (reader: SqlReader, id: number): Promise<void> => {
  const read = { key: 'id', uncached: true } as const
  const [row] = await reader.lookup<{ head: Uint8Array }>(tables.searchSegment, { ...read, columns: ['head'] }, [id])
  // Another process has merged it.
  if (row === undefined) return
  const { postingBytes, pageBytes } = segmentOfHead(row.head)
  for (let page = 0; page * pageBytes < postingBytes; page += 1) {
    const [found] = await reader.lookup<{ data: Uint8Array }>(tables.searchPage, { ...read, columns: ['data'] }, [
      firstPageOf(id) + page,
    ])
    if (found !== undefined) postingsOfPage(found.data)
  }
}
