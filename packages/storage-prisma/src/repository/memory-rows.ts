/** A version of a memory entry as a row. */
import { createHash } from 'node:crypto'
import { CairnError, sameWords } from '@cairn/core'
import type { MemoryEnd, MemoryEntry, MemoryKind, MemoryVersion } from '@cairn/core'
import type { SqlValue } from '../sql/database.ts'
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
}

/** Columns that a new version is written with, in the order of {@link rowValues}. */
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
] as const

/** All that {@link entryOf} and {@link versionOf} read. */
export const ROW_COLUMNS = quoted(
  Object.keys(tables.memoryVersion.columns).filter((column) => column !== 'id' && column !== 'words'),
)

/** What finds the entries that say the same: short, and of one length whatever the text. */
export const wordsKey = (text: string): string =>
  createHash('sha256')
    .update(JSON.stringify(sameWords(text)))
    .digest('hex')
    .slice(0, 32)

const encodedOrNull = (text: string | null): string | null => (text === null ? null : encodedText(text))
const decodedOrNull = (stored: string | null): string | null => (stored === null ? null : decodedText(stored))

export const rowValues = (entry: MemoryEntry, validFrom: number): readonly SqlValue[] => [
  entry.id,
  encodedText(entry.workspace),
  entry.kind,
  encodedText(entry.text),
  entry.confidence,
  JSON.stringify(entry.examples),
  encodedOrNull(entry.sessionId),
  encodedOrNull(entry.messageId),
  encodedOrNull(entry.commit),
  encodedText(entry.source),
  entry.firstSeenAt,
  entry.lastConfirmedAt,
  entry.applications,
  entry.confirmations,
  entry.contradictions,
  validFrom,
  wordsKey(entry.text),
]

export const entryOf = (row: MemoryRow): MemoryEntry => ({
  id: row.entry_id,
  workspace: decodedText(row.workspace),
  kind: row.kind as MemoryKind,
  text: decodedText(row.text),
  confidence: row.confidence,
  examples: JSON.parse(row.examples) as readonly string[],
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

export const versionOf = (row: MemoryRow): MemoryVersion => ({
  entry: entryOf(row),
  validFrom: row.valid_from,
  validTo: row.valid_to,
  ended: row.ended as MemoryEnd | null,
  replacedBy: row.replaced_by,
})

/** Ids are compared and cut by both databases: only what they agree about. */
const ID = /^[\x21-\x7e]{1,100}$/

/** @throws CairnError `invalid-input` for an entry that can't be a row, or belongs elsewhere. */
export const assertWritable = (entry: MemoryEntry, workspace: string): void => {
  if (!ID.test(entry.id))
    throw new CairnError(
      'invalid-input',
      'The id of a memory entry has 1 to 100 visible ASCII characters; nothing was written.',
    )
  if (entry.workspace !== workspace) throw otherWorkspace(entry.id)
}

export const otherWorkspace = (id: string): CairnError =>
  new CairnError('invalid-input', `The memory entry ${id} belongs to another workspace; nothing was written.`)
