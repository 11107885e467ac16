/** The size of a picture, by its first bytes. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Width and height in pixels of an image in base64, from its first bytes; undefined for what is no PNG, GIF or JPEG. */
export const imageSize = (base64: string): ImageSize | undefined => {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (bytes.length >= 10 && bytes.toString('latin1', 0, 3) === 'GIF')
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined
}

/** The size of a JPEG; undefined for one without a frame. Goes from marker to marker until one that starts a frame. */
const jpegSize = (bytes: Buffer): ImageSize | undefined => {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
  }
  return undefined
}
