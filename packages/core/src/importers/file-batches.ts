/** Reads and parses a file batch by batch, from where its plan begins. Nothing is written, and a batch is given once. */
import type { ContentDraft, ImportCursor } from '../ports/import-batch.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import { createFingerprintRecorder, packState, unpackState, unpackingOf, readWindows } from './cursor.ts'
import type { FingerprintRecorder } from './cursor.ts'
import { createParser, type ImportPlan } from './import-plan.ts'
import type { FileParser, RecordFileSystem } from './importer.ts'
import { elementOptions, splitElements, type DocumentEnd } from './json-elements.ts'
import { splitLines, type SourceItem } from './lines.ts'
import { lookingAhead } from './look-ahead.ts'
import { createBatchParser, type BatchOutcome, type ParseDeps } from './parse-batch.ts'
import { isSameCursor, numberedRecords, type NumberedRecords } from './record-batches.ts'
import { createSkipCollector, type SkipCollector } from './skips.ts'
import { textChunks } from './text-chunks.ts'
import { endOf, nameUnreadEnd } from './unread-end.ts'

/** What reading a file needs. */
export interface ReadDeps extends ParseDeps {
  readonly fileSystem: Pick<FileSystem, 'read' | 'stat' | 'readText'> & RecordFileSystem
  readonly signal?: AbortSignal | undefined
}

/** Called while a file is read. */
export interface ReadProgress {
  /** Bytes of the file read so far. */
  onBytes(bytes: number): void
  /** A large batch is taken in hand. */
  onLarge(): void
  /** Lines of sessions of which nothing may be kept were left out: how many, by session. */
  onHidden(lines: ReadonlyMap<string, number>): void
  /** The file was written to just before it was read; it is to be read again. */
  onUnsettled(): void
}

/** Bytes of a line that may take seconds. */
const LARGE_LINE = 2 << 20

/** Rows for the storage, and the cursor that is written with them. */
export interface FileBatch {
  readonly outcome: BatchOutcome
  readonly cursor: ImportCursor
  /** What the outcome lacks, where a thread of the storage has it. */
  readonly draft?: ContentDraft
}

/** The outcome of the batch that only marks the file as read to its end. */
export const NO_ROWS: BatchOutcome = {
  sessions: [],
  source: [],
  skips: [],
  wrongCosts: [],
  lines: new Map(),
  hasUnplaced: false,
}

/** Reads and parses a file batch by batch; the last batch has a cursor that says that the file was read to its end. */
export async function* readBatches(
  plan: ImportPlan,
  deps: ReadDeps,
  skips: SkipCollector,
  progress: ReadProgress,
): AsyncGenerator<FileBatch> {
  const { facts, format, resumed } = plan
  const parser = await createParser(plan, deps)
  const parseBatch = createBatchParser(parser, format, deps)
  const parse = lookingAhead(parseBatch, plan, deps.isHidden, () =>
    readBatches({ ...plan, isLookAhead: true }, deps, createSkipCollector(facts.path), UNHEARD),
  )
  const { recorder, chunks } = await openFile(plan, deps, skips)
  let position = startPosition(resumed, recorder)
  const cursor = (end: DocumentEnd): ImportCursor => cursorAt(position, facts, parser, end)

  let incompleteLine: number | undefined
  const document: { end: DocumentEnd } = { end: 'complete' }
  const batches =
    format === 'lines'
      ? splitLines(chunks, position)
      : endingOf(splitElements(chunks, elementOptions(plan.importer)), (end) => {
          document.end = end
        })
  for await (const items of batches) {
    deps.signal?.throwIfAborted()
    if (deps.pauses.isDue()) await deps.pauses.take()
    if (items.some(({ bytes }) => bytes.length >= LARGE_LINE)) progress.onLarge()
    const outcome = await parse(items)
    if (outcome.hidden !== undefined) {
      progress.onHidden(outcome.hidden)
      // All of a transcript is one session's: what its parser has seen is not kept either.
      if (plan.importer.workspaces === 'folder') return
    }
    incompleteLine = outcome.incomplete?.line
    const last = incompleteLine === undefined ? items.at(-1) : items.at(-2)
    if (last === undefined) continue
    position = {
      offset: last.endOffset,
      line: last.number,
      fingerprint: recorder.at(last.endOffset),
      continuesLine: last.problem === 'open',
      isAtEnd: format === 'lines' && !plan.isPacked && last.endOffset === facts.size,
    }
    progress.onBytes(position.offset)
    yield { outcome, cursor: cursor('complete') }
  }
  const end = endOf(document.end, incompleteLine)
  nameUnreadEnd(end, format, incompleteLine, skips)
  if (position.isAtEnd) return
  position = { ...position, isAtEnd: true }
  yield { outcome: NO_ROWS, cursor: cursor(end) }
}

