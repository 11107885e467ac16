/**
 * What was made of pieces of text, found again without cutting the piece out: a text has far more words than different
 * ones. Bounded: when it is full, it begins anew.
 */

const MOST_PIECES = 50_000
/** More than twice as many slots as pieces. */
const SLOT_BITS = 17
const SLOTS = 1 << SLOT_BITS
const MOST_UNITS = 1 << 19
/** Pieces whose hashes are made to meet cost no more than this. */
const MOST_TRIES = 16

export const FIRST_HASH = 0x811c9dc5

/** The hash of a piece that grows by a code unit: FNV-1a. Begins with {@link FIRST_HASH}. */
export const hashWith = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)

/** Numbers of a slot: the piece's hash, where its units begin, how many they are, its value's place + 1 (0: free). */
const SLOT = 4
const LAST_SLOT = (SLOTS - 1) * SLOT

export class KnownPieces<T> {
  readonly #slots = new Int32Array(SLOTS * SLOT)
  readonly #units = new Uint16Array(MOST_UNITS)
  #used = 0
  readonly #values: T[] = []

  /** What is known of text[start … end − 1], whose hash this is. */
  find(text: string, start: number, end: number, hash: number): T | undefined {
    const slots = this.#slots
    let slot = firstSlot(hash)
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const place = slots[slot + 3] as number
      if (place === 0) return undefined
      if (
        slots[slot] === hash &&
        slots[slot + 2] === end - start &&
        this.#stand(slots[slot + 1] as number, text, start, end)
      )
        return this.#values[place - 1]
      slot = (slot + SLOT) & LAST_SLOT
    }
    return undefined
  }

  /** For a piece that was not found. */
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

  #stand(at: number, text: string, start: number, end: number): boolean {
    const units = this.#units
    for (let index = start, place = at; index < end; index++, place++)
      if (units[place] !== text.charCodeAt(index)) return false
    return true
  }

  #clear(): void {
    this.#slots.fill(0)
    this.#values.length = 0
    this.#used = 0
  }
}

/** The highest bits of a product, which depend on all of the hash. */
const firstSlot = (hash: number): number => (Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> (32 - SLOT_BITS)) * SLOT
