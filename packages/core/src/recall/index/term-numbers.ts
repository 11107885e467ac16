/** Numbers term hashes from 0 in the order of their first use. Open addressing in typed arrays: no object for each term. */

const FIRST_SLOTS = 1 << 12

/** A map from hash to number that only grows. */
export class TermNumbers {
  /** Number + 1 of the hash; 0: free. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #hashes = new Uint32Array(FIRST_SLOTS / 2)
  size = 0

  /** The number of a hash; a new hash gets the next number. */
  of(hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hash & mask
    for (let found = slots[slot] as number; found !== 0; found = slots[slot] as number) {
      if (this.#hashes[found - 1] === hash) return found - 1
      slot = (slot + 1) & mask
    }
    const number = this.size
    if (number === this.#hashes.length) {
      this.#grow()
      return this.of(hash)
    }
    this.#hashes[number] = hash
    this.size = number + 1
    slots[slot] = number + 1
    return number
  }

  /** A copy of all hashes, in the order of their numbers from 0. */
  hashes(): Uint32Array {
    return this.#hashes.slice(0, this.size)
  }

  /** Doubles the table; numbers stay. */
  #grow(): void {
    const hashes = new Uint32Array(this.#hashes.length * 2)
    hashes.set(this.#hashes)
    this.#hashes = hashes
    const slots = new Uint32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let number = 0; number < this.size; number += 1) {
      let slot = (hashes[number] as number) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}
