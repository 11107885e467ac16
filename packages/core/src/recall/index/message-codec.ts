/** Encodes analysed messages for the tail of the index, where they stay until they are gathered into a segment. */
import type { FileOperation } from '../../ports/search-index.ts'
import type { AnalysedMessage, Passage } from '../../text-analysis/message-analysis.ts'
import { ByteReader, ByteWriter } from './bytes.ts'

/** An analysed message with its session (the number in the store) and sequence number. */
export interface IndexedMessage {
  readonly session: number
  readonly seq: number
  /** Its time, ms; NaN when not known. */
  readonly at: number
  readonly message: AnalysedMessage
}

/** Stored as indices of this list: never change their order. */
export const FILE_OPERATIONS: readonly FileOperation[] = ['read', 'edit', 'mention']

const FORMAT = 1
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The message and its time (ms; null: not known) as bytes, which {@link decodeMessage} reads back. */
export const encodeMessage = (at: number | null, message: AnalysedMessage): Uint8Array => {
  const writer = new ByteWriter(
    message.passages.reduce((sum, { counts }) => sum + 8 + counts.length * 5, 64 + message.files.length * 64),
  )
  writer.byte(FORMAT)
  writer.array(Float64Array.of(at ?? Number.NaN))
  writer.varint(message.flags)
  writer.varint(message.author)
  writer.varint(message.passages.length)
  for (const { tokens, hashes, counts } of message.passages) {
    writer.varint(tokens)
    writer.varint(hashes.length)
    writer.array(hashes)
    writer.bytes(counts)
  }
  writer.varint(message.files.length)
  for (const { path, operation } of message.files) {
    const bytes = encoder.encode(path)
    writer.byte(FILE_OPERATIONS.indexOf(operation))
    writer.varint(bytes.length)
    writer.bytes(bytes)
  }
  // The buffer is hardly larger than what was written, so it is not copied.
  return writer.view()
}

/**
 * The reverse of {@link encodeMessage}. A time that was null is NaN.
 * @throws RangeError for bytes of another format
 */
export const decodeMessage = (bytes: Uint8Array): Pick<IndexedMessage, 'at' | 'message'> => {
  const reader = new ByteReader(bytes)
  const format = reader.byte()
  if (format !== FORMAT) throw new RangeError(`the search index holds a message of the form ${format}`)
  const [at = Number.NaN] = new Float64Array(reader.bytes(8).buffer)
  const flags = reader.varint()
  const author = reader.varint()
  const passages = Array.from({ length: reader.varint() }, (): Passage => {
    const tokens = reader.varint()
    const terms = reader.varint()
    return { tokens, hashes: new Uint32Array(reader.bytes(terms * 4).buffer), counts: reader.bytes(terms) }
  })
  const files = Array.from({ length: reader.varint() }, () => {
    const operation = FILE_OPERATIONS[reader.byte()] ?? 'mention'
    return { operation, path: decoder.decode(reader.bytes(reader.varint())) }
  })
  return { at, message: { passages, flags, author, files } }
}
