/**
 * Second half of every write, inside the transaction: the session's row, its entries, blocks, search
 * index and usage. Live appends and imports both come through here.
 */
import { datesSession } from '@cairn/core'
import type { EntryWrite, SessionFacts } from '@cairn/core'
import type { SqlTransaction, SqlValue } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import type { HashKey } from '../packs/pack-draft.ts'
import { hashKeyOf } from '../packs/pack-draft.ts'
import { kindCode, roleCode } from './entry-codec.ts'
import { storableText } from './labels.ts'
import type { Labels } from './labels.ts'
import type { KnownBlock, PreparedContent } from './prepared-content.ts'
import type { StoredReport } from './request-merge.ts'
import { addSegment, addToTail } from '../search/index-rows.ts'
import type { TailRow } from '../search/index-rows.ts'

export interface SessionRow {
  readonly id: number
  readonly next_seq: number
  readonly workspace_id: number
  readonly isNew: boolean
}

/** A block that was there when the content was prepared has gone since: prepare it again. */
export class BlockGone extends Error {}

export interface WrittenSession {
  readonly row: SessionRow
  /** By write: its entry is new (and not a repetition). */
  readonly fresh: readonly boolean[]
  readonly newMessages: number
  readonly reports: readonly StoredReport[]
  /** Id of the pack that holds the runs; undefined if the content needed none. */
  readonly packId: number | undefined
  /** The workspace whose part of the search index took up the messages; 0: none is known. */
  readonly workspaceId: number
}

/** The session's row, locked against other writers. */
export const findSession = async (
  transaction: SqlTransaction,
  sessionKey: string,
  dialectLock: string,
): Promise<SessionRow | undefined> => {
  const rows = await transaction.all<{ id: number; next_seq: number; workspace_id: number }>(
    `SELECT id, next_seq, workspace_id FROM session WHERE "key" = ?${dialectLock}`,
    [storableText(sessionKey)],
  )
  return rows[0] === undefined ? undefined : { ...rows[0], isNew: false }
}

/** Finds the session's row, or makes it. */
export const openSession = async (
  transaction: SqlTransaction,
  labels: Labels,
  facts: SessionFacts,
  dialectLock: string,
): Promise<SessionRow> => {
  const known = await findSession(transaction, facts.id, dialectLock)
  if (known !== undefined) return known
  const agent = await labels.label('agent', facts.agent)
  const made = await transaction.insert(
    tables.session,
    ['key', 'agent_id', 'external_id', 'workspace_id', 'branch_id'],
    [
      [
        storableText(facts.id),
        agent,
        storableText(facts.externalId),
        await labels.workspace(facts.workspace),
        await labels.label('branch', facts.branch),
      ],
    ],
    'ON CONFLICT ("key") DO NOTHING',
  )
  const row = await findSession(transaction, facts.id, dialectLock)
  if (row === undefined) throw new Error(`the session ${facts.id} could not be made`)
  return { ...row, isNew: made === 1 }
}

/** True when a user deleted the session and it is not to come back by an import. */
export const wasDeleted = async (transaction: SqlTransaction, sessionKey: string): Promise<boolean> =>
  (await transaction.all('SELECT 1 FROM deleted_session WHERE "key" = ?', [storableText(sessionKey)])).length > 0

