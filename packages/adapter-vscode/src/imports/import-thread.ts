/** The thread that imports. On the editor's own thread, reading gigabytes would block every other extension. */
import { parentPort } from 'node:worker_threads'
import { openStore } from '@cairn/storage-prisma'
import { STOP } from './import-job.ts'
import type { ImportJob } from './import-job.ts'
import { performImport } from './perform-import.ts'

/**
 * Runs a job in this thread, and ends once the store is closed; the window's {@link STOP} stops it. Rejects outside a
 * worker thread.
 */
export const runImportThread = async (job: ImportJob): Promise<void> => {
  const port = parentPort
  if (port === null) throw new Error('This is no thread.')
  const stop = new AbortController()
  port.on('message', (message: unknown) => {
    if (message === STOP) stop.abort()
  })
  try {
    await performImport(job, openStore, (message) => port.postMessage(message), stop.signal)
  } finally {
    port.close()
  }
}
