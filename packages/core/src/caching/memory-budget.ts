/**
 * One budget of bytes for all caches of a process. A cache takes from it what it holds; when it is used up, the entry
 * that was used least recently goes, whichever cache holds it.
 */

/** What a cache of a budget did so far. */
export interface CacheFigures {
  readonly name: string
  readonly entries: number
  readonly bytes: number
  readonly hits: number
  readonly misses: number
  /** Misses of what was held before and had to go; all others are first reads, which no cache spares. */
  readonly repeats: number
  /** Asked for while it was loaded for somebody else, and not loaded twice. */
  readonly shared: number
  /** Entries that were used again, and so make way only for what is used again, too. */
  readonly promotions: number
  /** Entries that went because something else needed the bytes. */
  readonly evictions: number
  /** Entries that were not kept at all, being too large. */
  readonly refusals: number
}

export interface BudgetFigures {
  readonly totalBytes: number
  readonly usedBytes: number
  /** By name: caches of the same name, such as those of two stores, are summed. */
  readonly caches: readonly CacheFigures[]
}

/** A cache, as its budget sees it. */
export interface BudgetMember {
  readonly figures: CacheFigures
  /** When its oldest entry was used, as the budget counts; undefined when it is empty. */
  oldestUse(): number | undefined
  /** Lets the oldest entry go. */
  evictOldest(): void
}

/** Bytes that caches share. */
export class MemoryBudget {
  readonly totalBytes: number
  readonly #members = new Set<BudgetMember>()
  /** What closed caches did, so that the figures don't go backwards. */
  readonly #left = new Map<string, CacheFigures>()
  #usedBytes = 0
  #uses = 0

  /** @throws RangeError for a total that is no whole number of bytes, or is negative */
  constructor(totalBytes: number) {
    if (!Number.isSafeInteger(totalBytes) || totalBytes < 0)
      throw new RangeError(`a budget of ${totalBytes} bytes can't be kept`)
    this.totalBytes = totalBytes
  }

  /** The number of this use; later ones are higher. */
  nextUse(): number {
    this.#uses += 1
    return this.#uses
  }

  join(member: BudgetMember): void {
    this.#members.add(member)
  }

  /**
   * A cache leaves; what it did stays in the figures. It must be empty, as no bytes are given back here. No effect for
   * one that has left.
   */
  leave(member: BudgetMember): void {
    if (!this.#members.delete(member)) return
    const { figures } = member
    this.#left.set(figures.name, summed(this.#left.get(figures.name), figures))
  }

  /**
   * Takes bytes for a cache; while too many are in use then, the entry used longest ago goes, whichever cache holds it,
   * the caller's too. False, with nothing taken, for more bytes than the whole budget. The caller gives them back with
   * `giveBack`.
   */
  take(bytes: number): boolean {
    if (bytes > this.totalBytes) return false
    this.#usedBytes += bytes
    while (this.#usedBytes > this.totalBytes && this.#evictOne());
    return true
  }

  giveBack(bytes: number): void {
    this.#usedBytes -= bytes
  }

  /** The figures of all caches, summed by name; of closed caches too. */
  get figures(): BudgetFigures {
    const byName = new Map(this.#left)
    for (const { figures } of this.#members) byName.set(figures.name, summed(byName.get(figures.name), figures))
    return { totalBytes: this.totalBytes, usedBytes: this.#usedBytes, caches: [...byName.values()] }
  }

  /** Removes the entry used longest ago in any cache; false if all are empty. */
  #evictOne(): boolean {
    let oldest: BudgetMember | undefined
    let use = Infinity
    for (const member of this.#members) {
      const own = member.oldestUse()
      if (own === undefined || own >= use) continue
      use = own
      oldest = member
    }
    oldest?.evictOldest()
    return oldest !== undefined
  }
}

/** The figures of two caches of one name, added up; the first may be missing. The name is the second's. */
const summed = (first: CacheFigures | undefined, second: CacheFigures): CacheFigures =>
  first === undefined
    ? second
    : {
        name: second.name,
        entries: first.entries + second.entries,
        bytes: first.bytes + second.bytes,
        hits: first.hits + second.hits,
        misses: first.misses + second.misses,
        repeats: first.repeats + second.repeats,
        shared: first.shared + second.shared,
        promotions: first.promotions + second.promotions,
        evictions: first.evictions + second.evictions,
        refusals: first.refusals + second.refusals,
      }
