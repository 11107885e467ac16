/** Commits what other threads have read of a file: the part of `importFile` that needs the store, prices and settings. */
import type { SessionBatch } from '../ports/import-storage.ts'
import type { PriceBook } from '../ports/price-book.ts'
import type { BatchAhead, BatchFacts, ReadAhead } from '../ports/read-ahead.ts'
import { pricedRequest } from '../usage/priced-request.ts'
import type { ImportFileDeps, ImportFileProgress } from './import-file.ts'
import type { Importer, WrongCost } from './importer.ts'
import { resolveWorkspaces } from './resolve-workspaces.ts'
import { createSkipCollector, type SkipCollector } from './skips.ts'
import { untilStopped } from './stoppable.ts'
import { wrongCostRows } from './wrong-costs.ts'

/** What committing needs. */
type AheadDeps = Pick<ImportFileDeps, 'priceBook' | 'clock' | 'workspaceOf' | 'isHidden' | 'isHiddenIn' | 'signal'>

/**
 * Commits the batches of the file at a position, in order. `unfinished`: the rest is to be imported by `importFile`, which
 * goes on from what is committed. Rejects when the store fails, or with the signal's reason.
 */
export const importAhead = async (
  { path, importer, position }: { readonly path: string; readonly importer: Importer; readonly position: number },
  ahead: Pick<ReadAhead, 'next'>,
  deps: AheadDeps,
  skips: SkipCollector,
  progress: ImportFileProgress,
): Promise<'imported' | 'unfinished'> => {
  const wrongCosts: WrongCost[] = []
  try {
    for (let version = 0; ; version++) {
      deps.signal?.throwIfAborted()
      const batch = await untilStopped(ahead.next(position), deps.signal)
      if (batch === undefined) return 'unfinished'
      if (!('commit' in batch)) {
        for (const { reason, line, count } of batch.skips) skips.add(reason, line, count)
        return 'imported'
      }
      if (await isHidden(batch, deps)) return 'unfinished'
      const counts = await commit(batch, { path, importer, version }, deps)
      if (counts === undefined) return 'unfinished'
      progress.onCommit(
        counts,
        batch.sessions.map(({ session }) => session.id),
      )
      for (const { reason, line } of batch.skips) skips.add(reason, line)
      wrongCosts.push(...batch.wrongCosts)
      progress.onBytes(batch.cursor.offset)
    }
  } finally {
    for (const { reason, count } of wrongCostRows(wrongCosts)) skips.add(reason, undefined, count)
  }
}

/** Whether nothing may be kept of a session of the batch, or of one that it descends from. */
const isHidden = async (
  { named, folders }: BatchFacts,
  deps: Pick<AheadDeps, 'isHidden' | 'isHiddenIn'>,
): Promise<boolean> => {
  for (const { session, folder } of folders) if ((await deps.isHiddenIn?.(session, folder)) === true) return true
  return named.some((session) => deps.isHidden?.(session) === true)
}

const commit = async (
  batch: BatchAhead,
  { path, importer, version }: { readonly path: string; readonly importer: Importer; readonly version: number },
  { priceBook, clock, workspaceOf }: Pick<AheadDeps, 'priceBook' | 'clock' | 'workspaceOf'>,
) => {
  const rows = createSkipCollector(path)
  for (const { reason, line } of batch.skips) rows.add(reason, line)
  for (const { reason, count } of wrongCostRows(batch.wrongCosts)) rows.add(reason, undefined, count)
  const sessions = withCosts(batch.sessions, await priceBook(), clock.now())
  return batch.commit({
    path,
    agent: importer.agent,
    baseVersion: version,
    restarted: false,
    sessions: await resolveWorkspaces(sessions, importer.workspaces, workspaceOf),
    source: [],
    skips: rows.rows(),
    cursor: batch.cursor,
  })
}

const withCosts = (sessions: readonly SessionBatch[], priceBook: PriceBook, now: number): readonly SessionBatch[] =>
  sessions.map(({ session, writes }) => ({
    session,
    writes: writes.map((write) =>
      write.request === undefined ? write : { ...write, request: pricedRequest(write.request, priceBook, now) },
    ),
  }))
