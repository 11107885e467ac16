/**
 * Counts the terms of passages. Open addressing by the highest bits of the hash keeps the table sorted by hash, so that
 * terms are counted and sorted in one pass.
 */

const MOST_COUNTED = 15
const SLOT_BITS = 8
const SLOTS = 1 << SLOT_BITS
/** Larger buffers are not kept for the next text. */
const MOST_KEPT = 1 << 16

/** Terms of several passages, one after the other. */
export interface CountedTerms {
  /** By passage ascending, each once. */
  readonly hashes: Uint32Array
  /** Low four bits how often (at most 15), high four bits in which forms. */
  readonly counts: Uint8Array
}

/** Counts passage after passage, until `take` returns all of them. */
export class TermCounts {
  /** By slot: hash (0: free) and count. More slots follow for terms whose own slots are taken. */
  #slotHash = new Uint32Array(SLOTS * 5)
  #slotCount = new Uint8Array(SLOTS * 5)
  #hashes = new Uint32Array(4096)
  #counts = new Uint8Array(4096)
  #length = 0

  /** Counts the first `length` terms as one passage; returns the end of its terms in the result of `take`. */
  add(hashes: Uint32Array, forms: Uint8Array, length: number): number {
    if (this.#slotHash.length < SLOTS + length + 1) {
      this.#slotHash = new Uint32Array(SLOTS + length * 2)
      this.#slotCount = new Uint8Array(SLOTS + length * 2)
    }
    for (let index = 0; index < length; index++) this.#count(hashes[index] as number, forms[index] as number)
    return this.#empty(length)
  }

  /** The terms that were counted since the last call. Those of each passage together, by hash. */
  take(): CountedTerms {
    const all = { hashes: this.#hashes.slice(0, this.#length), counts: this.#counts.slice(0, this.#length) }
    this.#length = 0
    if (this.#hashes.length > MOST_KEPT) {
      this.#hashes = new Uint32Array(MOST_KEPT)
      this.#counts = new Uint8Array(MOST_KEPT)
    }
    return all
  }

  /** Counts a term, up to `MOST_COUNTED`; the form it has is kept in the upper bits. Slots stay ordered by hash. */
  #count(hash: number, form: number): void {
    const [slotHash, slotCount] = [this.#slotHash, this.#slotCount]
    let slot = hash >>> (32 - SLOT_BITS)
    let found = slotHash[slot] as number
    while (found !== 0 && found < hash) found = slotHash[++slot] as number
    if (found === hash) {
      const count = slotCount[slot] as number
      slotCount[slot] = ((count & 15) < MOST_COUNTED ? count + 1 : count) | (form << 4)
      return
    }
    // Larger hashes move one slot on.
    let last = slot
    while (slotHash[last] !== 0) last++
    for (; last > slot; last--) {
      slotHash[last] = slotHash[last - 1] as number
      slotCount[last] = slotCount[last - 1] as number
    }
    slotHash[slot] = hash
    slotCount[slot] = (form << 4) | 1
  }

  /**
   * Moves the terms of the table, at most `most`, to the end of the result. The table is empty then. Gives the new
   * length of the result.
   */
  #empty(most: number): number {
    if (this.#length + most > this.#hashes.length) this.#grow(this.#length + most)
    const [slotHash, slotCount, hashes, counts] = [this.#slotHash, this.#slotCount, this.#hashes, this.#counts]
    let length = this.#length
    for (let slot = 0; slot < SLOTS || slotHash[slot] !== 0; slot++) {
      const hash = slotHash[slot] as number
      if (hash === 0) continue
      hashes[length] = hash
      counts[length] = slotCount[slot] as number
      slotHash[slot] = 0
      length++
    }
    this.#length = length
    return length
  }

  /** Makes room for `needed` terms, at least doubling it. */
  #grow(needed: number): void {
    const capacity = Math.max(needed, this.#hashes.length * 2)
    const [hashes, counts] = [new Uint32Array(capacity), new Uint8Array(capacity)]
    hashes.set(this.#hashes.subarray(0, this.#length))
    counts.set(this.#counts.subarray(0, this.#length))
    this.#hashes = hashes
    this.#counts = counts
  }
}
