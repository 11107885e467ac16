/**
 * Collects values and writes them later, in one batch per scope. A value set during a write is part of the next batch.
 * A failed batch is retried, except for values that were set again in the meantime.
 */
import type { JsonValue } from '../json.ts'
import type { StateScope } from '../ports/state-storage.ts'
import type { Timer } from '../ports/timer.ts'
import { scopeText } from './state-key.ts'

/** A batch that could not be written. Its values are kept and written with the next one. */
export interface WriteFailure {
  readonly error: unknown
  /** Number of values waiting now. */
  readonly waiting: number
  /** Number of consecutive failures. */
  readonly attempt: number
  /** Delay until the next try, ms. */
  readonly retryInMs: number
}

export interface WriteBehindDeps {
  readonly timer: Timer
  /** Writes all values or none. */
  readonly write: (scope: StateScope, values: ReadonlyMap<string, JsonValue | undefined>) => Promise<void>
  readonly onFailure: (failure: WriteFailure) => void
  /** Delay from the first value of a batch until it is written, ms. Default 500. */
  readonly delayMs?: number
}

export interface WriteBehind {
  /** Queues a value to be written with the next batch; undefined removes it from the store. */
  add(scope: StateScope, key: string, value: JsonValue | undefined): void
  /** Whether a value of this key is waiting to be stored. */
  isPending(scope: StateScope, key: string): boolean
  /** Writes everything added before the call, now. Rejects if that fails; it is kept and retried. */
  flush(): Promise<void>
  /** Stops automatic writes. */
  stop(): void
}

interface ScopeBatch {
  readonly scope: StateScope
  readonly values: Map<string, JsonValue | undefined>
}
type Batch = Map<string, ScopeBatch>

const WRITE_DELAY_MS = 500
const LONGEST_RETRY_MS = 30_000
/** 500 ms doubled this often exceeds the longest delay. */
const MOST_DOUBLINGS = 10

/** Creates an empty queue of writes that are stored together shortly after. Failed writes are kept and retried. */
export const createWriteBehind = (deps: WriteBehindDeps): WriteBehind => new BatchQueue(deps)

class BatchQueue implements WriteBehind {
  readonly #deps: WriteBehindDeps
  readonly #delayMs: number
  #waiting: Batch = new Map<string, ScopeBatch>()
  #writing: Batch = new Map<string, ScopeBatch>()
  #failures = 0
  #cancel: (() => void) | undefined
  /** One batch at a time. */
  #turn: Promise<void> = Promise.resolve()

  constructor(deps: WriteBehindDeps) {
    this.#deps = deps
    this.#delayMs = deps.delayMs ?? WRITE_DELAY_MS
  }

  /** Adds a value to the next batch, undefined to remove it; a later one of the same key replaces it. */
  add(scope: StateScope, key: string, value: JsonValue | undefined): void {
    const text = scopeText(scope)
    const batch = this.#waiting.get(text)
    if (batch === undefined) this.#waiting.set(text, { scope, values: new Map([[key, value]]) })
    else batch.values.set(key, value)
    this.#schedule(this.#delayMs)
  }

  /** Whether a value waits to be written, or is being written. */
  isPending(scope: StateScope, key: string): boolean {
    const text = scopeText(scope)
    return [this.#waiting, this.#writing].some((batch) => batch.get(text)?.values.has(key) === true)
  }

  /** Writes what waits, after a batch under way. Rejects with the first failure; what was not written waits again. */
  flush(): Promise<void> {
    const mine = this.#turn.then(() => this.#writeBatch())
    this.#turn = mine.catch(() => undefined)
    return mine
  }

  /** Takes back the planned batch; what waits stays. */
  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  /** Plans a batch in `ms`, unless one is planned already. A failure is told to `onFailure`. */
  #schedule(ms: number): void {
    this.#cancel ??= this.#deps.timer.after(ms, () => {
      this.#cancel = undefined
      // A failure is told to `onFailure`.
      this.flush().catch(() => undefined)
    })
  }

  /**
   * Writes one batch, scope by scope. A scope that fails is put back, the others are still written; then rejects.
   * Nothing if nothing waits.
   */
  async #writeBatch(): Promise<void> {
    this.stop()
    if (this.#waiting.size === 0) return
    // Taken before anything is awaited: what is added from here on belongs to the next batch.
    this.#writing = this.#waiting
    this.#waiting = new Map<string, ScopeBatch>()
    let failed: { readonly error: unknown } | undefined
    for (const [text, batch] of this.#writing) {
      try {
        await this.#deps.write(batch.scope, batch.values)
      } catch (error) {
        failed ??= { error }
        this.#putBack(text, batch)
      }
    }
    this.#writing = new Map<string, ScopeBatch>()
    if (failed !== undefined) {
      this.#fail(failed.error)
      throw failed.error
    }
    this.#failures = 0
  }

  /** Puts back what was not written; a newer value of the same key wins. */
  #putBack(text: string, { scope, values }: ScopeBatch): void {
    const newer = this.#waiting.get(text)?.values ?? []
    this.#waiting.set(text, { scope, values: new Map([...values, ...newer]) })
  }

  /** Plans the next try, each time after twice as long up to `LONGEST_RETRY_MS`, and tells of the failure. */
  #fail(error: unknown): void {
    const doublings = Math.min(this.#failures, MOST_DOUBLINGS)
    const retryInMs = Math.min(this.#delayMs * 2 ** doublings, LONGEST_RETRY_MS)
    this.#failures += 1
    // What was added meanwhile waits with the rest.
    this.stop()
    this.#schedule(retryInMs)
    this.#deps.onFailure({ error, waiting: countOf(this.#waiting), attempt: this.#failures, retryInMs })
  }
}

/** The number of values in a batch. */
const countOf = (batch: Batch): number => [...batch.values()].reduce((sum, { values }) => sum + values.size, 0)
