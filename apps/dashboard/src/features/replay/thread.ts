/** The thread in which a session is replayed: entries come in parts, then the outcome goes back, or why there is none. */
import { parentPort, workerData } from 'node:worker_threads'
import { CairnError } from '@cairn/core'
import type { LogEntry } from '@cairn/core'
import { replaySession } from './replay-session.ts'
import type { ReplayOrder, ReplayOutcome } from './replay-session.ts'
import type { Progress } from './progress.ts'

/** A part of the log, or that there is no more of it. */
export type ToThread = { readonly entries: readonly LogEntry[] } | { readonly isComplete: true }
/** `failure` is a sentence for people; other faults end the thread. */
export type FromThread =
  { readonly progress: Progress } | { readonly outcome: ReplayOutcome } | { readonly failure: string }

/** How often the page hears of it, ms. */
const TELL_EVERY_MS = 100

const port = parentPort
if (port !== null) {
  const tell = (message: FromThread): void => port.postMessage(message)
  const entries: LogEntry[] = []
  let toldAt = 0
  /**
   * Replays the session of this thread, tells its progress at most every `TELL_EVERY_MS`, and then its outcome or a
   * failure for the user. Other errors end the thread.
   */
  const run = async (): Promise<void> => {
    try {
      const outcome = await replaySession(workerData as ReplayOrder, entries, (progress) => {
        const now = performance.now()
        if (now - toldAt < TELL_EVERY_MS) return
        toldAt = now
        tell({ progress })
      })
      tell({ outcome })
    } catch (error) {
      if (!CairnError.is(error)) throw error
      tell({ failure: error.message })
    }
    port.close()
  }
  port.on('message', (message: ToThread) => {
    if ('entries' in message) for (const entry of message.entries) entries.push(entry)
    else void run()
  })
}
