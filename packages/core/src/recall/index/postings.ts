/** Reads and writes the postings of one term; the format is described in segment.ts. */
import type { ByteWriter } from './bytes.ts'
import { DENSE_HEADER, isDense } from './segment.ts'

/**
 * A growing list of postings: passages, ascending, each with a byte of count and forms. The arrays go on behind
 * `length`.
 */
export class Postings {
  passage: Int32Array
  byte: Uint8Array
  length = 0

  constructor(capacity = 1_024) {
    this.passage = new Int32Array(capacity)
    this.byte = new Uint8Array(capacity)
  }

  /**
   * Makes space for so many more postings without changing `length`. The arrays may be replaced: read `passage` and
   * `byte` again after it.
   */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.passage.length) return
    const capacity = Math.max(needed, this.passage.length * 2)
    const [passage, byte] = [new Int32Array(capacity), new Uint8Array(capacity)]
    passage.set(this.passage.subarray(0, this.length))
    byte.set(this.byte.subarray(0, this.length))
    this.passage = passage
    this.byte = byte
  }
}

/**
 * Appends the postings of a term to `into`, which grows as needed. `start`: their offset in `bytes`; `termPassages`:
 * how many passages of the segment hold the term; `passages`: of the whole segment; `base`: the number of its first
 * passage. Ascending by passage.
 */
export const readPostings = (
  bytes: Uint8Array,
  termPassages: number,
  passages: number,
  base: number,
  into: Postings,
  start = 0,
): void => {
  into.reserve(termPassages)
  const { passage, byte } = into
  let length = into.length
  if (isDense(termPassages, passages)) {
    for (let offset = 0; offset < passages; offset += 1) {
      const value = bytes[start + DENSE_HEADER + offset] as number
      if (value === 0) continue
      passage[length] = base + offset
      byte[length] = value
      length += 1
    }
  } else {
    let offset = start
    let current = base - 1
    for (let index = 0; index < termPassages; index += 1) {
      let delta = bytes[offset] as number
      offset += 1
      if (delta >= 0x80) {
        delta &= 0x7f
        for (let shift = 7; shift < 35; shift += 7) {
          const more = bytes[offset] as number
          offset += 1
          delta |= (more & 0x7f) << shift
          if (more < 0x80) break
        }
      }
      current += delta
      passage[length] = current
      byte[length] = bytes[offset] as number
      offset += 1
      length += 1
    }
  }
  into.length = length
}

/** How many passages of dense postings (which begin `bytes`) hold the term in this form (a bit: 1, 2, 4 or 8; 0: none). */
export const countDenseForms = (bytes: Uint8Array, form: number): number => {
  if (form === 0) return 0
  const offset = 4 * (31 - Math.clz32(form))
  return (
    ((bytes[offset] as number) |
      ((bytes[offset + 1] as number) << 8) |
      ((bytes[offset + 2] as number) << 16) |
      ((bytes[offset + 3] as number) << 24)) >>>
    0
  )
}

/**
 * Appends to `writer` the postings from `start` to before `end`, which are those of one term; the reverse of {@link
 * readPostings}, with passages numbered from the segment's first. `passages`: how many the whole segment has.
 */
export const writePostings = (
  postings: Postings,
  start: number,
  end: number,
  passages: number,
  writer: ByteWriter,
): void => {
  const { passage, byte } = postings
  if (isDense(end - start, passages)) {
    const dense = new Uint8Array(passages)
    const forms = new Uint32Array(DENSE_HEADER / 4)
    for (let index = start; index < end; index += 1) {
      const value = byte[index] as number
      dense[passage[index] as number] = value
      for (let form = 0; form < forms.length; form += 1)
        if ((value & (16 << form)) !== 0) forms[form] = (forms[form] as number) + 1
    }
    writer.array(forms)
    writer.bytes(dense)
    return
  }
  let before = -1
  for (let index = start; index < end; index += 1) {
    const current = passage[index] as number
    writer.varint(current - before)
    writer.byte(byte[index] as number)
    before = current
  }
}
