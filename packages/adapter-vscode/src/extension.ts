/** The bundle's entry. It runs as the editor's extension, and again as the threads that import and follow transcripts. */
import { isMainThread, workerData } from 'node:worker_threads'
import type { ExtensionContext } from 'vscode'
import { isImportJob } from './imports/import-job.ts'
import { isWatchJob } from './watching/watch-job.ts'

// Each side is loaded only where it is needed: the thread has no editor.
if (!isMainThread && isImportJob(workerData)) {
  const job = workerData
  void import('./imports/import-thread.ts').then(({ runImportThread }) => runImportThread(job))
}
if (!isMainThread && isWatchJob(workerData)) {
  const job = workerData
  void import('./watching/watch-thread.ts').then(({ runWatchThread }) => runWatchThread(job))
}

let close: (() => Promise<void>) | undefined

/** Opens the window's parts; VS Code calls it once after its start. Rejects if they can't be opened. */
export const activate = async (context: ExtensionContext): Promise<void> => {
  const { openWindow } = await import('./window.ts')
  close = openWindow(context)
}

/**
 * Closes the window's parts; VS Code calls it before the window closes, and waits for the promise. Does nothing if none
 * are open.
 */
export const deactivate = async (): Promise<void> => {
  await close?.()
}
