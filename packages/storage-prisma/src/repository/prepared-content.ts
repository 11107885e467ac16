/**
 * First half of every write, done outside any lock: long texts (blocks) of entries and source lines are hashed and
 * looked up in the store; those that it lacks are compressed together with what remains.
 */
import type { EntryWrite, SessionFacts, SourceRun } from '@cairn/core'
import type { SqlReader } from '../sql/database.ts'
import { IN_ENTRY, tables } from '../sql/schema.ts'
import { PackDraft, toHashKey } from '../packs/pack-draft.ts'
import { BLOCK_MINIMUM, dehydrateBody } from '../packs/dehydrate.ts'
import { encodeLines } from '../packs/source-lines.ts'
import { indexedContent } from '../search/indexed-content.ts'
import type { TailSize } from '../search/index-sizes.ts'
import type { IndexedContent } from '../search/indexed-content.ts'
import type { HashKey, SealedPack } from '../packs/pack-draft.ts'
import { encodeInlineBody } from './entry-codec.ts'
import { storableText } from './labels.ts'

/** Bodies of up to this many bytes together, with no long text and no source lines, are stored in their rows. */
const INLINE_MAXIMUM = 4_096

/** The content of one session in a batch. */
export interface SessionContent {
  readonly session: SessionFacts
  readonly writes: readonly EntryWrite[]
  readonly runs: readonly SourceRun[]
}

export interface PreparedContent extends SessionContent {
  /** Bodies by entry when they are small enough to need no pack. */
  readonly inline: readonly Uint8Array[] | undefined
  /** Otherwise the pack; its slices are the bodies, then the runs. */
  readonly pack: SealedPack | undefined
  /** Blocks elsewhere that the pack refers to. */
  readonly elsewhere: readonly { readonly key: HashKey; readonly digest: Uint8Array; readonly inEntry: boolean }[]
  /** Its messages, analysed for the search index. */
  readonly indexed: IndexedContent
}

const encoder = new TextEncoder()

/** Blocks that earlier writes of this process are about to store: they count as stored. */
export interface PendingBlocks {
  /** Whether a write that is prepared, but not committed yet, stores the block. */
  has(key: HashKey): boolean
  /** Key of the session whose entry holds it in the first of those writes; undefined: no entry does. */
  firstSession(key: HashKey): string | undefined
  /** Receives the blocks that this content will store, before it is compressed. */
  add(key: HashKey, firstSession: string | undefined): void
}

/** For when no other write of the process is running. */
export const nothingPending: PendingBlocks = { has: () => false, firstSession: () => undefined, add: () => undefined }

/**
 * Prepares a session's content: packs, compresses and analyses it before any lock is taken; content of at most
 * `INLINE_MAXIMUM` bytes, without long texts and lines, needs no pack. Blocks that it will store are told to `pending`,
 * with which the caller must commit in the order of preparing. Messages of at least the size `segmentFrom` become a
 * segment of the search index.
 */
export const prepareContent = async (
  content: SessionContent,
  database: SqlReader,
  pending: PendingBlocks,
  segmentFrom?: TailSize,
): Promise<PreparedContent> => {
  const draft = new PackDraft()
  const bodies = content.writes.map(({ entry }) =>
    encoder.encode(dehydrateBody(entry, (text) => draft.number(text, true))),
  )
  const runs = content.runs.map((run) => encodeLines(run.lines, (text) => draft.number(text, false)))
  const bodyBytes = bodies.reduce((sum, body) => sum + body.byteLength, 0)
  if (draft.texts.length === 0 && runs.length === 0 && bodyBytes <= INLINE_MAXIMUM) {
    return {
      ...content,
      inline: bodies.map(encodeInlineBody),
      pack: undefined,
      elsewhere: [],
      indexed: await indexedContent(content.writes, () => false, segmentFrom),
    }
  }
  const stored = await storedBlocks(database, draft)
  const elsewhere = draft.texts
    .filter(({ key }) => stored.has(key) || pending.has(key))
    .map(({ key, digest, inEntry }) => ({ key, digest, inEntry }))
  const elsewhereKeys = new Set(elsewhere.map(({ key }) => key))
  const seenBefore = await ownBlockKeys(database, content.session.id, stored)
  for (const { key } of elsewhere) if (pending.firstSession(key) === content.session.id) seenBefore.add(key)
  for (const { key, inEntry } of draft.texts)
    if (!elsewhereKeys.has(key)) pending.add(key, inEntry ? content.session.id : undefined)
  const sealing = draft.seal([...bodies, ...runs], (key) => elsewhereKeys.has(key))
  // Runs while the thread pool compresses. Of a repeated text the first occurrence is the one to find.
  const isRepeated = (text: string): boolean => {
    const key = text.length < BLOCK_MINIMUM ? undefined : draft.find(text)?.key
    return key !== undefined && (seenBefore.has(key) || !seenBefore.add(key))
  }
  const [indexed, pack] = await Promise.all([indexedContent(content.writes, isRepeated, segmentFrom), sealing])
  return { ...content, inline: undefined, pack, elsewhere, indexed }
}

interface StoredBlock {
  readonly hash: Uint8Array
  readonly pack_id: number
  readonly [IN_ENTRY]: number
}

/** Those of a draft's texts that the store has already, by their hashes. */
const storedBlocks = async (database: SqlReader, draft: PackDraft): Promise<ReadonlyMap<HashKey, StoredBlock>> => {
  const digests = draft.texts.map((text) => text.digest)
  const rows = await database.lookup<StoredBlock>(
    tables.block,
    { columns: ['hash', 'pack_id', IN_ENTRY], key: 'hash' },
    digests,
  )
  return new Map(rows.map((row) => [toHashKey(row.hash), row]))
}

/**
 * Those of the stored blocks that are in packs of this session's own and in an entry, as new keys; not what it uses of
 * other sessions. Empty if the store does not have the session.
 */
const ownBlockKeys = async (
  database: SqlReader,
  sessionKey: string,
  stored: ReadonlyMap<HashKey, StoredBlock>,
): Promise<Set<HashKey>> => {
  const inEntries = [...stored].filter(([, block]) => block[IN_ENTRY] === 1)
  if (inEntries.length === 0) return new Set()
  const [session] = await database.all<{ id: number }>('SELECT id FROM session WHERE "key" = ?', [
    storableText(sessionKey),
  ])
  if (session === undefined) return new Set()
  const packs = await database.lookup<{ id: number; session_id: number }>(
    tables.pack,
    { columns: ['id', 'session_id'], key: 'id' },
    [...new Set(inEntries.map(([, block]) => block.pack_id))],
  )
  const own = new Set(packs.filter((pack) => pack.session_id === session.id).map(({ id }) => id))
  return new Set(inEntries.filter(([, block]) => own.has(block.pack_id)).map(([key]) => key))
}
