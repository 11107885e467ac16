/**
 * A run of source lines as bytes: a header of kinds and lengths (`j120r7;`), then the lines. `j` lines are JSON text
 * with references, `r` lines raw bytes. They are delimited by lengths, not line ends, because an element of a JSON
 * document may contain line ends itself.
 */
import { dehydrateLine, hydrateLine } from './dehydrate.ts'
import { MARK } from './references.ts'

const encoder = new TextEncoder()
/** A line may begin with a byte order mark: it is kept. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The lines of a run as bytes, which {@link decodeLines} reads; `keep` takes a long text and returns its number. A line
 * that is not well-formed text has to be given as bytes, else it would not come back as it was.
 */
export const encodeLines = (lines: readonly (string | Uint8Array)[], keep: (text: string) => number): Uint8Array => {
  let header = ''
  const parts: Uint8Array[] = []
  for (const line of lines) {
    // JSON text holds no control characters; a line that contains the mark nevertheless is stored unchanged.
    const isText = typeof line === 'string' && !line.includes(MARK)
    const bytes = typeof line !== 'string' ? line : encoder.encode(isText ? dehydrateLine(line, keep) : line)
    header += `${isText ? 'j' : 'r'}${bytes.byteLength}`
    parts.push(bytes)
  }
  return Buffer.concat([encoder.encode(`${header};`), ...parts])
}

/** The lines of a run, byte for byte as they were given to {@link encodeLines}; `text` returns the text of a number. */
export const decodeLines = (bytes: Uint8Array, text: (reference: number) => string): readonly Uint8Array[] => {
  const end = bytes.indexOf(0x3b)
  const header = decoder.decode(bytes.subarray(0, end))
  const lines: Uint8Array[] = []
  let offset = end + 1
  for (const [, kind, length] of header.matchAll(/([jr])(\d+)/g)) {
    const slice = bytes.subarray(offset, offset + Number(length))
    lines.push(kind === 'r' ? new Uint8Array(slice) : encoder.encode(hydrateLine(decoder.decode(slice), text)))
    offset += Number(length)
  }
  return lines
}
