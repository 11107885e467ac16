/** Bytes in chunks, as a reader of files yields them. */

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
export const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The bytes cut at these offsets, through one buffer that is overwritten each time, as a reader may do. */
export async function* chunked(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const offsets = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  // A Buffer, as Node's readers return: its slice() does not copy.
  const buffer = Buffer.alloc(bytes.length)
  let start = 0
  for (const end of [...offsets, bytes.length]) {
    const part = bytes.subarray(start, end)
    buffer.fill(0xff)
    buffer.set(part)
    yield await Promise.resolve(buffer.subarray(0, part.length))
    start = end
  }
}
