/** Stores the sealed pack of a session's content: the pack, its new blocks, and what it uses of other packs. */
import { toHashKey } from '../packs/pack-draft.ts'
import type { HashKey, NewBlock, SealedPack } from '../packs/pack-draft.ts'
import type { SqlTransaction } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { IN_ENTRY, tables } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'
import { insertRows } from '../sql/statements.ts'
import type { PreparedContent } from './prepared-content.ts'

/** A block that was stored when the content was prepared was removed since: prepare the content again. */
export class BlockRemoved extends Error {
  constructor() {
    super('a block that the content refers to is not in the store any more')
  }
}

/** A block of another pack. */
interface StoredBlock {
  readonly id: number
  /** Id of the session that its pack belongs to. */
  readonly owner: number
  readonly inEntry: boolean
}

/** What a pack is written with. */
export interface PackPlan {
  readonly packId: number
  /** Of its new blocks, in order of their hashes. */
  readonly blockIds: readonly number[]
  /** The blocks elsewhere that the content refers to. */
  readonly stored: ReadonlyMap<HashKey, StoredBlock>
}

/**
 * Reserves ids for the content's pack and new blocks, and looks up and locks the stored blocks that it refers to;
 * undefined if it needs no pack. Rejects with {@link BlockRemoved} where one of these was removed meanwhile.
 */
export const planPack = async (
  transaction: SqlTransaction,
  content: PreparedContent,
): Promise<PackPlan | undefined> => {
  const { pack } = content
  const [stored, packIds, blockIds] = await Promise.all([
    findBlocks(transaction, content),
    reserveFor(transaction, tables.pack, pack === undefined ? 0 : 1),
    reserveFor(transaction, tables.block, pack?.newBlocks.length ?? 0),
  ])
  return pack === undefined ? undefined : { packId: required(packIds[0], 'the id of a pack'), blockIds, stored }
}

/** Ids of a table; asks for none where none is needed. */
const reserveFor = (transaction: SqlTransaction, table: Table, count: number): Promise<readonly number[]> =>
  count === 0 ? Promise.resolve([]) : transaction.reserveIds(table, count)

/**
 * Stores the content's pack, with its new blocks and their uses. All its statements are issued at once. Nothing for
 * content without a pack.
 */
export const writePack = async (
  transaction: SqlTransaction,
  sessionId: number,
  content: PreparedContent,
  plan: PackPlan | undefined,
): Promise<void> => {
  const { pack } = content
  if (pack === undefined || plan === undefined) return
  const { packId, blockIds, stored } = plan
  await Promise.all([
    writePackRow(transaction, { id: packId, sessionId }, pack, (key) => required(stored.get(key), 'a block').id),
    insertBlocks(transaction, packId, pack.newBlocks, blockIds),
    recordUses(transaction, sessionId, stored),
    markInEntries(transaction, content, stored),
  ])
}

/**
 * The blocks elsewhere that the content refers to, locked against deletion. Empty if there are none. Locked in one
 * order.
 * @throws BlockRemoved if one is gone
 */
const findBlocks = async (
  transaction: SqlTransaction,
  { elsewhere }: PreparedContent,
): Promise<ReadonlyMap<HashKey, StoredBlock>> => {
  if (elsewhere.length === 0) return new Map()
  const blocks = await transaction.lookup<{ id: number; hash: Uint8Array; pack_id: number; [IN_ENTRY]: number }>(
    tables.block,
    { columns: ['id', 'hash', 'pack_id', IN_ENTRY], key: 'hash' },
    elsewhere.map((block) => block.digest),
  )
  const packs = await transaction.lookup<{ id: number; session_id: number }>(
    tables.pack,
    // Their session may be deleted at this moment, which does not see yet that this content uses them.
    { columns: ['id', 'session_id'], key: 'id', kept: true },
    [...new Set(blocks.map((block) => block.pack_id))].sort((left, right) => left - right),
  )
  const owners = new Map(packs.map((pack) => [pack.id, pack.session_id]))
  const stored = new Map<HashKey, StoredBlock>()
  for (const block of blocks) {
    const owner = owners.get(block.pack_id)
    // On PostgreSQL a deletion may be committed between the two queries.
    if (owner === undefined) throw new BlockRemoved()
    stored.set(toHashKey(block.hash), { id: block.id, owner, inEntry: block[IN_ENTRY] === 1 })
  }
  if (stored.size < elsewhere.length) throw new BlockRemoved()
  return stored
}

