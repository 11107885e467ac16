/**
 * Proves that a store's file holds what was written: packs have their checksums, blocks their hashes, rows theirs, logs no
 * gaps, and sums agree with the requests. SQLite's own check finds invalid pages only.
 */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { messageOf } from '@cairn/core'
import { decodeReferences } from '../packs/references.ts'
import { addDamagedRows } from '../repository/damaged-rows.ts'
import { checks } from '../repository/maintenance.ts'
import type { Connection } from '../sqlite/connection.ts'
import { openReader } from '../sqlite/connection.ts'
import { SqliteTransaction } from '../sqlite/sqlite-database.ts'
import { runInThread } from './database-thread.ts'

/** What a store holds, and what of it is not what was written. */
export interface ContentProof {
  readonly sessions: number
  readonly entries: number
  readonly requests: number
  readonly packs: number
  readonly blocks: number
  /** As parts of a sentence, the first few; empty: all of it is good. */
  readonly faults: readonly string[]
}

/** Damage may be everywhere. */
const MOST_FAULTS = 10

const decompress = promisify(zstdDecompress)

/**
 * Reads all of a store of this version that SQLite's own check finds good (`assertIntact`), and counts it. `faults`:
 * each once, the first `MOST_FAULTS`; none for a sound store. A row that was set aside is no fault. Sums and references
 * are checked, and packs decompressed, outside of this thread; checksums and hashes are computed in it. `onPack` is
 * called after each pack, a damaged one too. Rejects where the file can't be opened, and where SQLite can't read it: a
 * broken page or another version's tables are no `faults`.
 */
export const proveContent = async (
  path: string,
  onPack: (done: number, total: number) => void = () => undefined,
): Promise<ContentProof> => {
  const faults = new Set<string>()
  const add = (fault: string): void => {
    if (faults.size < MOST_FAULTS) faults.add(fault)
  }
  const counts = await runInThread(
    path,
    checks.map(({ sql }) => sql),
  )
  for (const [index, { detail }] of checks.entries()) if (countOf(counts[index]?.[0]) > 0) add(detail)
  const connection = openReader(path)
  try {
    await addDamagedRows(new SqliteTransaction(connection), (_check, detail, count = 1, isSetAside = false) => {
      // What was set aside is known, and in no list.
      if (count > 0 && !isSetAside) add(detail)
    })
    const packs = await provePacks(connection, add, onPack)
    const counted = (table: string): number =>
      countOf(connection.statement(`SELECT count(*) AS count FROM ${table}`).get())
    return {
      sessions: counted('session'),
      entries: counted('entry'),
      requests: counted('usage_fact'),
      packs,
      blocks: counted('block'),
      faults: [...faults],
    }
  } finally {
    connection.close()
  }
}

const countOf = (row: unknown): number => Number((row as { readonly count: number | bigint } | undefined)?.count)

interface PackRow {
  readonly raw_size: number
  readonly refs: Uint8Array
  readonly data: Uint8Array
}

interface BlockRow {
  readonly id: number
  readonly hash: Uint8Array
  readonly offset: number
  readonly length: number
}

/**
 * Decompresses every pack and compares every block of it with its hash; returns the number of packs. `add` is called
 * for each fault, which doesn't stop it; `onPack` after each pack.
 */
const provePacks = async (
  connection: Connection,
  add: (fault: string) => void,
  onPack: (done: number, total: number) => void,
): Promise<number> => {
  const ids = connection.statement('SELECT id FROM pack ORDER BY id').pluck().all()
  for (const [index, id] of ids.entries()) {
    const row = connection.statement('SELECT raw_size, refs, data FROM pack WHERE id = ?').get(Number(id))
    try {
      const bytes = await unpacked(row as PackRow)
      const blocks = connection
        .statement('SELECT id, hash, "offset", length FROM block WHERE pack_id = ?')
        .all(Number(id)) as BlockRow[]
      for (const block of blocks)
        if (!isWhole(block, bytes)) add(`block ${block.id}, which several messages may share, is not what was written`)
    } catch (error) {
      add(`pack ${Number(id)} can't be read (${messageOf(error)})`)
    }
    onPack(index + 1, ids.length)
  }
  return ids.length
}

/** A pack's content, checked; throws where it is damaged. */
const unpacked = async ({ raw_size: size, refs, data }: PackRow): Promise<Buffer> => {
  decodeReferences(refs)
  const bytes = await decompress(data, { maxOutputLength: Math.max(size, 1) })
  if (bytes.byteLength !== size) throw new RangeError('it has another size than was written')
  return bytes
}

/** Whether a block has the content that its hash names. */
const isWhole = (block: BlockRow, bytes: Buffer): boolean =>
  hash('sha256', bytes.subarray(block.offset, block.offset + block.length), 'buffer').equals(block.hash)
