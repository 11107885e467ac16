/** Rooms that one query after the other uses, so that a large view does not leave megabytes behind at every question. */
import { Postings } from './postings.ts'

/** What only a very large query needs is let go. */
const LARGEST_POSTINGS = 4_000_000
const MOST_ROOMS = 16

type Room = ArrayBuffer

export class Scratch {
  postings = new Postings(1 << 16)
  readonly #rooms: Room[] = []
  #taken = 0

  /** Zeros. */
  bytes(size: number): Uint8Array {
    return new Uint8Array(this.#room(size), 0, size).fill(0)
  }

  floats(size: number): Float32Array {
    return new Float32Array(this.#room(size * 4), 0, size).fill(0)
  }

  integers(size: number): Int32Array {
    return new Int32Array(this.#room(size * 4), 0, size).fill(0)
  }

  /** Before each query: everything is free again. */
  clear(): void {
    this.postings.length = 0
    this.#taken = 0
  }

  /** After each query. */
  shrink(): void {
    if (this.postings.passage.length > LARGEST_POSTINGS) this.postings = new Postings(1 << 16)
    this.#rooms.length = Math.min(this.#rooms.length, MOST_ROOMS)
  }

  #room(bytes: number): Room {
    const known = this.#rooms[this.#taken]
    const room = known !== undefined && known.byteLength >= bytes ? known : new ArrayBuffer(bytes)
    this.#rooms[this.#taken] = room
    this.#taken += 1
    return room
  }
}
