/** Width and height of an image from the first bytes of its file: PNG, GIF, JPEG and WebP. */

/** Width and height, pixels. */
export interface ImageSize {
  /** Pixels. */
  readonly width: number
  readonly height: number
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES: ReadonlyMap<string, number> = new Map(Array.from(ALPHABET, (letter, index) => [letter, index] as const))

/** A JPEG's size stands behind its metadata; a preview in them is seldom larger. */
const LONGEST_HEAD = 96 * 1024

/** Bytes read on demand out of base64; 0 where there are none. */
const byteReader = (base64: string): ((index: number) => number) => {
  const sextet = (index: number): number => VALUES.get(base64.charAt(index)) ?? 0
  return (index) => {
    const start = Math.floor(index / 3) * 4
    const [a, b, c, d] = [sextet(start), sextet(start + 1), sextet(start + 2), sextet(start + 3)]
    const group = (a << 18) | (b << 12) | (c << 6) | d
    return (group >> (16 - (index % 3) * 8)) & 0xff
  }
}

const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Reads numbers and texts of an image's bytes by their positions. */
interface ImageBytes {
  readonly length: number
  readonly byte: (at: number) => number
  /** Two bytes, the high one first. */
  readonly big: (at: number) => number
  /** Two bytes, the low one first. */
  readonly little: (at: number) => number
  readonly text: (at: number, characters: number) => string
}

/** Reads an image's bytes from base64 without decoding all of it; `length` may be up to two bytes too large. */
const imageBytes = (base64: string): ImageBytes => {
  const byte = byteReader(base64)
  return {
    length: Math.floor((base64.length * 3) / 4),
    byte,
    big: (at) => byte(at) * 256 + byte(at + 1),
    little: (at) => byte(at) + byte(at + 1) * 256,
    text: (at, characters) =>
      String.fromCharCode(...Array.from({ length: characters }, (_, index) => byte(at + index))),
  }
}

const sized = (width: number, height: number): ImageSize | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined

/** The size in pixels, or undefined for another format than PNG, GIF, WebP and JPEG, and for a damaged head. */
export const imageSize = (base64: string): ImageSize | undefined => {
  const bytes = imageBytes(base64)
  const { length, big, little, text } = bytes
  if (length < 26) return undefined
  if (text(1, 3) === 'PNG') return sized(big(16) * 65_536 + big(18), big(20) * 65_536 + big(22))
  if (text(0, 4) === 'GIF8') return sized(little(6), little(8))
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WEBP' && length >= 30) return webpSize(bytes)
  return big(0) === 0xffd8 ? jpegSize(bytes) : undefined
}

/** The size of a WebP image in any of its three forms; undefined for others. */
const webpSize = ({ byte, little, text }: ImageBytes): ImageSize | undefined => {
  const kind = text(12, 4)
  if (kind === 'VP8 ') return sized(little(26) & 0x3fff, little(28) & 0x3fff)
  if (kind === 'VP8X') return sized(little(24) + byte(26) * 65_536 + 1, little(27) + byte(29) * 65_536 + 1)
  if (kind !== 'VP8L') return undefined
  return sized((little(21) & 0x3fff) + 1, (((byte(22) >> 6) | (byte(23) << 2) | (byte(24) << 10)) & 0x3fff) + 1)
}

/** The size in a JPEG's head; undefined where it has none in its beginning. */
const jpegSize = ({ length, byte, big }: ImageBytes): ImageSize | undefined => {
  for (let at = 2; at + 9 < Math.min(length, LONGEST_HEAD);) {
    if (byte(at) !== 0xff) return undefined
    const marker = byte(at + 1)
    if (isFrameHeader(marker)) return sized(big(at + 7), big(at + 5))
    // Fill bytes and marks without a body have no length behind them.
    at += marker === 0xff ? 1 : marker >= 0xd0 && marker <= 0xd8 ? 2 : 2 + Math.max(2, big(at + 2))
  }
  return undefined
}
