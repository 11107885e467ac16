/** The thread that imports: reading gigabytes on the editor's own would stop every other extension. */
import { parentPort } from 'node:worker_threads'
import { openStore } from '@cairn/storage-prisma'
import { STOP } from './import-job.ts'
import type { ImportJob } from './import-job.ts'
import { performImport } from './perform-import.ts'

/** Runs in the thread. It ends when its store is closed and nobody is listened to any more. */
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