/** Writes prepared content to the end of the session's log. Entries whose external id is known are left out. */
export const writeSession = async (
  transaction: SqlTransaction,
  labels: Labels,
  row: SessionRow,
  content: PreparedContent,
): Promise<WrittenSession> => {
  const fresh = await freshEntries(transaction, row, content.writes)
  const known = await knownBlocks(transaction, content)
  const packId = await writePack(transaction, row, content, known)

  const kept = content.writes.flatMap((write, index) => (fresh[index] === true ? [{ write, index }] : []))
  const ids = await transaction.reserveIds(tables.entry, kept.length)
  const rows: SqlValue[][] = []
  const tail: TailRow[] = []
  const workspaceId = row.workspace_id === 0 ? await labels.workspace(content.session.workspace) : row.workspace_id
  // Made of all writes: of use where none is known already.
  const segment = kept.length === content.writes.length ? content.indexed.segmentAt?.(row.id, row.next_seq) : undefined
  let newMessages = 0
  for (const [place, { write, index }] of kept.entries()) {
    const { entry } = write
    const id = ids[place] ?? 0
    const slice = content.pack?.places[index]
    const role = entry.kind === 'message' ? roleCode(entry.role) : null
    rows.push([
      id,
      row.id,
      row.next_seq + place,
      entry.at,
      kindCode(entry.kind),
      role,
      externalIdOf(write),
      slice === undefined ? null : (packId ?? null),
      slice?.offset ?? null,
      slice?.length ?? null,
      content.inline?.[index] ?? null,
    ])
    if (entry.kind !== 'message') continue
    newMessages += 1
    const data = segment === undefined ? content.indexed.tailOf(index) : undefined
    if (data !== undefined) tail.push({ entryId: id, sessionId: row.id, seq: row.next_seq + place, workspaceId, data })
  }
  await transaction.insert(tables.entry, Object.keys(tables.entry.columns), rows)
  await addToTail(transaction, tail)
  if (segment !== undefined) await addSegment(transaction, workspaceId, 0, segment)
  await updateSession(
    transaction,
    labels,
    row,
    content,
    kept.map(({ write }) => write),
    newMessages,
  )

  const reports = content.writes.flatMap((write, index): StoredReport[] =>
    write.request === undefined
      ? []
      : [
          {
            sessionId: content.session.id,
            row: row.id,
            agent: content.session.agent,
            fact: { ...placeOf(content.session), ...write.request },
            visibleCharacters: fresh[index] === true ? (write.visibleCharacters ?? 0) : 0,
          },
        ],
  )
  return { row, fresh, newMessages, reports, packId, workspaceId }
}

/** A request that does not say where it was made was made where its session is. */
const placeOf = ({ workspace, branch }: SessionFacts): Pick<SessionFacts, 'workspace' | 'branch'> => ({
  ...(workspace === undefined ? {} : { workspace }),
  ...(branch === undefined ? {} : { branch }),
})

const externalIdOf = (write: EntryWrite): string | null => {
  const id = write.externalId ?? (write.entry.kind === 'message' ? write.entry.id : undefined)
  return id === undefined ? null : storableText(id)
}

/** Which entries are neither in the session yet nor repeated within the batch. */
const freshEntries = async (
  transaction: SqlTransaction,
  row: SessionRow,
  writes: readonly EntryWrite[],
): Promise<readonly boolean[]> => {
  const ids = writes.map(externalIdOf)
  const taken = new Set<string>()
  if (!row.isNew) {
    const wanted = ids.filter((id) => id !== null)
    const scope = { column: 'session_id', value: row.id }
    for (const found of await transaction.lookup<{ external_id: string }>(
      tables.entry,
      { columns: ['external_id'], key: 'external_id', scope },
      wanted,
    )) {
      taken.add(found.external_id)
    }
  }
  return ids.map((id) => {
    if (id === null) return true
    if (taken.has(id)) return false
    taken.add(id)
    return true
  })
}

const knownBlocks = async (
  transaction: SqlTransaction,
  content: PreparedContent,
): Promise<ReadonlyMap<HashKey, KnownBlock>> => {
  const known = new Map<HashKey, KnownBlock>()
  if (content.elsewhere.length === 0) return known
  const blocks = await transaction.lookup<{ id: number; hash: Uint8Array; pack_id: number; said: number }>(
    tables.block,
    { columns: ['id', 'hash', 'pack_id', 'said'], key: 'hash' },
    content.elsewhere.map((block) => block.digest),
  )
  const packs = [...new Set(blocks.map((block) => block.pack_id))]
  const owners = new Map(
    (
      await transaction.lookup<{ id: number; session_id: number }>(
        tables.pack,
        { columns: ['id', 'session_id'], key: 'id' },
        packs,
      )
    ).map((pack) => [pack.id, pack.session_id]),
  )
  for (const block of blocks)
    known.set(hashKeyOf(block.hash), { id: block.id, owner: owners.get(block.pack_id) ?? 0, said: block.said === 1 })
  if (known.size < content.elsewhere.length) throw new BlockGone()
  return known
}

