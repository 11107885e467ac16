/** Counts the terms of one file after the other in tables that stay: of 20,000 files, maps of their own are mostly garbage. */

/**
 * The terms of one file by hash, ascending, with how often each occurs in its content and in the names that it defines.
 */
export interface FileTerms {
  readonly hashes: Uint32Array
  readonly content: Uint16Array
  readonly symbols: Uint16Array
  /** Sums of the counts. */
  readonly contentLength: number
  readonly symbolLength: number
}

const MOST = 0xffff
/** Bytes of a term's hash. */
export const HASH_BYTES = 4
const COUNT_BYTES = 2
/** Bytes of a term's hash and its two counts. */
export const BYTES_A_TERM = HASH_BYTES + 2 * COUNT_BYTES

const FEWEST_SLOTS = 4_096
/** Larger tables are not reused for the next file. */
const MOST_KEPT = 1 << 16
/** From the golden ratio: spreads hashes over the slots whichever of their bits differ. */
const SPREAD = 0x9e3779b1

/**
 * Counts the terms of one file at a time, in its content and in names that it defines; `take` returns the counts and
 * starts the next file.
 */
export class FieldCounts {
  /** By slot: the term's number + 1; 0 where it is free. */
  #slots = new Int32Array(FEWEST_SLOTS)
  /** By the term's number. */
  #hashes = new Uint32Array(FEWEST_SLOTS / 2)
  #content = new Uint32Array(FEWEST_SLOTS / 2)
  #symbols = new Uint32Array(FEWEST_SLOTS / 2)
  #size = 0
  #contentLength = 0
  #symbolLength = 0

  /** Counts one occurrence of a term in the content. */
  addContent(hash: number): void {
    const term = this.#termOf(hash)
    this.#content[term] = (this.#content[term] ?? 0) + 1
    this.#contentLength += 1
  }

  /** Counts one occurrence of a term in a defined name. */
  addSymbol(hash: number): void {
    const term = this.#termOf(hash)
    this.#symbols[term] = (this.#symbols[term] ?? 0) + 1
    this.#symbolLength += 1
  }

  /**
   * Returns what was counted since the last call. Terms of names that are not in the content count only towards the
   * length; counts end at 65,535.
   */
  take(): FileTerms {
    const [content, symbols] = [this.#content, this.#symbols]
    let terms = 0
    for (let term = 0; term < this.#size; term++) if ((content[term] ?? 0) > 0) terms += 1
    // One buffer a file, as buffers of their own for hashes and counts take more than what is in them.
    const buffer = new ArrayBuffer(terms * BYTES_A_TERM)
    const hashes = new Uint32Array(buffer, 0, terms)
    let at = 0
    for (let term = 0; term < this.#size; term++) if ((content[term] ?? 0) > 0) hashes[at++] = this.#hashes[term] ?? 0
    hashes.sort()
    const counted = (counts: Uint32Array, offset: number): Uint16Array => {
      const array = new Uint16Array(buffer, offset, terms)
      for (const [index, hash] of hashes.entries()) array[index] = Math.min(MOST, counts[this.#termOf(hash)] ?? 0)
      return array
    }
    const found = {
      hashes,
      content: counted(content, terms * HASH_BYTES),
      symbols: counted(symbols, terms * (HASH_BYTES + COUNT_BYTES)),
      contentLength: this.#contentLength,
      symbolLength: this.#symbolLength,
    }
    this.#clear()
    return found
  }

  /** The number of a term; a new one for one that was not counted yet. */
  #termOf(hash: number): number {
    const last = this.#slots.length - 1
    let slot = Math.imul(hash, SPREAD) & last
    for (let known = this.#slots[slot] ?? 0; known !== 0; known = this.#slots[slot] ?? 0) {
      if (this.#hashes[known - 1] === hash) return known - 1
      slot = (slot + 1) & last
    }
    if (this.#size === this.#hashes.length) {
      this.#grow()
      return this.#termOf(hash)
    }
    const term = this.#size++
    this.#slots[slot] = term + 1
    this.#hashes[term] = hash
    return term
  }

  #grow(): void {
    const longer = (array: Uint32Array): Uint32Array<ArrayBuffer> => {
      const grown = new Uint32Array(array.length * 2)
      grown.set(array)
      return grown
    }
    this.#hashes = longer(this.#hashes)
    this.#content = longer(this.#content)
    this.#symbols = longer(this.#symbols)
    this.#slots = new Int32Array(this.#slots.length * 2)
    const terms = this.#size
    this.#size = 0
    for (let term = 0; term < terms; term++) this.#termOf(this.#hashes[term] ?? 0)
  }

  #clear(): void {
    if (this.#hashes.length > MOST_KEPT) {
      this.#slots = new Int32Array(FEWEST_SLOTS)
      this.#hashes = new Uint32Array(FEWEST_SLOTS / 2)
      this.#content = new Uint32Array(FEWEST_SLOTS / 2)
      this.#symbols = new Uint32Array(FEWEST_SLOTS / 2)
    } else {
      this.#slots.fill(0)
      this.#content.fill(0, 0, this.#size)
      this.#symbols.fill(0, 0, this.#size)
    }
    this.#size = 0
    this.#contentLength = 0
    this.#symbolLength = 0
  }
}
