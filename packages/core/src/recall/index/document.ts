/** A message as it lies in the tail of the index, until a segment takes it up. */
import type { FileOperation } from '../../ports/search-index.ts'
import type { AnalysedMessage, Passage } from '../../text-analysis/message-analysis.ts'
import { ByteReader, ByteWriter } from './bytes.ts'

/** A message at its place. Sessions are numbers of the store, without meaning beyond it. */
export interface IndexedMessage {
  readonly session: number
  readonly seq: number
  /** When it was said, ms; NaN when not known. */
  readonly at: number
  readonly message: AnalysedMessage
}

/** The numbers stand in the store: never change one. */
export const FILE_OPERATIONS: readonly FileOperation[] = ['read', 'edit', 'mention']

const FORM = 1
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The message and its time as bytes. */
export const encodeMessage = (at: number | null, message: AnalysedMessage): Uint8Array => {
  const writer = new ByteWriter(
    message.passages.reduce((sum, { counts }) => sum + 8 + counts.length * 5, 64 + message.files.length * 64),
  )
  writer.byte(FORM)
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
  // Hardly larger than what was written.
  return writer.view()
}

/** The reverse of {@link encodeMessage}. Rejects bytes of another form. */
export const decodeMessage = (bytes: Uint8Array): Pick<IndexedMessage, 'at' | 'message'> => {
  const reader = new ByteReader(bytes)
  const form = reader.byte()
  if (form !== FORM) throw new RangeError(`the search index holds a message of the form ${form}`)
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
