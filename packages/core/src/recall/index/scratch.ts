/** Buffers that one search after the other reuses, so that searching a large view does not allocate megabytes each time. */
import { Postings } from './postings.ts'

/** Larger postings, and more byte buffers, are not kept. */
const LARGEST_POSTINGS = 3_000_000
const MOST_BYTE_BUFFERS = 6

/** Buffers of one type, handed out in the same order for each search. */
class BufferPool<T extends Uint8Array | Float32Array | Int32Array> {
  readonly #make: (size: number) => T
  readonly #rooms: T[] = []
  #taken = 0

  constructor(make: (size: number) => T) {
    this.#make = make
  }

  /** A buffer of `size` zeros, taken from the pool where one is large enough. It is valid until the pool is reset. */
  take(size: number): T {
    const known = this.#rooms[this.#taken]
    const buffer = known !== undefined && known.length >= size ? known : this.#make(size)
    this.#rooms[this.#taken] = buffer
    this.#taken += 1
    return buffer.fill(0, 0, size).subarray(0, size) as T
  }

  free(): void {
    this.#taken = 0
  }

  keep(count: number): void {
    this.#rooms.length = Math.min(this.#rooms.length, count)
  }
}

/** The buffers of a store's searches, which run one at a time. */
export class Scratch {
  postings = new Postings(1 << 16)
  #joined = new Uint8Array()
  readonly #bytes = new BufferPool((size) => new Uint8Array(size))
  readonly #floats = new BufferPool((size) => new Float32Array(size))
  readonly #integers = new BufferPool((size) => new Int32Array(size))

  /** A buffer of so many zeros, valid until the next `clear`. */
  bytes(size: number): Uint8Array {
    return this.#bytes.take(size)
  }

  /** A buffer of so many zeros, valid until the next `clear`. */
  floats(size: number): Float32Array {
    return this.#floats.take(size)
  }

  /** A buffer of so many zeros, valid until the next `clear`. */
  integers(size: number): Int32Array {
    return this.#integers.take(size)
  }

  /** A buffer with arbitrary content, valid until the next call. */
  joined(size: number): Uint8Array {
    if (this.#joined.length < size) this.#joined = new Uint8Array(Math.ceil(size * 1.25))
    return this.#joined.subarray(0, size)
  }

  /** Makes all buffers free again; to be called before each search. What was taken before must not be used any more. */
  clear(): void {
    this.postings.length = 0
    for (const pool of [this.#bytes, this.#floats, this.#integers]) pool.free()
  }

  /** After each search: releases what only a very large query needs. */
  shrink(): void {
    if (this.postings.passage.length > LARGEST_POSTINGS) this.postings = new Postings(1 << 16)
    this.#bytes.keep(MOST_BYTE_BUFFERS)
  }
}
