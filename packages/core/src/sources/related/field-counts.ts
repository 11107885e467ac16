/** Counts the terms of one file after the other in tables that stay: of 20,000 files, maps of their own are mostly garbage. */

/** Terms of files, those of one behind those of the other: arrays of its own for each file take more than what is in them. */
export interface TermTable {
  readonly hashes: Uint32Array
  /** How often each occurs in the content, and in names that the file defines. */
  readonly content: Uint16Array
  readonly symbols: Uint16Array
}

/** Terms of one file, by hash in ascending order. */
export interface FileTerms {
  readonly table: TermTable
  /** The file's terms in the table: the first one, and how many there are. */
  readonly from: number
  readonly size: number
  /** Sums of the counts. */
  readonly contentLength: number
  readonly symbolLength: number
}

export const NO_TERMS: FileTerms = {
  table: { hashes: new Uint32Array(), content: new Uint16Array(), symbols: new Uint16Array() },
  from: 0,
  size: 0,
  contentLength: 0,
  symbolLength: 0,
}

const MOST = 0xffff
/** Bytes of a term's hash. */
export const HASH_BYTES = 4
export const COUNT_BYTES = 2
export const BYTES_A_TERM = HASH_BYTES + 2 * COUNT_BYTES

const FEWEST_SLOTS = 4_096
/** Terms that one table holds, unless a file alone has more. */
const TERMS_A_TABLE = 1 << 15
/** Larger tables are not kept for the next file. */
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
  /** Where the terms of the next files go, and how many of it is taken. */
  #table = NO_TERMS.table
  #taken = 0

  /** Whether a term of the content was counted since the last `take`. */
  get hasContent(): boolean {
    return this.#contentLength > 0
  }

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
   * length; counts end at 65,535. Sorted by hash.
   */
  take(): FileTerms {
    const [content, symbols] = [this.#content, this.#symbols]
    let terms = 0
    for (let term = 0; term < this.#size; term++) if ((content[term] ?? 0) > 0) terms += 1
    const [table, from] = [this.#tableFor(terms), this.#taken]
    for (let term = 0; term < this.#size; term++)
      if ((content[term] ?? 0) > 0) table.hashes[this.#taken++] = this.#hashes[term] ?? 0
    table.hashes.subarray(from, this.#taken).sort()
    for (let at = from; at < this.#taken; at++) {
      const term = this.#termOf(table.hashes[at] ?? 0)
      table.content[at] = Math.min(MOST, content[term] ?? 0)
      table.symbols[at] = Math.min(MOST, symbols[term] ?? 0)
    }
    const found = {
      table,
      from,
      size: terms,
      contentLength: this.#contentLength,
      symbolLength: this.#symbolLength,
    }
    this.#clear()
    return found
  }

  /** A table with room for so many terms. Room that was not taken of the one before is lost. */
  #tableFor(terms: number): TermTable {
    if (this.#taken + terms <= this.#table.hashes.length) return this.#table
    const length = Math.max(terms, TERMS_A_TABLE)
    const bytes = new ArrayBuffer(length * BYTES_A_TERM)
    this.#taken = 0
    this.#table = {
      hashes: new Uint32Array(bytes, 0, length),
      content: new Uint16Array(bytes, length * HASH_BYTES, length),
      symbols: new Uint16Array(bytes, length * (HASH_BYTES + COUNT_BYTES), length),
    }
    return this.#table
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

  /** Doubles the table; counts stay. */
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

  /** Forgets all counts; a table that has become very large is made small again. */
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
