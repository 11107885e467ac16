/**
 * Imports one file: decides by its cursor whether there is anything to read, and takes it through
 * read → parse → prepare → commit. While one batch is being written the next is read, parsed and
 * prepared, so at most two are held; commits stay in order. When another importer was faster, it goes
 * on from where that one got to.
 */
import type { ImportCounts, ImportCursor, ImportStorage, ImportedFile } from '../ports/import-storage.ts'
import type { FileFacts, FileSystem } from '../ports/file-system.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { JsonValue } from '../json.ts'
import {
  changeOf,
  createFingerprintRecorder,
  isUnchanged,
  isPacked,
  packState,
  unpackState,
  windowsOf,
} from './cursor.ts'
import type { Importer } from './importer.ts'
import { splitElements, type DocumentEnd } from './json-elements.ts'
import { splitLines, type SourceItem } from './lines.ts'
import { createBatchParser, type BatchOutcome, type ParseDeps } from './parse-batch.ts'
import { readable } from './readable.ts'
import { reusedIds } from './reused-ids.ts'
import { createSkipCollector, type SkipCollector } from './skips.ts'
import { resolveWorkspaces } from './resolve-workspaces.ts'

export interface ImportFileDeps extends Omit<ParseDeps, 'priceBook'> {
  readonly priceBook: () => Promise<PriceBook>
  readonly storage: Pick<ImportStorage, 'file' | 'prepare' | 'messagesWith'>
  readonly fileSystem: Pick<FileSystem, 'read' | 'stat' | 'readText'>
  readonly workspaceOf: (folder: string) => Promise<string>
  readonly signal?: AbortSignal | undefined
}

export interface ImportFileProgress {
  /** A batch was written. */
  onCommit(counts: ImportCounts): void
  /** Bytes of the file read so far. */
  onBytes(bytes: number): void
  /** A large batch is taken in hand. */
  onLarge(): void
}

/** Whether anything was read: an unchanged file counts as not imported. */
export type ImportFileResult = 'unchanged' | 'imported'

/** How often another importer may be faster before the file is left to it. */
const MAX_LOSSES = 3
const LEFT_TO_ANOTHER = 'another import is reading it; what is left is read at the next import'
/** Bytes of a line that may take seconds. */
const LARGE_LINE = 2 << 20
const OPEN_LINE = 'the last line is incomplete; it is tried again at the next import'
const OPEN_DOCUMENT = 'the document is incomplete; it is tried again at the next import'

/**
 * Imports what is new in a file. Rejects with a CairnError when it can't be read; batches committed
 * before that stay.
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

/** What stands beside a file is kept as well: it passes through the same redaction as its lines. */
const withoutSecrets = (
  context: JsonValue | undefined,
  { redact }: Pick<ImportFileDeps, 'redact'>,
): JsonValue | undefined =>
  context === undefined ? undefined : (JSON.parse(redact(JSON.stringify(context)).text) as JsonValue)

