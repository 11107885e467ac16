/** Writes values to a growing buffer and reads them back. Numbers are little-endian. */

/** Appends bytes, LEB128 numbers and arrays. */
export class ByteWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity)
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length
  }

  /** Appends the lowest eight bits of a number. Grows as needed. */
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

  /** Appends bytes as they are, without their length. */
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

  /** Empties the writer, to be used again; its buffer is kept. */
  clear(): void {
    this.#length = 0
  }

  /** Makes space for `count` more bytes, at least doubling the buffer. */
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

  /** The next byte; 0 past the end. */
  byte(): number {
    const value = this.#bytes[this.#offset] ?? 0
    this.#offset += 1
    return value
  }

  /** The next unsigned LEB128 number, of five bytes at most; 0 past the end. */
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
