/** Images and documents that a model is handed as they are. */
import type { FileBlock, ImageBlock } from '../../messages.ts'

/** In bytes. Providers accept no larger image or document. */
export const LARGEST_ATTACHMENT = 5_000_000

const TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
])

/** What a file of a type starts with, as Latin-1. */
const BEGINNINGS: readonly (readonly [mediaType: string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['application/pdf', /^%PDF-/],
]

/**
 * Returns the media type of an image or document by the extension of its name, ignoring case; undefined for any other
 * file.
 */
export const attachmentType = (path: string): string | undefined =>
  TYPES.get((/\.([^./\\]+)$/.exec(path)?.[1] ?? '').toLowerCase())

/**
 * Returns the media type of an image or document by its first bytes, whatever it is called; undefined for other
 * content.
 */
export const contentType = (content: Uint8Array): string | undefined => {
  const beginning = latin1Of(content.subarray(0, 16))
  return BEGINNINGS.find(([, pattern]) => pattern.test(beginning))?.[0]
}

/**
 * Returns the block for an attachment, its content as base64: an image, or a file such as a PDF, by its first bytes.
 * Undefined if these are of neither.
 */
export const attachmentBlock = (path: string, content: Uint8Array): ImageBlock | FileBlock | undefined => {
  const mediaType = contentType(content)
  if (mediaType === undefined) return undefined
  const data = btoa(latin1Of(content))
  return mediaType.startsWith('image/') ? { type: 'image', mediaType, data } : { type: 'file', path, mediaType, data }
}

/** Arguments that a call accepts on every platform. */
const CHUNK = 8_192

/** The bytes as text, one character per byte. */
const latin1Of = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return text
}
