/** Makes a segment of analysed messages. */
import { ByteWriter } from './bytes.ts'
import { FILE_OPERATIONS, type IndexedMessage } from './document.ts'
import { Postings, writePostings } from './postings.ts'
import { knownAuthors, pageBytesFor, type Segment, type WholeSegment } from './segment.ts'

export const inOrder = (left: Pick<IndexedMessage, 'session' | 'seq'>, right: Pick<IndexedMessage, 'session' | 'seq'>): number =>
  left.session - right.session || left.seq - right.seq

/** The segment of these messages, whatever their order; each place of a session at most once. */
export const buildSegment = (given: readonly IndexedMessage[]): WholeSegment => {
  const messages = [...given].sort(inOrder)
  const facts = factsOf(messages)
  const { terms, numbers, size } = countTerms(messages)
  const hashes = Uint32Array.from(terms.keys()).sort()
  /** By number of a term: where its postings begin, then where the next one goes. */
  const next = new Uint32Array(hashes.length + 1)
  const termPassages = Uint32Array.from(hashes, (hash) => terms.get(hash)?.count ?? 0)
  let total = 0
  hashes.forEach((hash, index) => {
    next[terms.get(hash)?.number ?? 0] = total
    total += termPassages[index] ?? 0
  })
  const postings = new Postings(size)
  let place = 0
  let passage = 0
  for (const { message } of messages) {
    for (const { counts } of message.passages) {
      for (let term = 0; term < counts.length; term += 1, place += 1) {
        const number = numbers[place] as number
        const slot = next[number] as number
        postings.passage[slot] = passage
        postings.byte[slot] = counts[term] as number
        next[number] = slot + 1
      }
      passage += 1
    }
  }
  const writer = new ByteWriter(size * 3 + 1024)
  const termOffset = new Uint32Array(hashes.length + 1)
  let start = 0
  hashes.forEach((_, index) => {
    termOffset[index] = writer.length
    const end = start + (termPassages[index] ?? 0)
    writePostings(postings, start, end, passage, writer)
    start = end
  })
  termOffset[hashes.length] = writer.length
  const segment: Segment = { ...facts, postingBytes: writer.length, pageBytes: pageBytesFor(writer.length), termHash: hashes, termPassages, termOffset }
  return { segment, postings: writer.copy() }
}

/** Numbers for terms in the order in which they come, and the number of each posting's term. */
const countTerms = (messages: readonly IndexedMessage[]) => {
  const size = messages.reduce((sum, { message }) => sum + message.passages.reduce((all, { counts }) => all + counts.length, 0), 0)
  const terms = new Map<number, { readonly number: number; count: number }>()
  const numbers = new Uint32Array(size)
  let place = 0
  for (const { message } of messages) {
    for (const { hashes } of message.passages) {
      for (const hash of hashes) {
        let term = terms.get(hash)
        if (term === undefined) terms.set(hash, (term = { number: terms.size, count: 0 }))
        term.count += 1
        numbers[place] = term.number
        place += 1
      }
    }
  }
  return { terms, numbers, size }
}

/** Everything but terms and postings, of messages in order. */
const factsOf = (messages: readonly IndexedMessage[]) => {
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
  const passageTokens = Uint16Array.from(messages.flatMap(({ message }) => message.passages.map(({ tokens }) => tokens)))
  return {
    messages: messages.length,
    passages: passageTokens.length,
    tokens: passageTokens.reduce((sum, tokens) => sum + tokens, 0),
    at: Float64Array.from(messages, ({ at }) => at),
    seq: Uint32Array.from(messages, ({ seq }) => seq),
    author: knownAuthors(Uint32Array.from(messages, ({ message }) => message.author)),
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
