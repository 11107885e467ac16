/**
 * A cache that counts the bytes of what it holds, within a limit of its own and the budget that it shares with others.
 * What is used again is promoted: reading much once can take only a part of the limit from it.
 */
import type { BudgetMember, CacheFigures, MemoryBudget } from './memory-budget.ts'

export { MemoryBudget } from './memory-budget.ts'

export interface SizedCacheOptions<Value> {
  /** What figures call it. */
  readonly name: string
  readonly budget: MemoryBudget
  /** It never holds more, however much of the budget is free. */
  readonly mostBytes: number
  /** What was used only once never holds more than this part of `mostBytes`. Without it nothing is ever promoted. */
  readonly onceBytes?: number
  readonly sizeOf: (value: Value) => number
  /** Called for each value that leaves, whatever the reason. */
  readonly onRemove?: (value: Value) => void
}

/** Keys of which it is known that they were held. */
const MOST_GONE = 4_096

interface Held<Value> {
  readonly value: Value
  readonly bytes: number
  use: number
}

/** Values by key; those used least recently go first. */
export class SizedCache<Key, Value> implements BudgetMember {
  readonly #options: SizedCacheOptions<Value>
  /** What was used once, where `onceBytes` limits that, and all others; each in the order of the last use. */
  readonly #once = new Map<Key, Held<Value>>()
  readonly #again = new Map<Key, Held<Value>>()
  /** What was evicted or refused lately, each with the bytes that had gone until then. */
  readonly #gone = new Map<Key, number>()
  #goneBytes = 0
  #bytes = 0
  #onceBytes = 0
  #hits = 0
  #misses = 0
  #repeats = 0
  #shared = 0
  #promotions = 0
  #evictions = 0
  #refusals = 0

  constructor(options: SizedCacheOptions<Value>) {
    this.#options = options
    options.budget.join(this)
  }

  get figures(): CacheFigures {
    return {
      name: this.#options.name,
      entries: this.#once.size + this.#again.size,
      bytes: this.#bytes,
      hits: this.#hits,
      misses: this.#misses,
      repeats: this.#repeats,
      shared: this.#shared,
      promotions: this.#promotions,
      evictions: this.#evictions,
      refusals: this.#refusals,
    }
  }

  /**
   * The value of a key, which counts as a use of it; undefined, and counted as a miss, where it is not held. With
   * `onceBytes`, keeping a value is its first use, and the first `get` promotes it.
   */
  get(key: Key): Value | undefined {
    const once = this.#once.get(key)
    const held = once ?? this.#again.get(key)
    if (held === undefined) {
      this.#misses += 1
      if (this.#gone.has(key)) this.#repeats += 1
      return undefined
    }
    this.#hits += 1
    held.use = this.#options.budget.nextUse()
    if (once === undefined) this.#again.delete(key)
    else {
      this.#once.delete(key)
      this.#onceBytes -= once.bytes
      this.#promotions += 1
    }
    this.#again.set(key, held)
    return held.value
  }

  /** Counts a use that another one, which loads the same value now, answers as well. */
  countShared(): void {
    this.#shared += 1
  }

  /**
   * Keeps a value in place of an earlier one, which leaves in any case, and evicts others to make room; false when it
   * is too large to be kept (one used for the first time: over `onceBytes`). Where the key's value had to go lately, it
   * is used again: it is promoted at once. Lately is: since then no more went than the cache may hold, so that one pass
   * after another over more than that promotes nothing.
   */
  set(key: Key, value: Value): boolean {
    const wasUsedAgain = this.#again.has(key)
    this.delete(key)
    const { budget, mostBytes, onceBytes, sizeOf } = this.#options
    const bytes = sizeOf(value)
    const goneAt = this.#gone.get(key)
    const isPromoted = onceBytes !== undefined && goneAt !== undefined && this.#goneBytes - goneAt <= mostBytes
    const isOnce = onceBytes !== undefined && !wasUsedAgain && !isPromoted
    const limit = isOnce ? Math.min(onceBytes, mostBytes) : mostBytes
    if (bytes <= limit) {
      if (isOnce) while (this.#onceBytes + bytes > limit) this.#evictFrom(this.#once)
      while (this.#bytes + bytes > mostBytes) this.evictOldest()
    }
    if (bytes > limit || !budget.take(bytes)) {
      this.#refusals += 1
      this.#remember(key, bytes)
      return false
    }
    if (isPromoted) this.#promotions += 1
    this.#gone.delete(key)
    this.#bytes += bytes
    if (isOnce) this.#onceBytes += bytes
    const held = { value, bytes, use: budget.nextUse() }
    if (isOnce) this.#once.set(key, held)
    else this.#again.set(key, held)
    return true
  }

  /** Removes a value, gives its bytes back and calls `onRemove`; nothing if it is not held. */
  delete(key: Key): void {
    const once = this.#once.get(key)
    const held = once ?? this.#again.get(key)
    if (held === undefined) return
    if (once === undefined) this.#again.delete(key)
    else {
      this.#once.delete(key)
      this.#onceBytes -= once.bytes
    }
    this.#bytes -= held.bytes
    this.#options.budget.giveBack(held.bytes)
    this.#options.onRemove?.(held.value)
  }

  clear(): void {
    for (const key of [...this.#once.keys(), ...this.#again.keys()]) this.delete(key)
  }

  /** Empties it and leaves the budget. */
  close(): void {
    this.clear()
    this.#options.budget.leave(this)
  }

  /** When the entry used longest ago was used, on the budget's count of uses; undefined if empty. */
  oldestUse(): number | undefined {
    const [once] = this.#once.values()
    const [again] = this.#again.values()
    return once === undefined || (again !== undefined && again.use < once.use) ? again?.use : once.use
  }

  /** Evicts the entry of this cache that was used longest ago; nothing if it is empty. */
  evictOldest(): void {
    const [once] = this.#once.values()
    this.#evictFrom(once !== undefined && once.use === this.oldestUse() ? this.#once : this.#again)
  }

  /** Lets the oldest of these go; nothing where there is none. */
  #evictFrom(values: ReadonlyMap<Key, Held<Value>>): void {
    for (const [key, { bytes }] of values) {
      this.#evictions += 1
      this.delete(key)
      this.#remember(key, bytes)
      return
    }
  }

  /**
   * Remembers the key of a value that was evicted or refused, so that its return counts as reuse; only the newest
   * `MOST_GONE`.
   */
  #remember(key: Key, bytes: number): void {
    this.#goneBytes += bytes
    this.#gone.delete(key)
    this.#gone.set(key, this.#goneBytes)
    if (this.#gone.size <= MOST_GONE) return
    for (const oldest of this.#gone.keys()) {
      this.#gone.delete(oldest)
      return
    }
  }
}