/** Inserts a pack; returns its id. `blockId` must know every block that the pack refers to. */
export const insertPack = async (
  transaction: SqlTransaction,
  sessionId: number,
  pack: SealedPack,
  blockId: (key: HashKey) => number,
): Promise<number> => {
  const [reserved] = await transaction.reserveIds(tables.pack, 1)
  const id = required(reserved, 'the id of a pack')
  await writePackRow(transaction, { id, sessionId }, pack, blockId)
  return id
}

/** Inserts the row of a pack; returns 1. */
const writePackRow = (
  transaction: SqlTransaction,
  { id, sessionId }: { readonly id: number; readonly sessionId: number },
  pack: SealedPack,
  blockId: (key: HashKey) => number,
): Promise<number> =>
  insertRows(
    transaction,
    tables.pack,
    ['id', 'session_id', 'raw_size', 'refs', 'data'],
    [{ id, session_id: sessionId, raw_size: pack.rawSize, refs: pack.references(blockId), data: pack.data }],
  )

/**
 * Writes a pack's new blocks. One that another writer has stored meanwhile is passed over; returns how many were
 * written. In order of their hashes.
 */
const insertBlocks = (
  transaction: SqlTransaction,
  packId: number,
  newBlocks: readonly NewBlock[],
  ids: readonly number[],
): Promise<number> => {
  // In order of their hashes, so that two writers that share blocks can't deadlock.
  const blocks = [...newBlocks].sort((left, right) => Buffer.compare(left.digest, right.digest))
  return insertRows(
    transaction,
    tables.block,
    ['id', 'hash', 'pack_id', 'offset', 'length', IN_ENTRY],
    blocks.map((block, index) => ({
      id: required(ids[index], 'the id of a block'),
      hash: block.digest,
      pack_id: packId,
      offset: block.offset,
      length: block.length,
      [IN_ENTRY]: block.inEntry ? 1 : 0,
    })),
    // Another writer was faster: this pack keeps its own copy, later packs refer to the other's.
    'ON CONFLICT (hash) DO NOTHING',
  )
}

/**
 * Records which blocks of other sessions this one uses, so that their deletion leaves them. `stored`: the blocks that
 * the session refers to.
 */
const recordUses = async (
  transaction: SqlTransaction,
  sessionId: number,
  stored: ReadonlyMap<HashKey, StoredBlock>,
): Promise<void> => {
  const ids = [...stored.values()].filter(({ owner }) => owner !== sessionId).map(({ id }) => id)
  await insertRows(
    transaction,
    tables.blockUse,
    ['block_id', 'session_id'],
    [...new Set(ids)].sort((left, right) => left - right).map((id) => ({ block_id: id, session_id: sessionId })),
    'ON CONFLICT (block_id, session_id) DO NOTHING',
  )
}

/**
 * Marks blocks that only source lines held so far, and that an entry holds now. They are issued at once. `stored`: the
 * blocks that are in the store, by hash.
 */
const markInEntries = async (
  transaction: SqlTransaction,
  { elsewhere }: PreparedContent,
  stored: ReadonlyMap<HashKey, StoredBlock>,
): Promise<void> => {
  await Promise.all(
    elsewhere.flatMap(({ key, inEntry }) => {
      const block = stored.get(key)
      return inEntry && block?.inEntry === false
        ? [transaction.run(`UPDATE block SET ${IN_ENTRY} = 1 WHERE id = ?`, [block.id])]
        : []
    }),
  )
}
