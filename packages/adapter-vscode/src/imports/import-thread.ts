/** The thread that imports. On the editor's own thread, reading gigabytes would block every other extension. */
import { parentPort } from 'node:worker_threads'
import { openStore } from '@cairn/storage-prisma'
import { STOP } from './import-job.ts'
import type { ImportJob } from './import-job.ts'
import { performImport } from './perform-import.ts'

/**
 * Runs a job in the thread, which ends when the store is closed and messages are no longer listened to; the window's
 * `STOP` stops it. Rejects outside of a thread.
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
