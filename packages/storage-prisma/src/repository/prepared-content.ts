/**
 * First half of every write, done outside any lock: long texts are taken out of entries and source
 * lines, hashed, compared with what the store has, and the rest is compressed.
 */
import type { EntryWrite, SessionFacts, SourceRun } from '@cairn/core'
import type { SqlReader } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import { PackDraft, hashKeyOf } from '../packs/pack-draft.ts'
import { BLOCK_MINIMUM, dehydrateBody } from '../packs/dehydrate.ts'
import { encodeLines } from '../packs/source-lines.ts'
import { indexedContent } from '../search/indexed-content.ts'
import type { TailSize } from '../search/index-sizes.ts'
import type { IndexedContent } from '../search/indexed-content.ts'
import type { HashKey, SealedPack } from '../packs/pack-draft.ts'
import { inlineBody } from './entry-codec.ts'
import { storableText } from './labels.ts'

/** Up to this many bytes without a block of their own, bodies are kept in their rows. */
const INLINE_MAXIMUM = 4_096

/** What one session gets in a batch. */
export interface SessionContent {
  readonly session: SessionFacts
  readonly writes: readonly EntryWrite[]
  readonly runs: readonly SourceRun[]
}

/** A block that the store had when the content was prepared. */
export interface KnownBlock {
  readonly id: number
  readonly owner: number
  readonly said: boolean
}

export interface PreparedContent extends SessionContent {
  /** Bodies by entry when they are small enough to need no pack. */
  readonly inline: readonly Uint8Array[] | undefined
  /** Otherwise the pack; its places are the bodies, then the runs. */
  readonly pack: SealedPack | undefined
  /** Blocks elsewhere that the pack refers to. */
  readonly elsewhere: readonly { readonly key: HashKey; readonly digest: Uint8Array; readonly said: boolean }[]
  /** Its messages as the search index takes them up. */
  readonly indexed: IndexedContent
}

const encoder = new TextEncoder()

/** Blocks that earlier writes of this process are about to store: they count as stored. */
export interface PendingBlocks {
  has(key: HashKey): boolean
  /** The session (by its key) in which the first of those writes says it; undefined: none does. */
  saidIn(key: HashKey): string | undefined
  /** Told which blocks this content will store, before it is compressed. */
  add(key: HashKey, saidIn: string | undefined): void
}

/** For content that nothing else is under way with. */
export const nothingPending: PendingBlocks = { has: () => false, saidIn: () => undefined, add: () => undefined }

/**
 * Prepares a session's content; with pending blocks the caller must commit in the order of preparing. At least
 * `segmentFrom` of messages becomes a segment of the search index.
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
      inline: bodies.map(inlineBody),
      pack: undefined,
      elsewhere: [],
      indexed: indexedContent(content.writes, () => false, segmentFrom),
    }
  }
  const stored = await storedBlocks(database, draft)
  const elsewhere = draft.texts
    .filter(({ key }) => stored.has(key) || pending.has(key))
    .map(({ key, digest, said }) => ({ key, digest, said }))
  const elsewhereKeys = new Set(elsewhere.map(({ key }) => key))
  const saidBefore = await saidKeys(database, content.session.id, stored)
  for (const { key } of elsewhere) if (pending.saidIn(key) === content.session.id) saidBefore.add(key)
  for (const { key, said } of draft.texts)
    if (!elsewhereKeys.has(key)) pending.add(key, said ? content.session.id : undefined)
  const sealing = draft.seal([...bodies, ...runs], (key) => elsewhereKeys.has(key))
  // While the thread pool compresses. The first place of a text is the one to find.
  const isRepeated = (text: string): boolean => {
    const key = text.length < BLOCK_MINIMUM ? undefined : draft.find(text)?.key
    return key !== undefined && (saidBefore.has(key) || !saidBefore.add(key))
  }
  const indexed = indexedContent(content.writes, isRepeated, segmentFrom)
  return { ...content, inline: undefined, pack: await sealing, elsewhere, indexed }
}

interface StoredBlock {
  readonly hash: Uint8Array
  readonly pack_id: number
  readonly said: number
}

const storedBlocks = async (database: SqlReader, draft: PackDraft): Promise<ReadonlyMap<HashKey, StoredBlock>> => {
  const digests = draft.texts.map((text) => text.digest)
  const rows = await database.lookup<StoredBlock>(
    tables.block,
    { columns: ['hash', 'pack_id', 'said'], key: 'hash' },
    digests,
  )
  return new Map(rows.map((row) => [hashKeyOf(row.hash), row]))
}

/** Those of the stored blocks that the session itself has said. */
const saidKeys = async (
  database: SqlReader,
  sessionKey: string,
  stored: ReadonlyMap<HashKey, StoredBlock>,
): Promise<Set<HashKey>> => {
  const said = [...stored].filter(([, block]) => block.said === 1)
  if (said.length === 0) return new Set()
  const [session] = await database.all<{ id: number }>('SELECT id FROM session WHERE "key" = ?', [
    storableText(sessionKey),
  ])
  if (session === undefined) return new Set()
  const packs = await database.lookup<{ id: number; session_id: number }>(
    tables.pack,
    { columns: ['id', 'session_id'], key: 'id' },
    [...new Set(said.map(([, block]) => block.pack_id))],
  )
  const own = new Set(packs.filter((pack) => pack.session_id === session.id).map(({ id }) => id))
  return new Set(said.filter(([, block]) => own.has(block.pack_id)).map(([key]) => key))
}
