/** Writes values to a growing buffer and reads them back. Numbers are little-endian. */

/** Appends bytes, LEB128 numbers and arrays. */
export class ByteWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity)
  }

  get length(): number {
    return this.#length
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length] = value
    this.#length += 1
  }

  /** Unsigned LEB128; up to 2^32 − 1. */
  varint(value: number): void {
    this.#reserve(5)
    let rest = value >>> 0
    while (rest >= 0x80) {
      this.#bytes[this.#length] = (rest & 0x7f) | 0x80
      this.#length += 1
      rest >>>= 7
    }
    this.#bytes[this.#length] = rest
    this.#length += 1
  }

  bytes(values: Uint8Array): void {
    this.#reserve(values.length)
    this.#bytes.set(values, this.#length)
    this.#length += values.length
  }

  /** The bytes of any typed array. */
  array(values: ArrayBufferView): void {
    this.bytes(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  }

  /** What was written; valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** What was written, as a copy. */
  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

/** Reads what a {@link ByteWriter} wrote; zeros past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #offset = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  byte(): number {
    const value = this.#bytes[this.#offset] ?? 0
    this.#offset += 1
    return value
  }

  varint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    return value >>> 0
  }

  /** A copy of the next bytes: aligned, so that any typed array can lie over it. */
  bytes(count: number): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(this.#bytes.subarray(this.#offset, this.#offset + count))
    this.#offset += count
    return copy
  }
}
