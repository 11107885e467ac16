/**
 * How stored texts refer to blocks. Inside a pack a long text is replaced by a small number; the pack's
 * reference list says for each number where the text lies: in the same pack, or in a block of another.
 *
 * In entry bodies (JSON) a reference is a string of U+0001 and the number; a real string that starts
 * with U+0001 gets a second one in front. In source lines, which are valid JSON and so can't hold that
 * byte, it is U+0001, the number, U+0002 in place of the whole string literal.
 */
import { crc32 } from 'node:zlib'

/** A text in the same pack, by offset and length; or the block of another pack, by id. */
export type BlockReference = { readonly offset: number; readonly length: number } | { readonly blockId: number }

export const MARK = '\u0001'
export const MARK_END = '\u0002'

/**
 * Precedes the checksum of a list; no list starts like this, because no block has the id 0. Lists of older versions
 * have neither.
 */
const CHECKED = [0, 0] as const
const CHECKED_BYTES = CHECKED.length + 4

const MARK_BYTE = MARK.charCodeAt(0)
const DIGIT_0 = 0x30
/** No pack has as many references. */
const MOST_DIGITS = 15
/** The mark as JSON.stringify writes it into an entry's body. */
const ESCAPED_MARK = Buffer.from(JSON.stringify(MARK).slice(1, -1))

/**
 * The numbers of the references in a body or source line. There may be some among them that are none: what only looks like
 * a reference is not told apart.
 */
export const referencesIn = (bytes: Buffer): ReadonlySet<number> => {
  const numbers = new Set<number>()
  for (const mark of [MARK_BYTE, ESCAPED_MARK]) {
    const size = typeof mark === 'number' ? 1 : mark.byteLength
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + size)) {
      const number = numberAt(bytes, at + size)
      if (number !== undefined) numbers.add(number)
    }
  }
  return numbers
}

/**
 * The decimal number that begins at an offset; undefined where there is no digit. At most `MOST_DIGITS` digits are
 * read.
 */
const numberAt = (bytes: Buffer, offset: number): number | undefined => {
  let number: number | undefined
  for (const byte of bytes.subarray(offset, offset + MOST_DIGITS)) {
    if (byte < DIGIT_0 || byte > DIGIT_0 + 9) break
    number = (number ?? 0) * 10 + byte - DIGIT_0
  }
  return number
}

/**
 * Packs a reference list: for each two unsigned LEB128 numbers, 0 + id or length + 1, offset. The CRC-32 of them comes
 * first: a corrupted number would put another text into a message. Empty for an empty list.
 */
export const encodeReferences = (references: readonly BlockReference[]): Uint8Array => {
  if (references.length === 0) return new Uint8Array()
  const numbers = numbersOf(references)
  const whole = Buffer.alloc(CHECKED_BYTES + numbers.byteLength)
  whole.set(numbers, CHECKED_BYTES)
  whole.writeUInt32LE(crc32(numbers), CHECKED.length)
  return whole
}

/**
 * The numbers of references as bytes, seven bits in each. Each takes two numbers: 0 and an id, or its length plus 1 and
 * its offset.
 */
const numbersOf = (references: readonly BlockReference[]): Uint8Array => {
  const bytes: number[] = []
  const push = (value: number): void => {
    let rest = value
    while (rest >= 0x80) {
      bytes.push((rest % 0x80) + 0x80)
      rest = Math.floor(rest / 0x80)
    }
    bytes.push(rest)
  }
  for (const reference of references) {
    if ('blockId' in reference) {
      push(0)
      push(reference.blockId)
    } else {
      push(reference.length + 1)
      push(reference.offset)
    }
  }
  return Uint8Array.from(bytes)
}

/**
 * The reverse of {@link encodeReferences}. Throws a RangeError when the list is damaged; a list of an older version,
 * without a CRC, is not checked.
 */
export const decodeReferences = (list: Uint8Array): readonly BlockReference[] => {
  const isChecked = list.length >= CHECKED_BYTES && CHECKED.every((byte, index) => list[index] === byte)
  const bytes = isChecked ? list.subarray(CHECKED_BYTES) : list
  if (isChecked) {
    const expected = new DataView(list.buffer, list.byteOffset + CHECKED.length, 4).getUint32(0, true)
    if (crc32(bytes) !== expected) throw new RangeError('a reference list that is not what was written')
  }
  const numbers: number[] = []
  let value = 0
  let scale = 1
  for (const byte of bytes) {
    value += (byte % 0x80) * scale
    if (byte >= 0x80) {
      scale *= 0x80
    } else {
      numbers.push(value)
      value = 0
      scale = 1
    }
  }
  const references: BlockReference[] = []
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    const [first, second] = [numbers[index] ?? 0, numbers[index + 1] ?? 0]
    references.push(first === 0 ? { blockId: second } : { length: first - 1, offset: second })
  }
  return references
}
