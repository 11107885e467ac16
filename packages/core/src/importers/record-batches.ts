/** Reads a transcript of records in batches, each with the cursor to go on from. */
import type { FileFacts } from '../ports/file-system.ts'
import type { ImportCursor } from '../ports/import-storage.ts'
import type { JsonValue } from '../json.ts'
import { packState, unpackState } from './import-cursor.ts'
import type { Importer, RecordBatch, RecordFileSystem } from './importer.ts'
import type { SourceItem } from './lines.ts'

/** Why something is left for the next import. */
export const UNFINISHED = 'the last message is not finished; it is tried again at the next import'

/** What is read, from where. */
export interface RecordReading {
  readonly facts: FileFacts
  readonly importer: Pick<Importer, 'agent' | 'records'>
  /** What an earlier import of it by the same agent has left. */
  readonly cursor: ImportCursor | undefined
  readonly fileSystem: RecordFileSystem
  /** ms. */
  readonly now: number
}

/** Records as items of a file, numbered on from those before. */
export interface NumberedRecords extends Pick<RecordBatch, 'notices' | 'rest' | 'isUnsettled'> {
  readonly items: readonly SourceItem[]
  readonly cursor: ImportCursor
  readonly isLast: boolean
}

/**
 * The batches of a transcript of records, from the cursor's state on, numbered on from its line. The cursor of the last
 * one has the file's size and time, unless something is left for the next import: then it says that the file was not
 * read to its end. Rejects when the transcript can't be read. None for an importer that reads no records.
 */
export async function* numberedRecords({
  facts,
  importer,
  cursor,
  fileSystem,
  now,
}: RecordReading): AsyncGenerator<NumberedRecords> {
  const state = cursor === undefined ? undefined : unpackState(cursor.parserState).parser
  const batches = importer.records?.({
    path: facts.path,
    fileSystem,
    now,
    ...(state === undefined || state === null ? {} : { state }),
  })
  let line = cursor?.line ?? 0
  let previous: RecordBatch | undefined
  const numbered = (batch: RecordBatch, isLast: boolean): NumberedRecords => {
    const items = batch.records.map((bytes, index) => ({ number: line + index + 1, bytes, endOffset: 0 }))
    line += items.length
    const isFinished = isLast && batch.rest === undefined && batch.isUnsettled !== true
    return { ...batch, items, isLast, cursor: recordCursor(facts, batch.state, line, isFinished) }
  }
  for await (const batch of batches ?? []) {
    if (previous !== undefined) yield numbered(previous, false)
    previous = batch
  }
  if (previous !== undefined) yield numbered(previous, true)
}

/**
 * The position for the next run. Nothing of such a file is compared by its bytes; until it is finished, its size and
 * time are 0, so that it is read again. `offset` is always 0.
 */
const recordCursor = (
  { identity, size, modifiedAt }: FileFacts,
  state: JsonValue,
  line: number,
  isFinished: boolean,
): ImportCursor => ({
  identity,
  size: isFinished ? size : 0,
  modifiedAt: isFinished ? modifiedAt : 0,
  offset: 0,
  line,
  fingerprint: '',
  parserState: packState({ parser: state, continuesLine: false, end: 'complete', finished: isFinished }),
})

/** Whether a cursor says nothing that the one before it did not; false where there was none. */
export const isSameCursor = (cursor: ImportCursor, before: ImportCursor | undefined): boolean =>
  before !== undefined &&
  cursor.line === before.line &&
  cursor.size === before.size &&
  cursor.modifiedAt === before.modifiedAt &&
  cursor.identity === before.identity &&
  JSON.stringify(cursor.parserState) === JSON.stringify(before.parserState)
