/**
 * First half of every write, done outside any lock, in three steps: long texts (blocks) of entries and source lines are
 * hashed (`draftContent`) and looked up in the store (`findStored`); those that it lacks are compressed together with what
 * remains, and messages are analysed (`completeContent`). Only the second needs the database: the others may be done by
 * another thread.
 */
import type { EntryWrite, SessionFacts, SourceRun } from '@cairn/core'
import type { SqlReader } from '../sql/database.ts'
import { IN_ENTRY, tables } from '../sql/schema.ts'
import { PackDraft, sealedPack, toHashKey } from '../packs/pack-draft.ts'
import { BLOCK_MINIMUM, dehydrateBody } from '../packs/dehydrate.ts'
import { encodeLines } from '../packs/source-lines.ts'
import { indexedContent } from '../search/indexed-content.ts'
import type { TailSize } from '../search/index-sizes.ts'
import type { IndexedContent } from '../search/indexed-content.ts'
import type { HashKey, PackedContent, SealedPack, TextFacts } from '../packs/pack-draft.ts'
import { encodeInlineBody } from './entry-codec.ts'
import { storableText } from './labels.ts'

/** Bodies up to this many bytes, without blocks of their own, are stored in their rows. */
const INLINE_MAXIMUM = 4_096

/** The content of one session in a batch. */
export interface SessionContent {
  readonly session: SessionFacts
  readonly writes: readonly EntryWrite[]
  readonly runs: readonly SourceRun[]
}

/** A run of source lines, without them. */
export interface RunFacts {
  readonly firstLine: number
  readonly lines: number
  /** Of all lines, without their ends. */
  readonly bytes: number
}

export interface PreparedContent extends Omit<SessionContent, 'runs'> {
  readonly runs: readonly RunFacts[]
  /** Bodies by entry when they are small enough to need no pack. */
  readonly inline: readonly Uint8Array[] | undefined
  /** Otherwise the pack; its slices are the bodies, then the runs. */
  readonly pack: SealedPack | undefined
  /** Blocks elsewhere that the pack refers to. */
  readonly elsewhere: readonly TextFacts[]
  /** Its messages, analysed for the search index. */
  readonly indexed: IndexedContent
}

/** A session's content whose long texts are known, but not yet which of them the store lacks. */
export interface ContentDraft {
  readonly writes: readonly EntryWrite[]
  readonly runs: readonly RunFacts[]
  readonly draft: PackDraft
  readonly bodies: readonly Uint8Array[]
  readonly encodedRuns: readonly Uint8Array[]
  /** It is so small that it needs no pack. */
  readonly isInline: boolean
}

/** Of the texts of a draft, by number. */
export interface StoredTexts {
  /** Those that the store has, or is about to have. */
  readonly elsewhere: ReadonlySet<number>
  /** Those of them that entries of the same session hold. */
  readonly indexed: ReadonlySet<number>
}

