/** The thread that follows transcripts: reading them on the editor's own thread would hold up every other extension. */
import { parentPort } from 'node:worker_threads'
import { STOP } from '../imports/import-job.ts'
import { performWatch } from './perform-watch.ts'
import type { WatchJob } from './watch-job.ts'

/** Runs a job in this thread until the window sends {@link STOP}. Rejects outside a worker thread. */
export const runWatchThread = async (job: WatchJob): Promise<void> => {
  const port = parentPort
  if (port === null) throw new Error('This is no thread.')
  const stop = new AbortController()
  port.on('message', (message: unknown) => {
    if (message === STOP) stop.abort()
  })
  try {
    // A window that only stands by needs no database.
    const openStore = async (address: string) => (await import('@cairn/storage-prisma')).openStore(address)
    await performWatch(job, openStore, (message) => port.postMessage(message), stop.signal)
  } finally {
    port.close()
  }
}
