/** The window's side of following transcripts: one thread at a time, started again when what it follows into has changed. */
import { Worker } from 'node:worker_threads'
import { messageOf } from '@cairn/core'
import { watchStatusText } from '@cairn/core/node/watching'
import type { WatchStatus, WatchStatusText } from '@cairn/core/node/watching'
import { STOP } from '../imports/import-job.ts'
import type { WatchJob, WatchMessage } from './watch-job.ts'

/** What a window follows; or why it does not, as a sentence. */
export type WatchPlan =
  { readonly follows: true; readonly job: WatchJob } | { readonly follows: false; readonly reason: string }

/** What a window's watch needs. */
export interface TranscriptWatchDeps {
  /** Decides again at each call. */
  readonly plan: () => WatchPlan
  /** Starts a thread for a job. */
  readonly startThread: (job: WatchJob) => WatchThread
  readonly log: (sentence: string) => void
}

/** A thread that follows transcripts. */
export type WatchThread = Pick<Worker, 'postMessage' | 'terminate'> & {
  on(event: 'message', listener: (message: WatchMessage) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'exit', listener: () => void): unknown
}

/** Follows transcripts in a thread, as the plan says. */
export interface TranscriptWatch {
  readonly status: () => WatchStatusText
  /** Returns the end of the subscription. */
  readonly onChange: (listener: () => void) => () => void
  /** Follows what the plan says now; nothing happens where that is the same. */
  readonly lookAgain: () => void
  /** Resolves when nothing of it runs any more. */
  readonly close: () => Promise<void>
}

/** How long a thread may take to write what it has in hand, ms; the next import reads the rest. */
const PATIENCE_MS = 3_000
/** After a thread broke: time until the next one is started, ms. */
const BROKEN_PAUSE_MS = 60_000

/**
 * Returns a function that starts a thread of the bundle for a job, without the editor's own flags (inspectors, hooks).
 */
export const startWatchThread =
  (bundle: URL) =>
  (job: WatchJob): WatchThread =>
    new Worker(bundle, { workerData: job, execArgv: [] })

/** A thread that runs. */
interface Running {
  readonly key: string
  readonly end: () => Promise<void>
}

/**
 * Returns a watch that does nothing until `lookAgain` is called. `lookAgain` starts, ends or restarts it as the plan is
 * by then.
 */
export const createTranscriptWatch = (deps: TranscriptWatchDeps): TranscriptWatch => {
  const watch = new ThreadedWatch(deps)
  return {
    status: () => watchStatusText(watch.status, 'This window'),
    onChange: (listener) => watch.subscribe(listener),
    lookAgain: () => watch.lookAgain(),
    close: () => watch.close(),
  }
}

/** See {@link TranscriptWatch}. */
class ThreadedWatch {
  status: WatchStatus = { state: 'off', reason: 'The window has just been opened.' }
  readonly #deps: TranscriptWatchDeps
  readonly #listeners = new Set<() => void>()
  #running: Running | undefined
  #changing: Promise<void> | undefined
  #isClosed = false
  #restart: NodeJS.Timeout | undefined

  constructor(deps: TranscriptWatchDeps) {
    this.#deps = deps
  }

  /** Calls the listener at each new status; returns what ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads the settings again and follows what they say now; calls during that are joined. */
  lookAgain(): void {
    clearTimeout(this.#restart)
    this.#changing ??= this.#change().finally(() => {
      this.#changing = undefined
    })
  }

  /** Ends following and waits for the thread to end. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#restart)
    this.#listeners.clear()
    await this.#changing
    await this.#running?.end()
  }

  /** Takes a status, and tells the listeners. */
  #show(status: WatchStatus): void {
    this.status = status
    for (const listener of this.#listeners) listener()
  }

  #showOff(reason: string): void {
    if (this.status.state !== 'off' || this.status.reason !== reason) this.#show({ state: 'off', reason })
  }

  /**
   * Brings what runs in line with the plan. Ends what runs before anything else is started: two threads of one process
   * would hold the same lease. Nothing if it runs as planned, or is closed.
   */
  async #change(): Promise<void> {
    for (;;) {
      const plan = this.#plan()
      const key = plan.follows ? JSON.stringify(plan.job) : undefined
      if (this.#isClosed || (this.#running !== undefined && this.#running.key === key)) return
      if (this.#running === undefined) {
        if (plan.follows) this.#running = this.#start(plan.job, key ?? '')
        else this.#showOff(plan.reason)
        return
      }
      await this.#running.end()
      this.#running = undefined
    }
  }

  /** Returns what is to be followed; what can't be read is the reason to follow nothing. */
  #plan(): WatchPlan {
    try {
      return this.#deps.plan()
    } catch (error) {
      return { follows: false, reason: messageOf(error) }
    }
  }

  /**
   * Starts the thread that follows; only where none runs, and the caller keeps the result. `key` tells jobs apart. When one
   * ends by itself, the settings are looked at again after a pause, unless this is closed; `end` stops it, by force after
   * `PATIENCE_MS`.
   */
  #start(job: WatchJob, key: string): Running {
    const thread = this.#deps.startThread(job)
    let isEnding = false
    thread.on('message', (message) => {
      if (isEnding) return
      if (message.kind === 'status') this.#show(message.status)
      else this.#deps.log(message.sentence)
    })
    thread.on('error', (error) => {
      this.#deps.log(`Transcripts are not followed: ${messageOf(error)}`)
      this.#showOff(messageOf(error))
    })
    const ended = new Promise<void>((resolve) => {
      thread.on('exit', () => {
        resolve()
        if (!isEnding) this.#startLater()
      })
    })
    const end = async (): Promise<void> => {
      isEnding = true
      thread.postMessage(STOP)
      const limit = setTimeout(() => void thread.terminate(), PATIENCE_MS)
      await ended
      clearTimeout(limit)
    }
    return { key, end }
  }

  /** Looks again after a pause, when a thread ended by itself; not once closed. */
  #startLater(): void {
    this.#running = undefined
    if (this.#isClosed) return
    this.#restart = setTimeout(() => this.lookAgain(), BROKEN_PAUSE_MS)
    this.#restart.unref()
  }
}
