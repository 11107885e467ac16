/**
 * Imports one file: plans from its cursor what to read, reads and parses it in batches, and sends these to the storage.
 * While one batch is written the next is read, so at most two are in memory; commits stay in order. When another import
 * of the same file was faster, this one goes on from where that one got to.
 */
import type { ImportCounts, ImportCursor, ImportStorage, ImportedFile } from '../ports/import-storage.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { PriceBook } from '../ports/price-book.ts'
import {
  createFingerprintRecorder,
  isUnchanged,
  packState,
  unpackState,
  unpackingOf,
  readWindows,
} from './import-cursor.ts'
import type { FingerprintRecorder } from './import-cursor.ts'
import { createParser, planImport, type ImportPlan } from './import-plan.ts'
import {
  type DocumentFormat,
  type FileParser,
  type Importer,
  type RecordFileSystem,
  type WrongCost,
} from './importer.ts'
import { elementOptions, splitElements, type DocumentEnd } from './json-elements.ts'
import { splitLines, type SourceItem } from './lines.ts'
import { createBatchParser, type BatchOutcome, type ParseDeps } from './parse-batch.ts'
import { lookingAhead } from './look-ahead.ts'
import { createPauses } from './pauses.ts'
import { UNFINISHED, isSameCursor, numberedRecords, type NumberedRecords } from './record-batches.ts'
import { textChunks } from './text-chunks.ts'
import { reusedIds } from './reused-ids.ts'
import { createSkipCollector, type SkipCollector } from './skips.ts'
import { resolveWorkspaces } from './resolve-workspaces.ts'
import { wrongCostRows } from './wrong-costs.ts'

/** What the import of a file reads from and writes to. */
export interface ImportFileDeps extends Omit<ParseDeps, 'priceBook' | 'pauses'> {
  readonly priceBook: () => Promise<PriceBook>
  readonly storage: Pick<ImportStorage, 'file' | 'prepare' | 'messagesWith'>
  readonly fileSystem: Pick<FileSystem, 'read' | 'stat' | 'readText'> & RecordFileSystem
  readonly workspaceOf: (folder: string) => Promise<string>
  readonly signal?: AbortSignal | undefined
}

/** Called while a file is imported. */
export interface ImportFileProgress {
  /** A batch was written, of these sessions. */
  onCommit(counts: ImportCounts, sessions: readonly string[]): void
  /** Bytes of the file read so far. */
  onBytes(bytes: number): void
  /** Parsing of a batch with a line of 2 MiB or more begins, which may take seconds. */
  onLarge(): void
  /** Lines of sessions of which nothing may be kept were left out: how many, by session. */
  onHidden(lines: ReadonlyMap<string, number>): void
  /** The file was written to just before it was read; it is to be read again. */
  onUnsettled(): void
}

/** Whether anything was read: an unchanged file counts as not imported. */
export type ImportFileResult = 'unchanged' | 'imported'

/** How often another importer may be faster before the file is left to it. */
const MAX_LOSSES = 3
/** Why a file was left before its end: the other import may have looked at it earlier. */
export const LEFT_TO_ANOTHER = 'another import is reading it; what is left is read at the next import'
/** Bytes of a line that may take seconds. */
const LARGE_LINE = 2 << 20
const OPEN_LINE = 'the last line is incomplete; it is tried again at the next import'
const NO_ARRAY = 'not a JSON array'
const OPEN_DOCUMENT = 'the document is incomplete; it is tried again at the next import'

/**
 * Whether a skip's reason only says that the file isn't finished yet, as one that is being written: the next import
 * reads the rest. False for any other reason.
 */
export const isUnfinished = (reason: string): boolean =>
  reason === LEFT_TO_ANOTHER || reason === OPEN_LINE || reason === OPEN_DOCUMENT || reason === UNFINISHED

/**
 * Imports what is new in a file; `skips` is told what is left out. When another import wrote a batch of it first, it is
 * tried again from there, and after three such losses left to the other. Rejects with a CairnError when it can't be
 * read; batches committed before that stay. `unchanged` means that there was nothing new.
 */
