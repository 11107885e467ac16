/** Notices silence. */
import { ModelError } from '../../ports/language-model.ts'

/** Ends a wait that takes too long, or is no longer wanted. One timer serves all waits of a stream. */
export class Watchdog {
  /** Why no more is waited for. */
  stopped: ModelError | undefined
  readonly #onStop: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #limitMs = 0
  #late: () => ModelError = () => new ModelError('timeout', 'No answer in time.')
  /** When the wait that runs began, ms; undefined while nothing is waited for. */
  #since: number | undefined
  #reject: ((error: ModelError) => void) | undefined

  constructor(onStop: () => void) {
    this.#onStop = onStop
  }

  /**
   * Sets how long a wait may take from now on, ms, and the error that ends one that takes longer, counted from its own
   * beginning.
   */
  limit(ms: number, late: () => ModelError): void {
    this.#limitMs = ms
    this.#late = late
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#check, ms)
  }

  /** {@link limit} and {@link wait} in one. */
  watch<T>(promise: Promise<T>, ms: number, late: () => ModelError): Promise<T> {
    this.limit(ms, late)
    return this.wait(promise)
  }

  /**
   * The promise's result; rejects earlier with what stops the wait: the time limit's error, or that of `stop`. The
   * promise itself goes on. One wait at a time.
   */
  wait<T>(promise: Promise<T>): Promise<T> {
    if (this.stopped !== undefined) {
      promise.catch(() => undefined)
      return Promise.reject(this.stopped)
    }
    this.#since = performance.now()
    return new Promise((resolve, reject) => {
      this.#reject = reject
      promise
        .finally(() => {
          this.#since = undefined
        })
        .then(resolve, reject)
    })
  }

  /** Ends the wait that runs, and every later one, with this error, and calls `onStop`. Only the first error counts. */
  stop(error: ModelError): void {
    this.stopped ??= error
    clearTimeout(this.#timer)
    this.#onStop()
    this.#reject?.(this.stopped)
  }

  /** Stops the timer; nothing that was or will be waited for is ended by it any more. */
  end(): void {
    clearTimeout(this.#timer)
    this.#reject = undefined
  }

  readonly #check = (): void => {
    const since = this.#since
    const left = this.#limitMs - (since === undefined ? 0 : performance.now() - since)
    // Timers may fire a little early.
    if (left > 1) this.#timer = setTimeout(this.#check, left)
    else {
      // A program that was busy, or a computer that slept, has not looked yet at what arrived in the meantime.
      this.#timer = setTimeout(() => {
        if (this.#since === since) this.stop(this.#late())
        else this.#check()
      }, LAST_LOOK_MS)
    }
  }
}

/** How long what has arrived may take to be looked at, ms. */
const LAST_LOOK_MS = 50
