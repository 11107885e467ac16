/**
 * Imports one file: plans from its cursor what to read, reads and parses it in batches, and sends these to the storage.
 * While one batch is written the next is read, so at most two are in memory; commits stay in order. When another import
 * of the same file was faster, this one goes on from where that one got to. A thread of the storage may have read ahead.
 */
import type { FileFacts } from '../ports/file-system.ts'
import type { ImportStorage, ImportedFile } from '../ports/import-storage.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { FileReadAhead } from '../ports/read-ahead.ts'
import { ReadHere, batchesReadAhead } from './batches-read-ahead.ts'
import { createSender, type SendDeps, type SendProgress } from './batch-sender.ts'
import { isUnchanged } from './cursor.ts'
import { NO_ROWS, readBatches, readRecords, type FileBatch, type ReadDeps, type ReadProgress } from './file-batches.ts'
import { planImport, type ImportPlan } from './import-plan.ts'
import type { Importer } from './importer.ts'
import { createPauses } from './pauses.ts'
import { UNFINISHED } from './record-batches.ts'
import type { SkipCollector } from './skips.ts'
import { OPEN_DOCUMENT, OPEN_LINE, nameIncomplete } from './unread-end.ts'

/** What the import of a file reads from and writes to. */
export interface ImportFileDeps extends Omit<ReadDeps, 'priceBook' | 'pauses'>, SendDeps {
  readonly priceBook: () => Promise<PriceBook>
  readonly storage: SendDeps['storage'] & Pick<ImportStorage, 'file'>
  /** What a thread reads of a file that is not known yet; undefined where none does. */
  readonly readAhead?: ((path: string) => FileReadAhead | undefined) | undefined
}

/** Called while a file is imported. */
export interface ImportFileProgress extends ReadProgress, SendProgress {}

/** Whether anything was read: an unchanged file counts as not imported. */
export type ImportFileResult = 'unchanged' | 'imported'

/** How often another importer may be faster before the file is left to it. */
const MAX_LOSSES = 3
/** Why a file was left before its end: the other import may have looked at it earlier. */
export const LEFT_TO_ANOTHER = 'another import is reading it; what is left is read at the next import'

/** Whether what was left out is only not finished yet, as in a file that is being written: the next import reads it. */
export const isUnfinished = (reason: string): boolean =>
  reason === LEFT_TO_ANOTHER || reason === OPEN_LINE || reason === OPEN_DOCUMENT || reason === UNFINISHED

/**
 * Imports what is new in a file; `skips` is told what is left out. When another import wrote a batch of it first, it is
 * tried again from there, and after three such losses left to the other. Rejects with a CairnError when it can't be
 * read; batches committed before that stay.
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
  let ahead = known === undefined ? deps.readAhead?.(facts.path) : undefined
  try {
    for (let losses = 0; losses < MAX_LOSSES;) {
      deps.signal?.throwIfAborted()
      const outcome = await importOnce(facts, importer, file, { ...deps, ahead }, skips, progress)
      if (outcome === 'unchanged' || outcome === 'imported') return outcome
      if (outcome === 'lost') losses++
      ahead?.drop()
      ahead = undefined
      file = await deps.storage.file(facts.path)
      // Read to its end by the other: all is there.
      if (file !== undefined && isUnchanged(file.cursor, facts)) return 'imported'
    }
  } finally {
    ahead?.drop()
  }
  // A batch is only ever lost to one that was written, so the other import gets on.
  skips.add(LEFT_TO_ANOTHER)
  return 'imported'
}

/** What one reading of a file needs; with what a thread reads of it. */
type OnceDeps = ImportFileDeps & { readonly ahead: FileReadAhead | undefined }

/**
 * Imports what is new once; `lost` where another import wrote a batch first, `unread` where the rest of what a thread was
 * reading has to be read without it.
 */
const importOnce = async (
  facts: FileFacts,
  importer: Importer,
  known: ImportedFile | undefined,
  deps: OnceDeps,
  skips: SkipCollector,
  progress: ImportFileProgress,
): Promise<ImportFileResult | 'lost' | 'unread'> => {
  const plan = await planImport(facts, importer, known, deps)
  if (plan.change === 'unchanged') {
    nameIncomplete(known, plan.format, skips)
    return 'unchanged'
  }
  const sender = createSender(plan, deps, skips, progress)
  const reading = { ...deps, pauses: createPauses(deps.clock, deps.signal), priceBook: await deps.priceBook() }
  let hasNewItems = false
  try {
    for await (const batch of batchesOf(plan, reading, skips, progress)) {
      hasNewItems ||= batch.outcome !== NO_ROWS
      if (reading.pauses.isDue()) await reading.pauses.take()
      if (!(await sender.send(batch))) return 'lost'
    }
    if (!(await sender.settle())) return 'lost'
  } catch (error) {
    await sender.settle().catch(() => undefined)
    if (!isReadAgain(error, deps, skips)) throw error
    sender.tellWrongCosts()
    return 'unread'
  }
  sender.tellWrongCosts()
  return !hasNewItems && (plan.change === 'touched' || plan.format === 'records') ? 'unchanged' : 'imported'
}

/** Whether what a thread was reading is read again after an error; that the thread has ended is told. */
const isReadAgain = (error: unknown, { ahead, signal }: OnceDeps, skips: SkipCollector): boolean => {
  if (signal?.aborted === true) return false
  const failure = ahead?.failure()
  if (failure?.notice !== undefined) skips.add(failure.notice)
  return failure !== undefined || error instanceof ReadHere
}

/** The batches of a file, from a thread where one reads it. */
const batchesOf = (
  plan: ImportPlan,
  reading: ReadDeps & Required<Pick<ReadDeps, 'priceBook'>> & Pick<OnceDeps, 'ahead'>,
  skips: SkipCollector,
  progress: ReadProgress,
): AsyncIterable<FileBatch> => {
  if (reading.ahead !== undefined) return batchesReadAhead(plan, reading.ahead, reading, skips, progress)
  return (plan.format === 'records' ? readRecords : readBatches)(plan, reading, skips, progress)
}
