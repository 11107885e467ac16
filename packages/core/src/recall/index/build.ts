/** Builds a segment from analysed messages. */
import { ByteWriter } from './bytes.ts'
import { FILE_OPERATIONS, type IndexedMessage } from './message-codec.ts'
import { Postings, writePostings } from './postings.ts'
import { compactAuthors, pageBytesFor, type Segment, type SegmentWithPostings } from './segment.ts'
import { TermNumbers } from './term-numbers.ts'

const bySessionAndSeq = (
  left: Pick<IndexedMessage, 'session' | 'seq'>,
  right: Pick<IndexedMessage, 'session' | 'seq'>,
): number => left.session - right.session || left.seq - right.seq

/** Buffers for so many postings are kept from one segment to the next, since an import builds hundreds. */
const REUSED_POSTINGS = 1 << 17
const buffers = { numbers: new Uint32Array(0), postings: new Postings(0), writer: new ByteWriter(0) }

/**
 * Buffers of at least this size: the shared ones, emptied, or new ones for a large segment. Shared ones are valid until
 * the next call.
 */
const buffersFor = (size: number): typeof buffers => {
  if (size > REUSED_POSTINGS)
    return { numbers: new Uint32Array(size), postings: new Postings(size), writer: new ByteWriter(size * 3 + 1024) }
  if (buffers.numbers.length === 0) {
    buffers.numbers = new Uint32Array(REUSED_POSTINGS)
    buffers.postings = new Postings(REUSED_POSTINGS)
    buffers.writer = new ByteWriter(REUSED_POSTINGS * 3)
  }
  buffers.writer.clear()
  return buffers
}

/**
 * Builds the segment of these messages, in any order; `given` stays as it is. No two may have the same session and
 * sequence number, which is not checked.
 */
export const buildSegment = (given: readonly IndexedMessage[]): SegmentWithPostings => {
  const messages = [...given].sort(bySessionAndSeq)
  const columns = messageColumns(messages)
  const { numbers, postings, writer } = buffersFor(countPostings(messages))
  const { terms, counts } = countTerms(messages, numbers)
  const termHash = terms.hashes().sort()
  /** By number of a term: where its postings begin, then where its next posting goes. */
  const next = new Uint32Array(terms.size)
  const termPassages = new Uint32Array(terms.size)
  let total = 0
  for (let term = 0; term < termHash.length; term += 1) {
    const number = terms.of(termHash[term] as number)
    const count = counts[number] as number
    next[number] = total
    termPassages[term] = count
    total += count
  }
  let posting = 0
  let passage = 0
  for (const { message } of messages) {
    for (const { counts: bytes } of message.passages) {
      for (let term = 0; term < bytes.length; term += 1, posting += 1) {
        const number = numbers[posting] as number
        const slot = next[number] as number
        postings.passage[slot] = passage
        postings.byte[slot] = bytes[term] as number
        next[number] = slot + 1
      }
      passage += 1
    }
  }
  const termOffset = new Uint32Array(terms.size + 1)
  let start = 0
  for (let term = 0; term < termHash.length; term += 1) {
    termOffset[term] = writer.length
    const end = start + (termPassages[term] as number)
    writePostings(postings, start, end, passage, writer)
    start = end
  }
  termOffset[terms.size] = writer.length
  const segment: Segment = {
    ...columns,
    postingBytes: writer.length,
    pageBytes: pageBytesFor(writer.length),
    termHash,
    termPassages,
    termOffset,
  }
  return { segment, postings: writer.copy() }
}

/**
 * The segment of one session as that of another `session`, with `from` added to its sequence numbers. The given one
 * stays as it is; its other columns and its postings are shared.
 */
export const moveSegmentToSession = (
  { segment, postings }: SegmentWithPostings,
  session: number,
  from: number,
): SegmentWithPostings => ({
  segment: { ...segment, runSession: segment.runSession.map(() => session), seq: segment.seq.map((seq) => seq + from) },
  postings,
})

/** How many pairs of passage and term there are. */
const countPostings = (messages: readonly IndexedMessage[]): number => {
  let size = 0
  for (const { message } of messages) for (const { counts } of message.passages) size += counts.length
  return size
}

/** Numbers the terms in the order of their occurrence and counts their postings; writes each posting's term to `numbers`. */
const countTerms = (messages: readonly IndexedMessage[], numbers: Uint32Array) => {
  const terms = new TermNumbers()
  let size = 0
  for (const { message } of messages) {
    for (const { hashes } of message.passages)
      for (let term = 0; term < hashes.length; term += 1, size += 1) numbers[size] = terms.of(hashes[term] as number)
  }
  const counts = new Uint32Array(terms.size)
  for (let posting = 0; posting < size; posting += 1)
    counts[numbers[posting] as number] = (counts[numbers[posting] as number] as number) + 1
  return { terms, counts }
}

/** The columns of a segment but terms and postings, of sorted messages. */
const messageColumns = (messages: readonly IndexedMessage[]) => {
  const firstPassage = new Uint32Array(messages.length + 1)
  const [runSession, runStart]: [number[], number[]] = [[], []]
  const [touchMessage, touchPath, touchOperation]: [number[], number[], number[]] = [[], [], []]
  const paths = new Map<string, number>()
  messages.forEach(({ session, message }, index) => {
    firstPassage[index + 1] = (firstPassage[index] ?? 0) + message.passages.length
    if (runSession.at(-1) !== session) {
      runSession.push(session)
      runStart.push(index)
    }
    for (const { path, operation } of message.files) {
      const known = paths.get(path) ?? paths.size
      paths.set(path, known)
      touchMessage.push(index)
      touchPath.push(known)
      touchOperation.push(FILE_OPERATIONS.indexOf(operation))
    }
  })
  const passageTokens = Uint16Array.from(
    messages.flatMap(({ message }) => message.passages.map(({ tokens }) => tokens)),
  )
  return {
    messages: messages.length,
    passages: passageTokens.length,
    tokens: passageTokens.reduce((sum, tokens) => sum + tokens, 0),
    at: Float64Array.from(messages, ({ at }) => at),
    seq: Uint32Array.from(messages, ({ seq }) => seq),
    author: compactAuthors(Uint32Array.from(messages, ({ message }) => message.author)),
    flags: Uint16Array.from(messages, ({ message }) => message.flags),
    firstPassage,
    passageTokens,
    runSession: Uint32Array.from(runSession),
    runStart: Uint32Array.from([...runStart, messages.length]),
    touchMessage: Uint32Array.from(touchMessage),
    touchPath: Uint32Array.from(touchPath),
    touchOperation: Uint8Array.from(touchOperation),
    paths: [...paths.keys()],
  }
}
