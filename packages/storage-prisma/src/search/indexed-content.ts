/**
 * The messages of a write for the search index, prepared outside any lock: bytes for the tail or, if there are many, a
 * segment that only lacks its session id and first sequence number.
 */
import { analyseEntry, buildSegment, encodeMessage, moveSegmentToSession } from '@cairn/core'
import type { EntryWrite, IndexedMessage, SegmentWithPostings } from '@cairn/core'
import type { TailSize } from './index-sizes.ts'

export interface IndexedContent {
  /** All messages as a segment of this session, the first of the writes at `from`; undefined where they are few. */
  readonly segmentAt: ((session: number, from: number) => SegmentWithPostings) | undefined
  /** The message of a write for the tail; undefined for other entries. */
  tailOf(write: number): Uint8Array | undefined
}

/** Work that has gone on for this long (ms) yields to the event loop: a signal may have come. */
const WORK_MS = 100
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Analyses the messages of a write, yielding regularly. From the size `segmentFrom` on they are made into a segment as
 * well; without it never. Texts for which `isRepeated` is true are left out, as they are indexed already; it is called
 * once for each text, in the order of the writes.
 */
export const indexedContent = async (
  writes: readonly EntryWrite[],
  isRepeated: (text: string) => boolean,
  segmentFrom?: TailSize,
): Promise<IndexedContent> => {
  const analysed: (IndexedMessage | undefined)[] = []
  let since = performance.now()
  for (const [seq, { entry }] of writes.entries()) {
    if (performance.now() - since >= WORK_MS) {
      await turn()
      since = performance.now()
    }
    analysed.push(
      entry.kind === 'message'
        ? { session: 0, seq, at: entry.at ?? Number.NaN, message: analyseEntry(entry, isRepeated) }
        : undefined,
    )
  }
  const messages = analysed.filter((message) => message !== undefined)
  const bytesOf = (write: number): Uint8Array | undefined => {
    const message = analysed[write]
    return message === undefined ? undefined : encodeMessage(message.at, message.message)
  }
  if (segmentFrom === undefined || !isMany(messages, segmentFrom)) {
    const tail = writes.map((_, write) => bytesOf(write))
    return { segmentAt: undefined, tailOf: (write) => tail[write] }
  }
  const whole = buildSegment(messages)
  return { segmentAt: (session, from) => moveSegmentToSession(whole, session, from), tailOf: bytesOf }
}

/** Bytes of a term, as the tail holds it. */
const TERM_BYTES = 5

/**
 * Whether messages are so many, or so large, that they become a segment. True for at least `least.messages` of them, or
 * `least.bytes` of estimated postings; never for none.
 */
const isMany = (messages: readonly IndexedMessage[], least: TailSize): boolean => {
  if (messages.length >= least.messages) return messages.length > 0
  let bytes = 0
  for (const { message } of messages) for (const { counts } of message.passages) bytes += counts.length * TERM_BYTES
  return bytes >= least.bytes
}
