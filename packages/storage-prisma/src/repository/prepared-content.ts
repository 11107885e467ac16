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
import type { HashKey, SealedPack } from '../packs/pack-draft.ts'
import { bodyOf, eachSearchableText } from './entry-codec.ts'

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
  /** By entry: what the search index is to hold, given which known blocks the session has said before. */
  readonly searchTexts: readonly SearchText[]
}

export interface SearchText {
  readonly short: string
  readonly long: readonly { readonly text: string; readonly key: HashKey }[]
}

const encoder = new TextEncoder()

/** Blocks that earlier writes of this process are about to store: they count as stored. */
export interface PendingBlocks {
  has(key: HashKey): boolean
  /** Told which blocks this content will store, before it is compressed. */
  add(key: HashKey): void
}

/** For content that nothing else is under way with. */
export const nothingPending: PendingBlocks = { has: () => false, add: () => undefined }

/** Prepares a session's content; with pending blocks the caller must commit in the order of preparing. */
export const prepareContent = async (content: SessionContent, database: SqlReader, pending: PendingBlocks): Promise<PreparedContent> => {
  const draft = new PackDraft()
  const searchTexts: SearchText[] = []
  const bodies = content.writes.map(({ entry }) => {
    const body = dehydrateBody(bodyOf(entry), (text) => draft.number(text, true))
    const short: string[] = []
    const long: { text: string; key: HashKey }[] = []
    if (entry.kind === 'message') {
      eachSearchableText(entry.content, (text) => {
        const known = text.length >= BLOCK_MINIMUM && text.isWellFormed() ? draft.texts[draft.number(text, true)] : undefined
        if (known === undefined) short.push(text)
        else long.push({ text, key: known.key })
      })
    }
    searchTexts.push({ short: short.join('\n'), long })
    return encoder.encode(body)
  })
  const runs = content.runs.map((run) => encodeLines(run.lines, (text) => draft.number(text, false)))
  const bodyBytes = bodies.reduce((sum, body) => sum + body.byteLength, 0)
  if (draft.texts.length === 0 && runs.length === 0 && bodyBytes <= INLINE_MAXIMUM) {
    return { ...content, inline: bodies, pack: undefined, elsewhere: [], searchTexts }
  }
  const stored = await storedKeys(database, draft)
  const elsewhere = draft.texts.filter(({ key }) => stored.has(key) || pending.has(key)).map(({ key, digest, said }) => ({ key, digest, said }))
  const elsewhereKeys = new Set(elsewhere.map(({ key }) => key))
  for (const { key } of draft.texts) if (!elsewhereKeys.has(key)) pending.add(key)
  const pack = await draft.seal([...bodies, ...runs], (key) => elsewhereKeys.has(key))
  return { ...content, inline: undefined, pack, elsewhere, searchTexts }
}

const storedKeys = async (database: SqlReader, draft: PackDraft): Promise<ReadonlySet<HashKey>> => {
  const digests = draft.texts.map((text) => text.digest)
  const rows = await database.lookup<{ hash: Uint8Array }>(tables.block, { columns: ['hash'], key: 'hash' }, digests)
  return new Set(rows.map((row) => hashKeyOf(row.hash)))
}