const importOnce = async (
  facts: FileFacts,
  importer: Importer,
  known: ImportedFile | undefined,
  deps: ImportFileDeps,
  skips: SkipCollector,
  progress: ImportFileProgress,
): Promise<ImportFileResult | 'lost'> => {
  const format = importer.format(facts.path)
  const packed = isPacked(facts.path)
  // What another agent's parser remembered is of no use to this one.
  const change =
    known !== undefined && known.agent !== importer.agent ? 'rewritten' : await changeOf(known?.cursor, facts, deps)
  if (change === 'unchanged') {
    nameIncomplete(known, format, skips)
    return 'unchanged'
  }
  // A document is written anew at each save: what counts is the whole of it.
  const continued = format === 'lines' && (change === 'grown' || change === 'touched') ? known?.cursor : undefined
  const former = continued === undefined ? undefined : unpackState(continued.parserState)
  const earlier =
    format !== 'elements' || known?.agent !== importer.agent ? undefined : unpackState(known.cursor.parserState)
  const context = withoutSecrets(await importer.context?.(facts.path, deps.fileSystem), deps)
  const parser = importer.parser({
    path: facts.path,
    hasher: deps.hasher,
    ...(former === undefined || former.parser === null ? {} : { state: former.parser }),
    ...(earlier === undefined
      ? {}
      : { earlier: { state: earlier.parser, isComplete: earlier.finished && !earlier.incomplete } }),
    ...(context === undefined ? {} : { context }),
  })
  const parse = createBatchParser(parser, format, { ...deps, priceBook: await deps.priceBook() })
  const startOffset = continued?.offset ?? 0
  const windows =
    continued === undefined
      ? { head: new Uint8Array(0), tail: new Uint8Array(0) }
      : await windowsOf(continued, facts.path, deps.fileSystem)
  const recorder = createFingerprintRecorder(deps.hasher, startOffset, windows)
  const read = deps.fileSystem.read(
    facts.path,
    startOffset,
    packed ? { unpack: 'gzip', onNotice: (notice) => skips.add(notice) } : undefined,
  )
  // A file that is no text is left before anything of it is kept.
  const chunks = recorder.follow(startOffset === 0 ? readable(read, facts.path) : read)

  let version = known?.version ?? 0
  let line = continued?.line ?? 0
  let offset = startOffset
  let continuesLine = former?.continuesLine ?? false
  let fingerprint = continued?.fingerprint ?? recorder.at(0)
  let incompleteLine: number | undefined
  let finished = false
  let committing: Promise<boolean> | undefined
  const restarted = change === 'rewritten' || (known !== undefined && format === 'elements')

  const cursorNow = (incomplete: boolean): ImportCursor => ({
    identity: facts.identity,
    size: finished ? facts.size : 0,
    modifiedAt: finished ? facts.modifiedAt : 0,
    offset,
    line,
    fingerprint,
    parserState: packState({ parser: parser.state(), continuesLine, incomplete, finished }),
  })

  /** Prepares a batch at once, and writes it after the one before; false when another importer was faster. */
  const send = async (outcome: BatchOutcome, incomplete: boolean): Promise<boolean> => {
    const rows = createSkipCollector(facts.path)
    const left =
      importer.givesIds === true ? [...outcome.skips, ...(await reusedIds(outcome, deps.storage))] : outcome.skips
    for (const skip of left) rows.add(skip.reason, skip.line)
    const sessions = await resolveWorkspaces(outcome.sessions, importer.workspaces, deps.workspaceOf)
    const prepared = deps.storage.prepare({
      path: facts.path,
      agent: importer.agent,
      baseVersion: version,
      restarted: restarted && version === (known?.version ?? 0),
      sessions,
      source: outcome.source,
      skips: rows.rows(),
      cursor: cursorNow(incomplete),
    })
    version++
    if (committing !== undefined && !(await committing)) return false
    const running = prepared.commit().then((counts) => {
      if (counts === undefined) return false
      progress.onCommit(counts)
      for (const skip of left) skips.add(skip.reason, skip.line)
      return true
    })
    // The loop may throw (a read error, an abort) before it looks at this promise.
    running.catch(() => undefined)
    committing = running
    return true
  }

  const document: { end: DocumentEnd } = { end: 'complete' }
  let sent = 0
  const batches =
    format === 'lines'
      ? splitLines(chunks, { offset: startOffset, line, continuesLine })
      : endingOf(splitElements(chunks), (found) => {
          document.end = found
        })
  try {
    for await (const items of batches) {
      deps.signal?.throwIfAborted()
      if (items.some(({ bytes }) => bytes.length >= LARGE_LINE)) progress.onLarge()
      const outcome = parse(items)
      incompleteLine = outcome.incomplete?.line
      const whole = incompleteLine === undefined ? items.at(-1) : items.at(-2)
      if (whole === undefined) continue
      line = whole.number
      offset = whole.endOffset
      fingerprint = recorder.at(offset)
      continuesLine = whole.problem === 'open'
      finished = format === 'lines' && !packed && offset === facts.size
      progress.onBytes(offset)
      sent++
      if (!(await send(outcome, false))) return 'lost'
    }
  } catch (error) {
    await committing?.catch(() => undefined)
    throw error
  }
  if (document.end !== 'complete') skips.add(document.end === 'no-array' ? 'not a JSON array' : OPEN_DOCUMENT)
  else if (incompleteLine !== undefined) skips.add(OPEN_LINE, incompleteLine)
  if (!finished) {
    finished = true
    if (
      !(await send(
        { sessions: [], source: [], skips: [], lines: new Map() },
        incompleteLine !== undefined || document.end !== 'complete',
      ))
    )
      return 'lost'
  }
  if (committing !== undefined && !(await committing)) return 'lost'
  return sent === 0 && change === 'touched' ? 'unchanged' : 'imported'
}

/** A file that was left with an incomplete end is still incomplete when nothing has changed. */
const nameIncomplete = (known: ImportedFile | undefined, format: 'lines' | 'elements', skips: SkipCollector): void => {
  if (known === undefined || !unpackState(known.cursor.parserState).incomplete) return
  if (format === 'lines') skips.add(OPEN_LINE, known.cursor.line + 1)
  else skips.add(OPEN_DOCUMENT)
}

/** Passes a generator's items on and its end to `ended`. */
async function* endingOf(
  batches: AsyncGenerator<readonly SourceItem[], DocumentEnd>,
  ended: (end: DocumentEnd) => void,
): AsyncGenerator<readonly SourceItem[]> {
  ended(yield* batches)
}
