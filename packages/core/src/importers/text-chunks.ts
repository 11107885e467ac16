/**
 * Tells files of text from others. A file may begin with NUL bytes and be sound behind them: a power cut leaves them where
 * content was not written yet.
 */
import { CairnError } from '../errors.ts'

/** Bytes in which a NUL shows that a file may be no text. */
const NUL_WINDOW = 4096
/** Bytes that are looked at then, from the first that is no NUL on. */
const SAMPLE_BYTES = 64 * 1024
/** NULs at a file's beginning that are read over. */
const MAX_NULS = 64 * 1024 * 1024
const BINARY = 'a binary file'
const UTF_16 = 'a text in UTF-16; save it as UTF-8 in order to import it'
const ONLY_NULS = 'nothing but NUL bytes in its first 64 MiB'
/** Error messages (without the path) of files that are not text. */
export const NOT_TEXT_REASONS: ReadonlySet<string> = new Set([BINARY, UTF_16, ONLY_NULS])
/** Control characters other than tab, line end and escape; NULs are looked at by themselves. */
// eslint-disable-next-line no-control-regex -- these characters are what is looked for
const CONTROL = /[\x01-\x08\x0e-\x1a\x1c-\x1f]/

/**
 * Passes a file's chunks on, from its beginning. Rejects with `invalid-input` as soon as they turn out to be binary,
 * UTF-16, or nothing but NUL bytes in 64 MiB.
 */
export async function* textChunks(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  let nuls = 0
  let isKnown = false
  for await (const chunk of chunks) {
    if (!isKnown) {
      const start = firstNonNul(chunk)
      nuls += start
      if (start < chunk.length) {
        isKnown = true
        if (nuls > 0 || chunk.subarray(0, NUL_WINDOW).includes(0)) {
          if (isUtf16(chunk)) throw new CairnError('invalid-input', `${path}: ${UTF_16}`)
          if (!isText(chunk.subarray(start))) throw new CairnError('invalid-input', `${path}: ${BINARY}`)
        }
      } else if (nuls >= MAX_NULS) throw new CairnError('invalid-input', `${path}: ${ONLY_NULS}`)
    }
    yield chunk
  }
}

/** Whether the bytes are text in UTF-16: they begin with its byte order mark, or are like its text without one. */
const isUtf16 = (bytes: Uint8Array): boolean => {
  const [first, second] = bytes
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || isUnmarkedUtf16(bytes)
}

/**
 * Whether NULs are at every second byte, for most of them, and nowhere else: JSON in UTF-16, whose own characters are all
 * ASCII. What a power cut left are runs of them.
 */
const isUnmarkedUtf16 = (bytes: Uint8Array): boolean => {
  const sample = bytes.subarray(0, Math.min(NUL_WINDOW, bytes.length & ~1))
  let [even, odd] = [0, 0]
  for (let position = 0; position < sample.length; position += 2) {
    if (sample[position] === 0) even++
    if (sample[position + 1] === 0) odd++
  }
  if (Math.min(even, odd) > 0 || Math.max(even, odd) * 4 <= sample.length) return false
  try {
    const text = new TextDecoder(even > 0 ? 'utf-16be' : 'utf-16le', { fatal: true })
    return !CONTROL.test(text.decode(sample, { stream: true }))
  } catch {
    return false
  }
}

/** The index of the first byte that is not NUL; the length where there is none. */
const firstNonNul = (chunk: Uint8Array): number => {
  let position = 0
  while (position < chunk.length && chunk[position] === 0) position++
  return position
}

/** Whether the first 64 KiB are text in UTF-8, NULs apart. */
const isText = (bytes: Uint8Array): boolean => {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  for (let start = 0; start < sample.length;) {
    const next = sample.indexOf(0, start)
    const end = next === -1 ? sample.length : next
    if (!isTextBetween(sample.subarray(start, end))) return false
    start = end + 1
  }
  return true
}

/** Whether bytes are text; a character may be cut at either end. */
const isTextBetween = (bytes: Uint8Array): boolean => {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  try {
    return !CONTROL.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start), { stream: true }))
  } catch {
    return false
  }
}