export const importFile = async (
  facts: FileFacts,
  importer: Importer,
  known: ImportedFile | undefined,
  deps: ImportFileDeps,
  skips: SkipCollector,
  progress: ImportFileProgress,
): Promise<ImportFileResult> => {
  let file = known
  for (let losses = 0; losses < MAX_LOSSES; losses++) {
    deps.signal?.throwIfAborted()
    const outcome = await importOnce(facts, importer, file, deps, skips, progress)
    if (outcome !== 'lost') return outcome
    file = await deps.storage.file(facts.path)
    // Read to its end by the other: all is there.
    if (file !== undefined && isUnchanged(file.cursor, facts)) return 'imported'
  }
  // A batch is only ever lost to one that was written, so the other import gets on.
  skips.add(LEFT_TO_ANOTHER)
  return 'imported'
}

/**
 * Imports what is new in a single pass: `unchanged` where nothing is new, `lost` as soon as another import wrote a
 * batch first, with what was committed before staying. Tells `skips` and `progress`. A failure rejects after the
 * batches under way are settled.
 */
const importOnce = async (
  facts: FileFacts,
  importer: Importer,
  known: ImportedFile | undefined,
  deps: ImportFileDeps,
  skips: SkipCollector,
  progress: ImportFileProgress,
): Promise<ImportFileResult | 'lost'> => {
  const plan = await planImport(facts, importer, known, deps)
  if (plan.change === 'unchanged') {
    nameIncomplete(known, plan.format, skips)
    return 'unchanged'
  }
  const sender = createSender(plan, deps, skips, progress)
  const pauses = createPauses(deps.clock, deps.signal)
  let hasNewItems = false
  try {
    const read = plan.format === 'records' ? readRecords : readBatches
    for await (const batch of read(plan, { ...deps, pauses }, skips, progress)) {
      hasNewItems ||= batch.outcome !== NO_ROWS
      if (pauses.isDue()) await pauses.take()
      if (!(await sender.send(batch))) return 'lost'
    }
  } catch (error) {
    await sender.settle().catch(() => undefined)
    throw error
  }
  if (!(await sender.settle())) return 'lost'
  sender.tellWrongCosts()
  return !hasNewItems && (plan.change === 'touched' || plan.format === 'records') ? 'unchanged' : 'imported'
}

/** Rows for the storage, and the cursor that is written with them. */
interface ImportBatch {
  readonly outcome: BatchOutcome
  readonly cursor: ImportCursor
}

/** The outcome of the batch that only marks the file as read to its end. */
const NO_ROWS: BatchOutcome = {
  sessions: [],
  source: [],
  skips: [],
  wrongCosts: [],
  lines: new Map(),
  hasUnplaced: false,
}

/**
 * Reads and parses a file batch by batch, each with the cursor behind it; tells `progress` of bytes, long lines and
 * hidden lines. The last batch, which may have no rows, has a cursor that says that the file was read to its end. Ends
 * without one at the first line of a session that nothing may be kept of, where all of a transcript is one session's.
 */
