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
const MOST_NULS = 64 * 1024 * 1024
const BINARY = 'a binary file'
const ONLY_NULS = 'nothing but NUL bytes in its first 64 MiB'
/** The reasons for which a file is none of text. */
export const NO_TEXT: ReadonlySet<string> = new Set([BINARY, ONLY_NULS])
/** Control characters other than tab, line end and escape; NULs are looked at by themselves. */
const CONTROL = /[\x01-\x08\x0e-\x1a\x1c-\x1f]/

/** Passes the chunks of a file on from its beginning. Rejects with `invalid-input` as soon as they turn out not to be text. */
export async function* readable(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  let nuls = 0
  let isKnown = false
  for await (const chunk of chunks) {
    if (!isKnown) {
      const start = firstOther(chunk)
      nuls += start
      if (start < chunk.length) {
        isKnown = true
        if ((nuls > 0 || chunk.subarray(0, NUL_WINDOW).includes(0)) && !isText(chunk.subarray(start)))
          throw new CairnError('invalid-input', `${path}: ${BINARY}`)
      } else if (nuls >= MOST_NULS) throw new CairnError('invalid-input', `${path}: ${ONLY_NULS}`)
    }
    yield chunk
  }
}

/** Where the first byte stands that is no NUL. */
const firstOther = (chunk: Uint8Array): number => {
  let place = 0
  while (place < chunk.length && chunk[place] === 0) place++
  return place
}

/** Whether what stands between NULs is text. */
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

/** A character may be cut at either end. */
const isTextBetween = (bytes: Uint8Array): boolean => {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  try {
    return !CONTROL.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start), { stream: true }))
  } catch {
    return false
  }
}
