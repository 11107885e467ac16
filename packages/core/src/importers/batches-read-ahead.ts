/**
 * The import's side of what threads read ahead: sessions are checked as they come, and requests priced. Where something
 * can't be decided batch by batch, the file is read again in this thread, which does all of it.
 */
import type { FileReadAhead, ReadBatch, ReadRows } from '../ports/read-ahead.ts'
import type { SessionBatch } from '../ports/import-storage.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { FileBatch, ReadDeps, ReadProgress } from './file-batches.ts'
import type { ImportPlan } from './import-plan.ts'
import { pricedWrite } from './parse-batch.ts'
import type { SkipCollector } from './skips.ts'
import { untilStopped } from './stoppable.ts'

/** The rest of a file has to be read without a thread. */
export class ReadHere extends Error {
  constructor() {
    super('the rest of the file is read again')
  }
}

/**
 * The batches of a file as a thread reads them. Rejects with {@link ReadHere} before a batch of which something may have
 * to be hidden, with the signal's reason when that is aborted, and as the reading does.
 */
export async function* batchesReadAhead(
  { format }: ImportPlan,
  ahead: FileReadAhead,
  deps: Omit<ReadDeps, 'priceBook'> & { readonly priceBook: PriceBook },
  skips: SkipCollector,
  progress: ReadProgress,
): AsyncGenerator<FileBatch> {
  for await (const { notices, rows } of untilAborted(ahead.batches(), deps.signal)) {
    for (const { reason, line, count } of notices) skips.add(reason, line, count)
    if (rows === undefined) continue
    if ((format === 'lines' && rows.awaitsFolder) || (await mayHide(rows, deps))) throw new ReadHere()
    progress.onBytes(rows.cursor.offset)
    yield fileBatch(rows, deps.priceBook, deps.clock.now())
  }
}

/** Whether something of the rows is of a session that nothing may be kept of. */
const mayHide = async (
  { sessionsToCheck, foldersToCheck }: ReadRows,
  { isHidden, isHiddenIn }: Pick<ReadDeps, 'isHidden' | 'isHiddenIn'>,
): Promise<boolean> => {
  if (sessionsToCheck.some((session) => isHidden?.(session) === true)) return true
  for (const { session, folder } of foldersToCheck) if ((await isHiddenIn?.(session, folder)) === true) return true
  return false
}

const fileBatch = (
  { sessions, source, skips, wrongCosts, cursor, draft }: ReadRows,
  prices: PriceBook,
  now: number,
): FileBatch => ({
  outcome: {
    sessions: sessions.map(({ session, writes }): SessionBatch => ({
      session,
      writes: writes.map((write) => pricedWrite(write, prices, now)),
    })),
    source,
    skips,
    wrongCosts,
    lines: new Map<EntryWrite, number>(),
    hasUnplaced: false,
  },
  cursor,
  ...(draft === undefined ? {} : { draft }),
})

/** The batches until the signal is aborted; then it rejects with its reason. */
async function* untilAborted(
  batches: AsyncIterable<ReadBatch>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReadBatch> {
  const reader = batches[Symbol.asyncIterator]()
  for (;;) {
    const next = await untilStopped(reader.next(), signal)
    if (next.done === true) return
    yield next.value
  }
}
