/** The text of a file's bytes, or what they are instead. */

/** Git looks as far for a zero byte. */
const LOOKED_AT_BYTES = 8_000

/** `problem`: why it is no text, as the end of a sentence that begins with the file's name. */
export type FileText = { readonly text: string } | { readonly problem: string }

/**
 * The text of UTF-8, a byte order mark included; for UTF-16, binary and other bytes `problem`, the end of a sentence
 * that begins with the file's name.
 */
export const fileText = (content: Buffer): FileText => {
  if (isUtf16(content)) return { problem: 'is UTF-16 text; convert it to UTF-8 with a command first' }
  if (isBinary(content)) return { problem: `is binary (${content.length} bytes)` }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content) }
  } catch {
    return { problem: 'is not UTF-8 text' }
  }
}

/** As {@link fileText}, with U+FFFD for bytes that are no UTF-8; `isLossy` says that there were some. */
export const lossyText = (
  content: Buffer,
): { readonly text: string; readonly isLossy: boolean } | { readonly problem: string } => {
  const exact = fileText(content)
  if ('text' in exact) return { text: exact.text, isLossy: false }
  if (isUtf16(content) || isBinary(content)) return exact
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(content), isLossy: true }
}

const isUtf16 = (content: Buffer): boolean =>
  (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff)

const isBinary = (content: Buffer): boolean => content.subarray(0, LOOKED_AT_BYTES).includes(0)
