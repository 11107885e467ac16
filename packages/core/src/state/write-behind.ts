/**
 * Collects values and writes them later, those of a scope together. A value that is set while others are being written is
 * part of the next batch; what could not be written is tried again, unless it was set anew meanwhile.
 */
import type { JsonValue } from '../json.ts'
import type { StateScope } from '../ports/state-storage.ts'
import type { Timer } from '../ports/timer.ts'
import { scopeText } from './state-key.ts'

/** A batch that could not be written. Its values are kept, and written with the next one. */
export interface WriteFailure {
  readonly error: unknown
  /** Values that are waiting now. */
  readonly waiting: number
  /** How many times in a row it has failed. */
  readonly attempt: number
  /** When it is tried again, ms from now. */
  readonly retryInMs: number
}

export interface WriteBehindDeps {
  readonly timer: Timer
  /** Writes values together, or not at all. */
  readonly write: (scope: StateScope, values: ReadonlyMap<string, JsonValue | undefined>) => Promise<void>
  readonly onFailure: (failure: WriteFailure) => void
  /** From the first value of a batch until it is written, ms. Default 500. */
  readonly delayMs?: number
}

export interface WriteBehind {
  add(scope: StateScope, key: string, value: JsonValue | undefined): void
  /** Whether a value was added that is not stored yet. */
  isPending(scope: StateScope, key: string): boolean
  /** Writes what was added before the call, now. Rejects when it can't; it is kept then, and tried again. */
  flush(): Promise<void>
  /** Writes nothing more by itself. */
  stop(): void
}

interface ScopeBatch {
  readonly scope: StateScope
  readonly values: Map<string, JsonValue | undefined>
}
type Batch = Map<string, ScopeBatch>

const WRITE_DELAY_MS = 500
const LONGEST_RETRY_MS = 30_000
/** 500 ms twice as often is beyond the longest. */
const MOST_DOUBLINGS = 10

/**
 * A queue of writes that are stored together a moment later; empty at first. What can't be written is kept and tried
 * again.
 */
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

  add(scope: StateScope, key: string, value: JsonValue | undefined): void {
    const text = scopeText(scope)
    const batch = this.#waiting.get(text)
    if (batch === undefined) this.#waiting.set(text, { scope, values: new Map([[key, value]]) })
    else batch.values.set(key, value)
    this.#schedule(this.#delayMs)
  }

  isPending(scope: StateScope, key: string): boolean {
    const text = scopeText(scope)
    return [this.#waiting, this.#writing].some((batch) => batch.get(text)?.values.has(key) === true)
  }

  flush(): Promise<void> {
    const mine = this.#turn.then(() => this.#writeBatch())
    this.#turn = mine.catch(() => undefined)
    return mine
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #schedule(ms: number): void {
    this.#cancel ??= this.#deps.timer.after(ms, () => {
      this.#cancel = undefined
      // A failure is told to `onFailure`.
      this.flush().catch(() => undefined)
    })
  }

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

/** How many values a batch sets. */
const countOf = (batch: Batch): number => [...batch.values()].reduce((sum, { values }) => sum + values.size, 0)
