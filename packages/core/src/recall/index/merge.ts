/**
 * Merges segments into one and drops deleted sessions. A generator that yields every few milliseconds, so that a merge in
 * the background does not block the process.
 */
import { ByteWriter } from './bytes.ts'
import { Postings, readPostings, writePostings } from './postings.ts'
import { compactAuthors, pageBytesFor, type Segment, type SegmentWithPostings } from './segment.ts'

/** How many postings are merged between two yields. */
const POSTINGS_PER_STEP = 60_000

/**
 * Merges segments into one, without the sessions (numbers) in `without`. A generator that yields between its steps, so
 * that the caller can pause; it returns the segment. The sources stay as they are. Sources must have no message in
 * common.
 */
export const mergeSegments = function* (
  sources: readonly SegmentWithPostings[],
  without: ReadonlySet<number> = new Set(),
): Generator<void, SegmentWithPostings> {
  const order = orderMessages(
    sources.map(({ segment }) => segment),
    without,
  )
  yield
  const { columns, numberOf } = mergeColumns(
    sources.map(({ segment }) => segment),
    order,
  )
  yield
  const terms = yield* mergeTerms(sources, numberOf, columns.passages)
  return {
    segment: {
      ...columns,
      postingBytes: terms.postings.length,
      pageBytes: pageBytesFor(terms.postings.length),
      termHash: terms.hash,
      termPassages: terms.passages,
      termOffset: terms.offset,
    },
    postings: terms.postings,
  }
}

