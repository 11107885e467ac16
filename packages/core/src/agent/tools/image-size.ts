/** Width and height of an image, from its first bytes. */

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/**
 * Width and height in pixels of a PNG, JPEG, GIF or WebP; undefined for other types and if the bytes end before them.
 * `mediaType` is the known type: of a PNG and a GIF it is not checked that the bytes are one. Never throws.
 */
export const imageSize = (content: Uint8Array, mediaType: string): ImageSize | undefined => {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  try {
    if (mediaType === 'image/png') return { width: view.getUint32(16), height: view.getUint32(20) }
    if (mediaType === 'image/gif') return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
    if (mediaType === 'image/webp') return webpSize(view)
    return mediaType === 'image/jpeg' ? jpegSize(view) : undefined
  } catch {
    // The file ends before them.
    return undefined
  }
}

/**
 * The size of a WebP image in any of its three formats (extended, lossless, lossy); undefined for others. Throws a
 * RangeError if its bytes end early.
 */
const webpSize = (view: DataView): ImageSize | undefined => {
  const form = String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)))
  if (form === 'VP8X') return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
  if (form === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (form !== 'VP8L') return undefined
  const bits = view.getUint32(21, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

/**
 * The size of a JPEG, from the first frame header among the segments; undefined without one. Throws a RangeError if its
 * bytes end early.
 */
const jpegSize = (view: DataView): ImageSize | undefined => {
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    // A fill byte, or a segment with its length.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}