async function* readBatches(
  plan: ImportPlan,
  deps: ImportFileDeps & Pick<ParseDeps, 'pauses'>,
  skips: SkipCollector,
  progress: ImportFileProgress,
): AsyncGenerator<ImportBatch> {
  const { facts, format, resumed } = plan
  const parser = await createParser(plan, deps)
  const parseBatch = createBatchParser(parser, format, { ...deps, priceBook: await deps.priceBook() })
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

const UNHEARD: ImportFileProgress = {
  onCommit: () => undefined,
  onBytes: () => undefined,
  onLarge: () => undefined,
  onHidden: () => undefined,
  onUnsettled: () => undefined,
}

/**
 * Reads and parses what is new in a transcript of records; sessions that nothing may be kept of are left out. Batches
 * without anything new are passed over, unless the cursor moved.
 */
async function* readRecords(
  plan: ImportPlan,
  deps: ImportFileDeps & Pick<ParseDeps, 'pauses'>,
  skips: SkipCollector,
  progress: ImportFileProgress,
): AsyncGenerator<ImportBatch> {
  const { facts, importer, known, change } = plan
  const parse = createBatchParser(await createParser(plan, deps), plan.format, {
    ...deps,
    priceBook: await deps.priceBook(),
  })
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
const tellOfRest = (
  { rest, isUnsettled }: NumberedRecords,
  skips: SkipCollector,
  progress: ImportFileProgress,
): void => {
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

/** Where reading begins: at the cursor, else at the start. Position 0 without one. */
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

/**
 * The cursor for a position. It has the file's size and time only once the file was read to its end; until then they
 * say nothing and are 0.
 */
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

/**
 * The file's bytes from where the plan begins, and the recorder that they pass through. Reading from the start rejects
 * for a binary file before anything of it is stored; `skips` is told what unpacking notices.
 */
const openFile = async (
  { facts: { path }, resumed }: ImportPlan,
  { fileSystem, hasher }: ImportFileDeps,
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

interface Sender {
  /** Prepares a batch at once, and writes it after the one before; false when another importer was faster. */
  send(batch: ImportBatch): Promise<boolean>
  /** Waits for the last batch; false when another importer was faster. */
  settle(): Promise<boolean>
  /** Names the recorded costs that don't count, of all batches that were written. */
  tellWrongCosts(): void
}

/**
 * Sends batches to the store, each prepared while the one before is written. `send` and `settle` resolve with false
 * when another import wrote the file meanwhile: nothing more is then to be sent. Skips count once their batch is
 * stored. Rejects as the storage does.
 */
const createSender = (
  { facts: { path }, importer, known, isRestarted }: ImportPlan,
  deps: ImportFileDeps,
  skips: SkipCollector,
  progress: ImportFileProgress,
): Sender => {
  const firstVersion = known?.version ?? 0
  let version = firstVersion
  const wrongCosts: WrongCost[] = []
  let committing: Promise<boolean> | undefined
  const settle = async (): Promise<boolean> => committing === undefined || (await committing)
  return {
    settle,
    tellWrongCosts: () => {
      for (const { reason, count } of wrongCostRows(wrongCosts)) skips.add(reason, undefined, count)
    },
    /**
     * Prepares a batch, waits for the one before, then begins to write this one and does not wait for it. Skips and
     * counts are told once it is written.
     */
    send: async ({ outcome, cursor }) => {
      const rows = createSkipCollector(path)
      const reused = importer.givesIds === true ? await reusedIds(outcome, deps.storage) : []
      const skipped = [...outcome.skips, ...reused]
      for (const { reason, line } of skipped) rows.add(reason, line)
      for (const { reason, count } of wrongCostRows(outcome.wrongCosts)) rows.add(reason, undefined, count)
      const sessions = outcome.sessions.map(({ session }) => session.id)
      const prepared = deps.storage.prepare({
        path,
        agent: importer.agent,
        baseVersion: version,
        restarted: isRestarted && version === firstVersion,
        sessions: await resolveWorkspaces(outcome.sessions, importer.workspaces, deps.workspaceOf),
        source: outcome.source,
        skips: rows.rows(),
        cursor,
      })
      version++
      if (!(await settle())) return false
      committing = prepared.commit().then((counts) => {
        if (counts === undefined) return false
        progress.onCommit(counts, sessions)
        for (const { reason, line } of skipped) skips.add(reason, line)
        wrongCosts.push(...outcome.wrongCosts)
        return true
      })
      // The caller may throw (a read error, an abort) before it looks at this promise.
      committing.catch(() => undefined)
      return true
    },
  }
}

/** How a document ended: `open` also where its last element is incomplete (`incompleteLine` is given). */
const endOf = (document: DocumentEnd, incompleteLine: number | undefined): DocumentEnd =>
  document === 'complete' && incompleteLine !== undefined ? 'open' : document

/** Adds a skip for an end that could not be read; none for `complete`. `line` is the number of the incomplete one. */
const nameUnreadEnd = (
  end: DocumentEnd,
  format: DocumentFormat,
  line: number | undefined,
  skips: SkipCollector,
): void => {
  if (end === 'no-array') skips.add(NO_ARRAY)
  else if (end === 'open' && format === 'lines') skips.add(OPEN_LINE, line)
  else if (end === 'open') skips.add(OPEN_DOCUMENT)
}

/**
 * Adds again the skip for the unread end that an unchanged file was left with at its last import. None for a new file,
 * or one that was read to its end.
 */
const nameIncomplete = (known: ImportedFile | undefined, format: DocumentFormat, skips: SkipCollector): void => {
  if (known === undefined) return
  const { end } = unpackState(known.cursor.parserState)
  nameUnreadEnd(end, format, known.cursor.line + 1, skips)
}

/** Passes a generator's items on and its end to `ended`. */
async function* endingOf(
  batches: AsyncGenerator<readonly SourceItem[], DocumentEnd>,
  ended: (end: DocumentEnd) => void,
): AsyncGenerator<readonly SourceItem[]> {
  ended(yield* batches)
}
