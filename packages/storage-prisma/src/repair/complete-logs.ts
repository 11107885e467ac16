/** Logs without gaps: a notice stands for each entry that nobody has any more, so that all others can be read. */
import Sqlite from 'better-sqlite3'
import { CairnError } from '@cairn/core'
import type { ProvenLengths } from './gather-rows.ts'
import { openStore } from '../open-store.ts'
import { encodeInlineBody, kindCode } from '../repository/entry-codec.ts'
import { rowChecksum } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'

/** What logs had lost. */
interface Completed {
  readonly lostEntries: number
  readonly incompleteSessions: readonly string[]
}

const NOTICE = 'This entry was lost when the store was damaged.'

interface SessionRow {
  readonly id: number
  readonly key: string
  readonly next_seq: number
  readonly checksum: number | null
}

/**
 * Completes the logs of all sessions of a store that nobody else uses: an entry that can't be read is taken out, and a
 * notice stands in each gap. Counts the lost ones; `incompleteSessions` are the ids of their sessions, in the order of
 * the store. Rejects with SQLite's errors, and changes nothing then.
 */
export const completeLogs = async (path: string, proven: ProvenLengths): Promise<Completed> => {
  const unreadable = await unreadableEntries(path)
  const database = new Sqlite(path, { fileMustExist: true })
  try {
    database.exec('BEGIN IMMEDIATE')
    let lostEntries = 0
    const incompleteSessions: string[] = []
    for (const session of database.prepare('SELECT * FROM session ORDER BY id').all() as SessionRow[]) {
      const lost = completeLog(database, session, unreadable.get(session.key) ?? new Set(), proven.has(session.id))
      if (lost === 0) continue
      lostEntries += lost
      incompleteSessions.push(session.key)
    }
    database.exec('COMMIT')
    return { lostEntries, incompleteSessions }
  } finally {
    database.close()
  }
}

/**
 * Numbers of entries, by session, whose rows are there while their content is not. Sessions without any are missing.
 * Rejects for other errors than damage.
 */
const unreadableEntries = async (path: string): Promise<ReadonlyMap<string, ReadonlySet<number>>> => {
  const found = new Map<string, ReadonlySet<number>>()
  const database = new Sqlite(path, { readonly: true })
  const rows = database
    .prepare(
      'SELECT session."key" AS "key", entry.seq AS seq FROM entry JOIN session ON session.id = entry.session_id ORDER BY 1, 2',
    )
    .all() as { key: string; seq: number }[]
  database.close()
  const seqs = Map.groupBy(rows, ({ key }) => key)
  const store = await openStore(`file:${path}`)
  try {
    for (const [key, entries] of seqs) {
      const bad = new Set<number>()
      for (const { seq } of entries)
        if (!(await isReadable(() => store.sessions.read(key, { fromSeq: seq, limit: 1 })))) bad.add(seq)
      if (bad.size > 0) found.set(key, bad)
    }
  } finally {
    await store.close()
  }
  return found
}

/** Whether something can be read; rejects for other errors than damage. */
const isReadable = async (read: () => Promise<unknown>): Promise<boolean> => {
  try {
    await read()
    return true
  } catch (error) {
    if (CairnError.is(error) && error.code === 'storage-corrupt') return false
    throw error
  }
}

/**
 * Completes one session's log: removes unreadable entries and those with a number beyond its end, writes a notice for each
 * that is missing, and corrects the session's counts and checksum. Returns how many entries are lost. `isProven`: the
 * session's row, and so its length, is as it was written.
 */
const completeLog = (
  database: Sqlite.Database,
  session: SessionRow,
  unreadable: ReadonlySet<number>,
  isProven: boolean,
): number => {
  const remove = database.prepare('DELETE FROM entry WHERE session_id = ? AND seq = ?')
  for (const seq of unreadable) remove.run(session.id, seq)
  const seqs = database
    .prepare('SELECT seq FROM entry WHERE session_id = ? ORDER BY seq')
    .pluck()
    .all(session.id) as number[]
  // A number beyond the log's end is a damaged one; where nobody knows the end, one that is far beyond all others.
  const bound = isProven ? session.next_seq : Math.max(session.next_seq, 2 * seqs.length + LARGEST_GAP)
  for (const seq of seqs.filter((each) => each >= bound)) remove.run(session.id, seq)
  const there = new Set(seqs.filter((seq) => seq < bound))
  const length = ([...there].at(-1) ?? -1) + 1
  const insert = database.prepare(
    'INSERT INTO entry (session_id, seq, kind, body, checksum) VALUES (:session_id, :seq, :kind, :body, :checksum)',
  )
  const body = encodeInlineBody(Buffer.from(JSON.stringify({ kind: 'notice', level: 'error', text: NOTICE, at: null })))
  for (let seq = 0; seq < length; seq += 1) {
    if (there.has(seq)) continue
    const values = { session_id: session.id, seq, kind: kindCode('notice'), body }
    insert.run({ ...values, checksum: rowChecksum(tables.entry, values) })
  }
  const messages = Number(
    database
      .prepare('SELECT count(*) FROM entry WHERE session_id = ? AND kind = ?')
      .pluck()
      .get(session.id, kindCode('message')),
  )
  const changed = { ...session, next_seq: length, message_count: messages }
  const checksum = session.checksum === null ? null : rowChecksum(tables.session, changed)
  database
    .prepare('UPDATE session SET next_seq = ?, message_count = ?, checksum = ? WHERE id = ?')
    .run(length, messages, checksum, session.id)
  return Math.max(session.next_seq, length) - there.size
}

/** Entries of one gap, at most, in a session of few entries. */
const LARGEST_GAP = 1_000
