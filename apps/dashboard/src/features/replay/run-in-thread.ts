/** Replays a stored session in a thread, so that other questions are answered meanwhile. */
import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { CairnError } from '@cairn/core'
import type { SessionStorage } from '@cairn/core'
import type { Progress } from './progress.ts'
import type { ReplayOrder, ReplayOutcome } from './replay-session.ts'
import type { FromThread, ToThread } from './thread.ts'

/** Entries that are read at once: what comes in between is answered. */
const AT_ONCE = 500
/** A session that needs more than this must not take the whole dashboard along. */
const MOST_MEGABYTES = 2_048

const TOO_LARGE =
  'This session takes more memory to replay than the dashboard gives it; "cairn replay" on the command line takes what there is.'

/**
 * Replays a session in a thread of its own with limited memory, which ends with it. Rejects with the signal's reason
 * once it is aborted, and with a `CairnError` for what the user should know. Running out of memory is such an error.
 * `onProgress` is called on the way.
 */
export const runInThread = async (
  sessions: Pick<SessionStorage, 'read'>,
  order: ReplayOrder,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<ReplayOutcome> => {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  })
  const send = (message: ToThread): void => worker.postMessage(message)
  const outcome = new Promise<ReplayOutcome>((resolve, reject) => {
    worker.on('message', (message: FromThread) => {
      if ('outcome' in message) resolve(message.outcome)
      else if ('failure' in message) reject(new CairnError('invalid-input', message.failure))
      else onProgress(message.progress)
    })
    worker.once('error', (error: Error & { readonly code?: string }) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new CairnError('read-failed', TOO_LARGE) : error),
    )
    worker.once('exit', () => reject(new Error('the thread of a replay ended early')))
    signal.addEventListener(
      'abort',
      () => reject(signal.reason instanceof Error ? signal.reason : new Error('nobody waits')),
      { once: true },
    )
  })
  try {
    await Promise.race([outcome, feed(sessions, order.session, send, signal)])
    return await outcome
  } finally {
    outcome.catch(() => undefined)
    await worker.terminate()
  }
}

/**
 * Sends a session's entries to the thread, some at a time, until the signal is aborted. Then, or at the end of the log,
 * says that this was all. Rejects as the store does.
 */
const feed = async (
  sessions: Pick<SessionStorage, 'read'>,
  id: string,
  send: (message: ToThread) => void,
  signal: AbortSignal,
): Promise<void> => {
  for (let fromSeq = 0; !signal.aborted;) {
    const entries = await sessions.read(id, { fromSeq, limit: AT_ONCE })
    const last = entries.at(-1)
    if (last === undefined) break
    send({ entries })
    fromSeq = last.seq + 1
    await setImmediate()
  }
  send({ isComplete: true })
}