/** Hears nothing. */
export const UNHEARD: ReadProgress = {
  onBytes: () => undefined,
  onLarge: () => undefined,
  onHidden: () => undefined,
  onUnsettled: () => undefined,
}

/** Reads and parses what is new in a transcript of records; sessions that nothing may be kept of are left out. */
export async function* readRecords(
  plan: ImportPlan,
  deps: ReadDeps,
  skips: SkipCollector,
  progress: ReadProgress,
): AsyncGenerator<FileBatch> {
  const { facts, importer, known, change } = plan
  const parse = createBatchParser(await createParser(plan, deps), plan.format, deps)
  const before = change === 'rewritten' ? undefined : known?.cursor
  const reading = { facts, importer, cursor: before, fileSystem: deps.fileSystem, now: deps.clock.now() }
  for await (const batch of numberedRecords(reading)) {
    const { items, cursor, notices = [] } = batch
    deps.signal?.throwIfAborted()
    if (deps.pauses.isDue()) await deps.pauses.take()
    if (items.some(({ bytes }) => bytes.length >= LARGE_LINE)) progress.onLarge()
    if (batch.isLast) tellOfRest(batch, skips, progress)
    if (items.length === 0 && notices.length === 0) {
      if (!isSameCursor(cursor, before)) yield { outcome: NO_ROWS, cursor }
      continue
    }
    const outcome = await parse(items)
    if (outcome.hidden !== undefined) progress.onHidden(outcome.hidden)
    yield { outcome: { ...outcome, skips: [...notices.map((reason) => ({ reason })), ...outcome.skips] }, cursor }
  }
}

/** Says what is left for the next import. */
const tellOfRest = ({ rest, isUnsettled }: NumberedRecords, skips: SkipCollector, progress: ReadProgress): void => {
  if (rest !== undefined) skips.add(rest)
  if (isUnsettled === true) progress.onUnsettled()
}

/** How far a file was read. */
interface Position {
  /** Bytes. */
  readonly offset: number
  readonly line: number
  readonly fingerprint: string
  /** The line at `offset` had no line end yet. */
  readonly continuesLine: boolean
  readonly isAtEnd: boolean
}

/** Where reading begins: at the cursor, else at the start. */
const startPosition = (resumed: ImportCursor | undefined, recorder: FingerprintRecorder): Position =>
  resumed === undefined
    ? { offset: 0, line: 0, fingerprint: recorder.at(0), continuesLine: false, isAtEnd: false }
    : {
        offset: resumed.offset,
        line: resumed.line,
        fingerprint: resumed.fingerprint,
        continuesLine: unpackState(resumed.parserState).continuesLine,
        isAtEnd: false,
      }

/** Size and time of the file are only kept once it was read to its end: until then they say nothing. */
const cursorAt = (
  { offset, line, fingerprint, continuesLine, isAtEnd }: Position,
  { identity, size, modifiedAt }: FileFacts,
  parser: FileParser,
  end: DocumentEnd,
): ImportCursor => ({
  identity,
  size: isAtEnd ? size : 0,
  modifiedAt: isAtEnd ? modifiedAt : 0,
  offset,
  line,
  fingerprint,
  parserState: packState({ parser: parser.state(), continuesLine, end, finished: isAtEnd }),
})

/** The file's bytes from where the plan begins, and the recorder that they pass through. */
const openFile = async (
  { facts: { path }, resumed }: ImportPlan,
  { fileSystem, hasher }: ReadDeps,
  skips: SkipCollector,
): Promise<{ readonly recorder: FingerprintRecorder; readonly chunks: AsyncIterable<Uint8Array> }> => {
  const offset = resumed?.offset ?? 0
  const windows =
    resumed === undefined
      ? { head: new Uint8Array(0), tail: new Uint8Array(0) }
      : await readWindows(resumed, path, fileSystem)
  const recorder = createFingerprintRecorder(hasher, offset, windows)
  const unpacking = unpackingOf(path)
  const options =
    unpacking === undefined ? undefined : { ...unpacking, onNotice: (notice: string) => skips.add(notice) }
  const bytes = fileSystem.read(path, offset, options)
  // A binary file is refused before anything of it is stored.
  return { recorder, chunks: recorder.follow(offset === 0 ? textChunks(bytes, path) : bytes) }
}

/** Passes a generator's items on and its end to `ended`. */
async function* endingOf(
  batches: AsyncGenerator<readonly SourceItem[], DocumentEnd>,
  ended: (end: DocumentEnd) => void,
): AsyncGenerator<readonly SourceItem[]> {
  ended(yield* batches)
}