/** A completed draft. */
export interface CompletedContent {
  readonly inline: readonly Uint8Array[] | undefined
  readonly packed: PackedContent | undefined
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
 * Prepares a session's content: packs, compresses and analyses it before any lock is taken; small content needs no
 * pack. With pending blocks the caller must commit in the order of preparing. Messages of at least the size
 * `segmentFrom` become a segment of the search index.
 */
export const prepareContent = async (
  content: SessionContent,
  database: SqlReader,
  pending: PendingBlocks,
  segmentFrom?: TailSize,
): Promise<PreparedContent> => {
  const draft = draftContent(content)
  const { texts } = draft.draft
  const stored = await findStored(texts, content.session.id, database, pending)
  return preparedContent(content, draft.runs, texts, stored, await completeContent(draft, stored, segmentFrom))
}

/** The first step: bodies and lines as bytes, with their long texts hashed and numbered. */
export const draftContent = ({ writes, runs }: SessionContent): ContentDraft => {
  const draft = new PackDraft()
  const bodies = writes.map(({ entry }) => encoder.encode(dehydrateBody(entry, (text) => draft.number(text, true))))
  const encodedRuns = runs.map((run) => encodeLines(run.lines, (text) => draft.number(text, false)))
  const bodyBytes = bodies.reduce((sum, body) => sum + body.byteLength, 0)
  const isInline = draft.texts.length === 0 && runs.length === 0 && bodyBytes <= INLINE_MAXIMUM
  return { writes, runs: runs.map(runFacts), draft, bodies, encodedRuns, isInline }
}

const runFacts = ({ firstLine, lines }: SourceRun): RunFacts => ({
  firstLine,
  lines: lines.length,
  bytes: lines.reduce((sum, line) => sum + (typeof line === 'string' ? Buffer.byteLength(line) : line.byteLength), 0),
})

/** The second step: which of these texts of a session need not be stored. The others are told to `pending`. */
export const findStored = async (
  texts: readonly TextFacts[],
  sessionKey: string,
  database: SqlReader,
  pending: PendingBlocks,
): Promise<StoredTexts> => {
  if (texts.length === 0) return { elsewhere: new Set(), indexed: new Set() }
  // Before the store is asked: what is pending now may be stored, and pending no more, when it answers.
  const awaited = new Map<HashKey, string | undefined>()
  for (const { key } of texts) if (pending.has(key)) awaited.set(key, pending.firstSession(key))
  const stored = await storedBlocks(database, texts)
  const own = await ownBlockKeys(database, sessionKey, stored)
  const [elsewhere, indexed] = [new Set<number>(), new Set<number>()]
  for (const [number, { key, inEntry }] of texts.entries()) {
    if (!stored.has(key) && !awaited.has(key)) pending.add(key, inEntry ? sessionKey : undefined)
    else {
      elsewhere.add(number)
      if (own.has(key) || awaited.get(key) === sessionKey) indexed.add(number)
    }
  }
  return { elsewhere, indexed }
}

/** The third step: what is lacking is compressed, and what was not indexed before is analysed. */
export const completeContent = async (
  { writes, draft, bodies, encodedRuns, isInline }: ContentDraft,
  stored: StoredTexts,
  segmentFrom?: TailSize,
): Promise<CompletedContent> => {
  if (isInline) {
    const indexed = await indexedContent(writes, () => false, segmentFrom)
    return { inline: bodies.map(encodeInlineBody), packed: undefined, indexed }
  }
  const packing = draft.pack([...bodies, ...encodedRuns], (number) => stored.elsewhere.has(number))
  // Runs while the thread pool compresses. Of a repeated text the first occurrence is the one to find.
  const seen = new Set(stored.indexed)
  const isRepeated = (text: string): boolean => {
    const number = text.length < BLOCK_MINIMUM ? undefined : draft.find(text)
    return number !== undefined && (seen.has(number) || !seen.add(number))
  }
  const [indexed, packed] = await Promise.all([indexedContent(writes, isRepeated, segmentFrom), packing])
  return { inline: undefined, packed, indexed }
}

/** What is written, put together from the three steps. */
export const preparedContent = (
  { session, writes }: Pick<SessionContent, 'session' | 'writes'>,
  runs: readonly RunFacts[],
  texts: readonly TextFacts[],
  { elsewhere }: StoredTexts,
  { inline, packed, indexed }: CompletedContent,
): PreparedContent => ({
  session,
  writes,
  runs,
  inline,
  pack: packed === undefined ? undefined : sealedPack(packed, texts),
  elsewhere: texts.filter((_, number) => elsewhere.has(number)),
  indexed,
})

interface StoredBlock {
  readonly hash: Uint8Array
  readonly pack_id: number
  readonly [IN_ENTRY]: number
}

/** Those of the texts that the store has already, by their hashes. */
const storedBlocks = async (
  database: SqlReader,
  texts: readonly TextFacts[],
): Promise<ReadonlyMap<HashKey, StoredBlock>> => {
  const digests = texts.map((text) => text.digest)
  const rows = await database.lookup<StoredBlock>(
    tables.block,
    { columns: ['hash', 'pack_id', IN_ENTRY], key: 'hash' },
    digests,
  )
  return new Map(rows.map((row) => [toHashKey(row.hash), row]))
}

/** The stored blocks that entries of this session hold. */
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
