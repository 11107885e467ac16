/** The import itself, on any thread: opens the store, reads what is new, and reports progress. */
import { createEngine, messageOf } from '@cairn/core'
import type { EngineEvent, Store } from '@cairn/core'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import type { ImportJob, ImportMessage } from './import-job.ts'

/** Time between two messages of progress, ms. */
const TELL_EVERY_MS = 100

/**
 * Runs an import job, and passes its messages to `tell`, progress at most ten times a second. Never rejects: the last
 * message says how it ended (`done`, `stopped` by the signal, `failed`). The store is closed then.
 */
export const performImport = async (
  job: ImportJob,
  openStore: (address: string) => Promise<Store>,
  tell: (message: ImportMessage) => void,
  signal: AbortSignal,
): Promise<void> => {
  const clock = createSystemClock()
  let toldAt = 0
  const listen = (event: EngineEvent): void => {
    if (event.type === 'import-skipped') tell({ kind: 'skipped', skip: event.skip })
    if (event.type !== 'import-progress' || clock.now() - toldAt < TELL_EVERY_MS) return
    toldAt = clock.now()
    const { file, filesDone, files, bytesDone, bytes } = event
    tell({
      kind: 'progress',
      progress: { file, filesDone, files, share: bytes === 0 ? 1 : Math.min(1, bytesDone / bytes) },
    })
  }
  try {
    const engine = createEngine({
      store: await openStore(job.address),
      fileSystem: createFileSystem(),
      hasher: createHasher(),
      clock,
      ids: createIds(clock),
      prices: job.prices,
    })
    try {
      const report = await engine.imports.run(
        { environment: job.environment, ...(job.from.length === 0 ? {} : { from: job.from }) },
        listen,
        signal,
      )
      tell({ kind: 'done', report })
    } finally {
      await engine.close()
    }
  } catch (error) {
    tell(signal.aborted ? { kind: 'stopped' } : { kind: 'failed', sentence: messageOf(error) })
  }
}