const writePack = async (
  transaction: SqlTransaction,
  row: SessionRow,
  content: PreparedContent,
  known: ReadonlyMap<HashKey, KnownBlock>,
): Promise<number | undefined> => {
  const { pack } = content
  if (pack === undefined) return undefined
  const references = pack.references((key) => known.get(key)?.id ?? 0)
  const [packId = 0] = await transaction.reserveIds(tables.pack, 1)
  await transaction.insert(
    tables.pack,
    ['id', 'session_id', 'raw_size', 'refs', 'data'],
    [[packId, row.id, pack.rawSize, references, pack.data]],
  )

  // In order of their hashes, so that two writers that share blocks can't wait for each other in a circle.
  const blocks = [...pack.newBlocks].sort((left, right) => Buffer.compare(left.digest, right.digest))
  const ids = await transaction.reserveIds(tables.block, blocks.length)
  await transaction.insert(
    tables.block,
    ['id', 'hash', 'pack_id', 'offset', 'length', 'said'],
    blocks.map((block, index) => [
      ids[index] ?? 0,
      block.digest,
      packId,
      block.offset,
      block.length,
      block.said ? 1 : 0,
    ]),
    // Another writer was faster: this pack keeps its own copy, later ones will refer to the other's.
    'ON CONFLICT (hash) DO NOTHING',
  )
  const foreign = content.elsewhere.flatMap(({ key }) => {
    const block = known.get(key)
    return block === undefined || block.owner === row.id ? [] : [block.id]
  })
  const uses = [...new Set(foreign)].sort((left, right) => left - right).map((id) => [id, row.id])
  await transaction.insert(
    tables.blockUse,
    ['block_id', 'session_id'],
    uses,
    'ON CONFLICT (block_id, session_id) DO NOTHING',
  )
  for (const { key, said } of content.elsewhere) {
    const block = known.get(key)
    if (said && block?.said === false) await transaction.run('UPDATE block SET said = 1 WHERE id = ?', [block.id])
  }
  return packId
}

const updateSession = async (
  transaction: SqlTransaction,
  labels: Labels,
  row: SessionRow,
  content: PreparedContent,
  kept: readonly EntryWrite[],
  newMessages: number,
): Promise<void> => {
  const { session } = content
  const times = kept.flatMap(({ entry }) => (entry.at === null || !datesSession(entry) ? [] : [entry.at]))
  const first = times.reduce<number | null>((least, at) => (least === null || at < least ? at : least), null)
  const last = times.reduce<number | null>((most, at) => (most === null || at > most ? at : most), null)
  const given = kept.reduce<string | undefined>(
    (latest, { entry }) => (entry.kind === 'title' ? entry.title : latest),
    undefined,
  )
  const title = given ?? session.title
  const favourite = kept.reduce<number | null>(
    (latest, { entry }) => (entry.kind === 'favourite' ? Number(entry.favourite) : latest),
    null,
  )
  const redactions = kept.reduce((sum, write) => sum + (write.redactions ?? 0), 0)
  await transaction.run(
    `UPDATE session SET
       next_seq = next_seq + ?, message_count = message_count + ?, redactions = redactions + ?,
       favourite = COALESCE(?, favourite), title = CASE WHEN titled > ? THEN title ELSE COALESCE(?, title) END,
       titled = CASE WHEN titled > ? THEN titled ELSE ? END, forked_from = COALESCE(?, forked_from),
       workspace_id = CASE WHEN workspace_id = 0 THEN ? ELSE workspace_id END,
       branch_id = CASE WHEN ? = 0 THEN branch_id ELSE ? END,
       started_at = CASE WHEN started_at IS NULL OR started_at > ? THEN COALESCE(?, started_at) ELSE started_at END,
       updated_at = CASE WHEN updated_at IS NULL OR updated_at < ? THEN COALESCE(?, updated_at) ELSE updated_at END
     WHERE id = ?`,
    [
      kept.length,
      newMessages,
      redactions,
      favourite,
      given === undefined ? 0 : 1,
      title === undefined ? null : storableText(title),
      given === undefined ? 0 : 1,
      given === undefined ? 0 : 1,
      session.forkedFrom === undefined ? null : storableText(session.forkedFrom),
      await labels.workspace(session.workspace),
      await labels.label('branch', session.branch),
      await labels.label('branch', session.branch),
      first,
      first,
      last,
      last,
      row.id,
    ],
  )
}
