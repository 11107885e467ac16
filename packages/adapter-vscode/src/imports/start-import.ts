/** The window's side of an import: starts the thread, passes its messages on, and stops it when asked. */
import { Worker } from 'node:worker_threads'
import { STOP } from './import-job.ts'
import type { ImportJob, ImportMessage } from './import-job.ts'

/** How an import ended. */
export type ImportOutcome = Exclude<ImportMessage, { readonly kind: 'progress' | 'skipped' }>

/** An import that runs. */
export interface RunningImport {
  readonly outcome: Promise<ImportOutcome>
  /** Stops after the current batch; what was read is kept. */
  stop(): void
}

/**
 * Starts a thread for a job. `bundle`: the file that it runs; `listen` gets its messages. `outcome` never rejects, and
 * resolves when the thread has ended and its store is closed. Progress and skips are told, the last other message is
 * the outcome.
 */
export const startImport = (bundle: URL, job: ImportJob, listen: (message: ImportMessage) => void): RunningImport => {
  // The editor's own flags (inspectors, hooks) are not for this thread.
  const thread = new Worker(bundle, { workerData: job, execArgv: [] })
  const outcome = new Promise<ImportOutcome>((resolve) => {
    let last: ImportOutcome = { kind: 'failed', sentence: 'The import ended without a word; what was read is kept.' }
    thread.on('message', (message: ImportMessage) => {
      if (message.kind === 'progress' || message.kind === 'skipped') listen(message)
      else last = message
    })
    thread.on('error', (error) => {
      last = {
        kind: 'failed',
        sentence: `The import failed: ${error instanceof Error ? error.message : String(error)}`,
      }
    })
    // Only when the thread has ended is its store closed.
    thread.on('exit', () => resolve(last))
  })
  return { outcome, stop: () => thread.postMessage(STOP) }
}
