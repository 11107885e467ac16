/** Rooms that one query after the other uses, so that a large view does not leave megabytes behind at every question. */
import { Postings } from './postings.ts'

/** What only a very large query needs is let go. */
const LARGEST_POSTINGS = 3_000_000
const MOST_ROOMS = 6

/** Rooms of one kind: the first one asked for is the first one that was given the last time. */
class Rooms<T extends Uint8Array | Float32Array | Int32Array> {
  readonly #make: (size: number) => T
  readonly #rooms: T[] = []
  #taken = 0

  constructor(make: (size: number) => T) {
    this.#make = make
  }

  take(size: number): T {
    const known = this.#rooms[this.#taken]
    const room = known !== undefined && known.length >= size ? known : this.#make(size)
    this.#rooms[this.#taken] = room
    this.#taken += 1
    return room.fill(0, 0, size).subarray(0, size) as T
  }

  free(): void {
    this.#taken = 0
  }

  keep(count: number): void {
    this.#rooms.length = Math.min(this.#rooms.length, count)
  }
}

export class Scratch {
  postings = new Postings(1 << 16)
  #joined = new Uint8Array()
  readonly #bytes = new Rooms((size) => new Uint8Array(size))
  readonly #floats = new Rooms((size) => new Float32Array(size))
  readonly #integers = new Rooms((size) => new Int32Array(size))

  /** Zeros. */
  bytes(size: number): Uint8Array {
    return this.#bytes.take(size)
  }

  floats(size: number): Float32Array {
    return this.#floats.take(size)
  }

  integers(size: number): Int32Array {
    return this.#integers.take(size)
  }

  /** Bytes of any kind, to be filled; valid until the next call. */
  joined(size: number): Uint8Array {
    if (this.#joined.length < size) this.#joined = new Uint8Array(Math.ceil(size * 1.25))
    return this.#joined.subarray(0, size)
  }

  /** Before each query: everything is free again. */
  clear(): void {
    this.postings.length = 0
    for (const rooms of [this.#bytes, this.#floats, this.#integers]) rooms.free()
  }

  /** After each query. */
  shrink(): void {
    if (this.postings.passage.length > LARGEST_POSTINGS) this.postings = new Postings(1 << 16)
    this.#bytes.keep(MOST_ROOMS)
  }
}