/** {@link mergeSegments} in one go, which blocks the event loop meanwhile. Throws as it does. */
export const mergeWithoutPauses = (
  sources: readonly SegmentWithPostings[],
  without?: ReadonlySet<number>,
): SegmentWithPostings => {
  const steps = mergeSegments(sources, without)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

interface SourceMessage {
  readonly source: number
  readonly message: number
  readonly session: number
  readonly seq: number
}

/**
 * The messages of all segments but those of the sessions in `without` (numbers), sorted by session and sequence number.
 */
const orderMessages = (segments: readonly Segment[], without: ReadonlySet<number>): readonly SourceMessage[] => {
  const found: SourceMessage[] = []
  segments.forEach((segment, source) => {
    segment.runSession.forEach((session, run) => {
      if (without.has(session)) return
      for (let message = segment.runStart[run] ?? 0; message < (segment.runStart[run + 1] ?? 0); message += 1)
        found.push({ source, message, session, seq: segment.seq[message] ?? 0 })
    })
  })
  return found.sort((left, right) => left.session - right.session || left.seq - right.seq)
}

/** The columns but terms and postings; and by source the new number of each passage, −1 for dropped ones. */
const mergeColumns = (segments: readonly Segment[], order: readonly SourceMessage[]) => {
  const numberOf = segments.map((segment) => new Int32Array(segment.passages).fill(-1))
  const newMessage = segments.map((segment) => new Int32Array(segment.messages).fill(-1))
  const [at, seq, author, flags] = [
    new Float64Array(order.length),
    new Uint32Array(order.length),
    new Uint32Array(order.length),
    new Uint16Array(order.length),
  ]
  const firstPassage = new Uint32Array(order.length + 1)
  const passageTokens: number[] = []
  const [runSession, runStart]: [number[], number[]] = [[], []]
  let tokens = 0
  order.forEach(({ source, message, session }, index) => {
    const segment = segments[source] as Segment
    at[index] = segment.at[message] as number
    seq[index] = segment.seq[message] as number
    author[index] = segment.author[message] ?? 0
    flags[index] = segment.flags[message] as number
    if (runSession.at(-1) !== session) {
      runSession.push(session)
      runStart.push(index)
    }
    const map = numberOf[source] as Int32Array
    for (
      let passage = segment.firstPassage[message] as number;
      passage < (segment.firstPassage[message + 1] as number);
      passage += 1
    ) {
      map[passage] = passageTokens.length
      passageTokens.push(segment.passageTokens[passage] as number)
      tokens += segment.passageTokens[passage] as number
    }
    firstPassage[index + 1] = passageTokens.length
    ;(newMessage[source] as Int32Array)[message] = index
  })
  const columns = {
    messages: order.length,
    passages: passageTokens.length,
    tokens,
    at,
    seq,
    author: compactAuthors(author),
    flags,
    firstPassage,
    passageTokens: Uint16Array.from(passageTokens),
    runSession: Uint32Array.from(runSession),
    runStart: Uint32Array.from([...runStart, order.length]),
    ...mergeTouches(segments, newMessage),
  }
  return { columns, numberOf }
}

/** The touches of all segments under the new numbers, without those of messages that went. In order of the messages. */
const mergeTouches = (segments: readonly Segment[], newMessage: readonly Int32Array[]) => {
  const paths = new Map<string, number>()
  const touches: { readonly message: number; readonly path: number; readonly operation: number }[] = []
  segments.forEach((segment, source) => {
    segment.touchMessage.forEach((message, index) => {
      const moved = newMessage[source]?.[message] ?? -1
      if (moved === -1) return
      const path = segment.paths[segment.touchPath[index] ?? 0] ?? ''
      const number = paths.get(path) ?? paths.size
      paths.set(path, number)
      touches.push({ message: moved, path: number, operation: segment.touchOperation[index] ?? 0 })
    })
  })
  touches.sort((left, right) => left.message - right.message)
  return {
    touchMessage: Uint32Array.from(touches, ({ message }) => message),
    touchPath: Uint32Array.from(touches, ({ path }) => path),
    touchOperation: Uint8Array.from(touches, ({ operation }) => operation),
    paths: [...paths.keys()],
  }
}

/**
 * Merges the terms of segments, ordered by hash, with passages renumbered by `numberOf` (below 0: left out). Yields
 * after every `POSTINGS_PER_STEP`, so that others get a turn; returns the columns.
 */
const mergeTerms = function* (
  sources: readonly SegmentWithPostings[],
  numberOf: readonly Int32Array[],
  passages: number,
) {
  const next = sources.map(() => 0)
  const [hash, count, offset]: [number[], number[], number[]] = [[], [], []]
  const writer = new ByteWriter(sources.reduce((sum, { postings }) => sum + postings.length, 1024))
  const [all, one] = [new Postings(), new Postings()]
  for (let done = 0; ;) {
    let least = Infinity
    for (let source = 0; source < sources.length; source += 1)
      least = Math.min(least, sources[source]?.segment.termHash[next[source] as number] ?? Infinity)
    if (least === Infinity) break
    all.length = 0
    for (let source = 0; source < sources.length; source += 1) {
      const { segment, postings } = sources[source] as SegmentWithPostings
      const term = next[source] as number
      if (segment.termHash[term] !== least) continue
      next[source] = term + 1
      one.length = 0
      readPostings(postings, segment.termPassages[term] as number, segment.passages, 0, one, segment.termOffset[term])
      appendMoved(one, numberOf[source] as Int32Array, all)
    }
    done += all.length
    if (all.length > 0) {
      sortPostings(all)
      hash.push(least)
      count.push(all.length)
      offset.push(writer.length)
      writePostings(all, 0, all.length, passages, writer)
    }
    if (done >= POSTINGS_PER_STEP) {
      done = 0
      yield
    }
  }
  offset.push(writer.length)
  return {
    hash: Uint32Array.from(hash),
    passages: Uint32Array.from(count),
    offset: Uint32Array.from(offset),
    postings: writer.view(),
  }
}

/** Appends postings under the new numbers; those of passages that went are left out. */
const appendMoved = (from: Postings, numberOf: Int32Array, to: Postings): void => {
  to.reserve(from.length)
  for (let index = 0; index < from.length; index += 1) {
    const moved = numberOf[from.passage[index] as number] as number
    if (moved === -1) continue
    to.passage[to.length] = moved
    to.byte[to.length] = from.byte[index] as number
    to.length += 1
  }
}

/** Sorts postings by passage: sessions of several segments interleave. In place. */
const sortPostings = ({ passage, byte, length }: Postings): void => {
  let isSorted = true
  for (let index = 1; index < length && isSorted; index += 1)
    isSorted = (passage[index - 1] as number) < (passage[index] as number)
  if (isSorted) return
  const keys = new Float64Array(length)
  for (let index = 0; index < length; index += 1)
    keys[index] = (passage[index] as number) * 256 + (byte[index] as number)
  keys.sort()
  for (let index = 0; index < length; index += 1) {
    const key = keys[index] as number
    passage[index] = Math.floor(key / 256)
    byte[index] = key % 256
  }
}
