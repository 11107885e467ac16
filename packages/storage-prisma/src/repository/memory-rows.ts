/** A version of a memory entry as a row. */
import { createHash } from 'node:crypto'
import { CairnError, wordKey } from '@cairn/core'
import type { MemoryEnd, MemoryEntry, MemoryKind, MemoryVersion } from '@cairn/core'
import { storedJson } from '../sql/damaged.ts'
import type { RowValues } from '../sql/statements.ts'
import { rowChecksum, checkedColumns } from '../sql/row-checksum.ts'
import { quoted, tables } from '../sql/schema.ts'
import { decodedText, encodedText } from './labels.ts'

export interface MemoryRow {
  readonly entry_id: string
  readonly workspace: string
  readonly kind: string
  readonly text: string
  readonly confidence: number
  readonly examples: string
  readonly session_id: string | null
  readonly message_id: string | null
  readonly commit: string | null
  readonly source: string
  readonly first_seen_at: number
  readonly last_confirmed_at: number
  readonly applications: number
  readonly confirmations: number
  readonly contradictions: number
  readonly valid_from: number
  readonly valid_to: number | null
  readonly ended: string | null
  readonly replaced_by: string | null
  readonly words: string
  readonly checksum: number | null
}

/** Columns that a new version is written with. */
export const VERSION_COLUMNS = [
  'entry_id',
  'workspace',
  'kind',
  'text',
  'confidence',
  'examples',
  'session_id',
  'message_id',
  'commit',
  'source',
  'first_seen_at',
  'last_confirmed_at',
  'applications',
  'confirmations',
  'contradictions',
  'valid_from',
  'words',
  'checksum',
] as const

/** All columns that {@link toMemoryEntry} and {@link toMemoryVersion} read, and their check. */
export const ROW_COLUMNS = quoted(checkedColumns(tables.memoryVersion))

/**
 * A digest that texts with the same words in the same order share, as `wordKey` of memory finds them: 32 hex digits,
 * for lookups by an index.
 */
export const wordsKey = (text: string): string =>
  createHash('sha256')
    .update(JSON.stringify(wordKey(text)))
    .digest('hex')
    .slice(0, 32)

const encodedOrNull = (text: string | null): string | null => (text === null ? null : encodedText(text))
const decodedOrNull = (stored: string | null): string | null => (stored === null ? null : decodedText(stored))

/** The row of a new version that begins at `validFrom` (ms) and has no end yet. With its checksum. */
export const versionRow = (entry: MemoryEntry, validFrom: number): RowValues<(typeof VERSION_COLUMNS)[number]> => {
  const row = {
    entry_id: entry.id,
    workspace: encodedText(entry.workspace),
    kind: entry.kind,
    text: encodedText(entry.text),
    confidence: entry.confidence,
    examples: JSON.stringify(entry.examples),
    session_id: encodedOrNull(entry.sessionId),
    message_id: encodedOrNull(entry.messageId),
    commit: encodedOrNull(entry.commit),
    source: encodedText(entry.source),
    first_seen_at: entry.firstSeenAt,
    last_confirmed_at: entry.lastConfirmedAt,
    applications: entry.applications,
    confirmations: entry.confirmations,
    contradictions: entry.contradictions,
    valid_from: validFrom,
    words: wordsKey(entry.text),
  }
  return { ...row, checksum: rowChecksum(tables.memoryVersion, row) }
}

/**
 * The memory entry of a stored row. Throws `storage-corrupt` where its examples are no JSON any more. A session,
 * message or commit that is not known is null.
 */
export const toMemoryEntry = (row: MemoryRow): MemoryEntry => ({
  id: row.entry_id,
  workspace: decodedText(row.workspace),
  kind: row.kind as MemoryKind,
  text: decodedText(row.text),
  confidence: row.confidence,
  examples: storedJson(row.examples, `the examples of the memory entry ${row.entry_id}`) as readonly string[],
  sessionId: decodedOrNull(row.session_id),
  messageId: decodedOrNull(row.message_id),
  commit: decodedOrNull(row.commit),
  source: decodedText(row.source),
  firstSeenAt: row.first_seen_at,
  lastConfirmedAt: row.last_confirmed_at,
  applications: row.applications,
  confirmations: row.confirmations,
  contradictions: row.contradictions,
})

/** The version of a memory entry of a stored row; its `validTo` is null while it is current. */
export const toMemoryVersion = (row: MemoryRow): MemoryVersion => ({
  entry: toMemoryEntry(row),
  validFrom: row.valid_from,
  validTo: row.valid_to,
  ended: row.ended as MemoryEnd | null,
  replacedBy: row.replaced_by,
})

/** Both databases compare and cut ids: only characters on which they agree. */
const ID = /^[\x21-\x7e]{1,100}$/

/**
 * Throws unless the entry can be stored in this workspace.
 * @throws CairnError `invalid-input` for an id that can't be stored, or an entry of another workspace.
 */
export const assertWritable = (entry: MemoryEntry, workspace: string): void => {
  if (!ID.test(entry.id))
    throw new CairnError(
      'invalid-input',
      'The id of a memory entry has 1 to 100 visible ASCII characters; nothing was written.',
    )
  if (entry.workspace !== workspace) throw otherWorkspace(entry.id)
}

/** Makes (does not throw) the `invalid-input` error for an id that belongs to an entry of another workspace. */
export const otherWorkspace = (id: string): CairnError =>
  new CairnError('invalid-input', `The memory entry ${id} belongs to another workspace; nothing was written.`)
