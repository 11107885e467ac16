/**
 * A cache by piece of text that is looked up without slicing the piece out, since most words of a text occur many times.
 * It is cleared when it is full. Open addressing in typed arrays.
 */

const MOST_PIECES = 50_000
/** More than twice as many slots as pieces. */
const SLOT_BITS = 17
const SLOTS = 1 << SLOT_BITS
const MOST_UNITS = 1 << 19
/** Slots that are tried at most, so that colliding hashes cannot make it slow. */
const MOST_TRIES = 16

export const HASH_SEED = 0x811c9dc5

/**
 * The hash of a piece with one more code unit: FNV-1a, a signed whole number of 32 bits. An empty piece has {@link
 * HASH_SEED}.
 */
export const extendHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)

/** Numbers in a slot: hash, offset and count of the code units, and the index of the value + 1 (0: free). */
const SLOT = 4
const LAST_SLOT = (SLOTS - 1) * SLOT

/** Values by piece of text, at most {@link MOST_PIECES}. */
export class WordCache<T> {
  readonly #slots = new Int32Array(SLOTS * SLOT)
  readonly #units = new Uint16Array(MOST_UNITS)
  #used = 0
  readonly #values: T[] = []

  /**
   * The value for the code units from `start` to before `end`, whose hash (see {@link extendHash}) is given; undefined
   * if it is not there.
   */
  find(text: string, start: number, end: number, hash: number): T | undefined {
    const slots = this.#slots
    let slot = firstSlot(hash)
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const valueNumber = slots[slot + 3] as number
      if (valueNumber === 0) return undefined
      if (
        slots[slot] === hash &&
        slots[slot + 2] === end - start &&
        this.#hasUnits(slots[slot + 1] as number, text, start, end)
      )
        return this.#values[valueNumber - 1]
      slot = (slot + SLOT) & LAST_SLOT
    }
    return undefined
  }

  /**
   * Keeps the value of a piece that `find` did not find; when the cache is full, all others are forgotten. It may also
   * keep nothing.
   */
  keep(text: string, start: number, end: number, hash: number, value: T): void {
    if (this.#values.length === MOST_PIECES || this.#used + end - start > MOST_UNITS) this.#clear()
    const slots = this.#slots
    let slot = firstSlot(hash)
    for (let tries = 1; slots[slot + 3] !== 0; tries++) {
      if (tries === MOST_TRIES) return
      slot = (slot + SLOT) & LAST_SLOT
    }
    slots[slot] = hash
    slots[slot + 1] = this.#used
    slots[slot + 2] = end - start
    slots[slot + 3] = this.#values.push(value)
    for (let index = start; index < end; index++) this.#units[this.#used++] = text.charCodeAt(index)
  }

  /** Whether the cached units at an offset are those of a text's part. */
  #hasUnits(offset: number, text: string, start: number, end: number): boolean {
    const units = this.#units
    for (let index = start, at = offset; index < end; index++, at++)
      if (units[at] !== text.charCodeAt(index)) return false
    return true
  }

  /** Forgets all. */
  #clear(): void {
    this.#slots.fill(0)
    this.#values.length = 0
    this.#used = 0
  }
}

/** The highest bits of a product, which depend on all bits of the hash. */
const firstSlot = (hash: number): number => (Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> (32 - SLOT_BITS)) * SLOT
