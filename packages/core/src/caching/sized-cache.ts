/** A cache that counts the bytes of what it holds, within a limit of its own and the budget that it shares with others. */
import type { BudgetMember, CacheFigures, MemoryBudget } from './memory-budget.ts'

export { MemoryBudget } from './memory-budget.ts'

export interface SizedCacheOptions<Value> {
  /** What figures call it. */
  readonly name: string
  readonly budget: MemoryBudget
  /** It never holds more, however much of the budget is free. */
  readonly mostBytes: number
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
  /** In the order of their last use. */
  readonly #held = new Map<Key, Held<Value>>()
  /** What was evicted or refused lately. */
  readonly #gone = new Set<Key>()
  #bytes = 0
  #hits = 0
  #misses = 0
  #repeats = 0
  #evictions = 0
  #refusals = 0

  constructor(options: SizedCacheOptions<Value>) {
    this.#options = options
    options.budget.join(this)
  }

  get figures(): CacheFigures {
    return {
      name: this.#options.name,
      entries: this.#held.size,
      bytes: this.#bytes,
      hits: this.#hits,
      misses: this.#misses,
      repeats: this.#repeats,
      evictions: this.#evictions,
      refusals: this.#refusals,
    }
  }

  /** The value of a key, which counts as a use of it. */
  get(key: Key): Value | undefined {
    const held = this.#held.get(key)
    if (held === undefined) {
      this.#misses += 1
      if (this.#gone.has(key)) this.#repeats += 1
      return undefined
    }
    this.#hits += 1
    held.use = this.#options.budget.nextUse()
    this.#held.delete(key)
    this.#held.set(key, held)
    return held.value
  }

  /** Keeps a value in place of an earlier one; false when it is too large to be kept. */
  set(key: Key, value: Value): boolean {
    this.delete(key)
    const { budget, mostBytes, sizeOf } = this.#options
    const bytes = sizeOf(value)
    while (bytes <= mostBytes && this.#bytes + bytes > mostBytes) this.evictOldest()
    if (bytes > mostBytes || !budget.take(bytes)) {
      this.#refusals += 1
      this.#remember(key)
      return false
    }
    this.#gone.delete(key)
    this.#bytes += bytes
    this.#held.set(key, { value, bytes, use: budget.nextUse() })
    return true
  }

  delete(key: Key): void {
    const held = this.#held.get(key)
    if (held === undefined) return
    this.#held.delete(key)
    this.#bytes -= held.bytes
    this.#options.budget.giveBack(held.bytes)
    this.#options.onRemove?.(held.value)
  }

  clear(): void {
    for (const key of [...this.#held.keys()]) this.delete(key)
  }

  /** Empties it and leaves the budget. */
  close(): void {
    this.clear()
    this.#options.budget.leave(this)
  }

  oldestUse(): number | undefined {
    const [oldest] = this.#held.values()
    return oldest?.use
  }

  evictOldest(): void {
    for (const key of this.#held.keys()) {
      this.#evictions += 1
      this.delete(key)
      this.#remember(key)
      return
    }
  }

  #remember(key: Key): void {
    this.#gone.add(key)
    if (this.#gone.size <= MOST_GONE) return
    for (const oldest of this.#gone) {
      this.#gone.delete(oldest)
      return
    }
  }
}
