/** Keeps the beginning and the end of an output of any length in a fixed amount of memory. */

export interface OutputBuffer {
  add(bytes: Uint8Array): void
  /** Total bytes added. */
  readonly total: number
  /** What was kept, with `omitted` bytes between the two parts. If nothing was omitted, `head` is everything. */
  kept(): { readonly head: Uint8Array; readonly tail: Uint8Array; readonly omitted: number }
}

/**
 * Creates a buffer for output of any length that keeps its first `headSize` bytes and its last `tailSize`; it never
 * takes more memory than that.
 */
export const createOutputBuffer = (headSize: number, tailSize: number): OutputBuffer => {
  const head: Uint8Array[] = []
  let headLength = 0
  let ring: Uint8Array | undefined
  /** Bytes written to the ring, which keeps the last ones. */
  let ringed = 0
  return {
    get total() {
      return headLength + ringed
    },
    /** Copies what still fits into the head; of the rest the last `tailSize` bytes stay, over older ones. */
    add: (bytes) => {
      const first = bytes.subarray(0, headSize - headLength)
      if (first.length > 0) head.push(first.slice())
      headLength += first.length
      const rest = bytes.subarray(first.length)
      if (rest.length === 0) return
      ring ??= new Uint8Array(tailSize)
      const last = rest.subarray(Math.max(0, rest.length - tailSize))
      const start = (ringed + rest.length - last.length) % tailSize
      const untilEnd = last.subarray(0, tailSize - start)
      ring.set(untilEnd, start)
      ring.set(last.subarray(untilEnd.length), 0)
      ringed += rest.length
    },
    /** The two parts in new memory; one whole `head`, and an empty `tail`, if nothing was left out between them. */
    kept: () => {
      const tail = tailOf(ring, ringed)
      const omitted = ringed - tail.length
      return omitted > 0
        ? { head: joined(head), tail, omitted }
        : { head: joined([...head, tail]), tail: new Uint8Array(0), omitted: 0 }
    },
  }
}

/** The bytes in a ring buffer, oldest first; `ringed` is how many were ever written into it. Empty without a ring. */
const tailOf = (ring: Uint8Array | undefined, ringed: number): Uint8Array => {
  if (ring === undefined) return new Uint8Array(0)
  if (ringed <= ring.length) return ring.slice(0, ringed)
  const start = ringed % ring.length
  return joined([ring.subarray(start), ring.subarray(0, start)])
}

/** All pieces one after another, in new memory. */
const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
