/**
 * Bytes with their CRC-32 appended. The index is read by lengths and offsets that it contains itself, so corrupted
 * bytes must be detected before they are followed; in a log they would be text that nobody wrote.
 */
import { crc32 } from 'node:zlib'

export const CHECKSUM_BYTES = 4

/** A copy of the bytes with their CRC-32 (four bytes) behind them; {@link removeChecksum} checks it. */
export const appendChecksum = (bytes: Uint8Array): Uint8Array => {
  const whole = Buffer.allocUnsafe(bytes.byteLength + CHECKSUM_BYTES)
  whole.set(bytes)
  whole.writeUInt32LE(crc32(bytes), bytes.byteLength)
  return whole
}

/** The bytes without their checksum, over the same memory. Throws a RangeError when they are damaged. */
export const removeChecksum = (whole: Uint8Array): Uint8Array => {
  const end = whole.byteLength - CHECKSUM_BYTES
  if (end < 0) throw new RangeError('a row without a checksum')
  const bytes = whole.subarray(0, end)
  const expected = new DataView(whole.buffer, whole.byteOffset + end, CHECKSUM_BYTES).getUint32(0, true)
  if (crc32(bytes) !== expected) throw new RangeError('a row that is not what was written')
  return bytes
}
