/**
 * Several segments as one list of messages. Postings number passages in the order of the segments (storage order);
 * positions number messages session by session, whichever segments they are in, so that neighbours are adjacent.
 */
import type { Segment, SegmentWithPostings } from './segment.ts'

/** A segment within a view. */
export interface ViewSegment {
  readonly segment: Segment
  /** Number of its first message and passage in storage order. */
  readonly messageBase: number
  readonly passageBase: number
  /** Postings in memory; otherwise they are in pages with ids from `firstPage` on. */
  readonly postings: Uint8Array | undefined
  readonly firstPage: number
}

/** All segments of a search as one. */
export interface View {
  readonly segments: readonly ViewSegment[]
  readonly messages: number
  readonly passages: number
  readonly tokens: number
  /** Session numbers of the store by index, ascending. */
  readonly sessions: Uint32Array
  /** By session: its messages are at the positions sessionStart[s] … sessionStart[s + 1] − 1. */
  readonly sessionStart: Uint32Array
  /** By position: the message's number in storage order; and the reverse. */
  readonly atPosition: Uint32Array
  readonly position: Uint32Array
  /** By passage. */
  readonly sessionOf: Int32Array
  readonly passageTokens: Uint16Array
}

/** A segment of the store by the id of its first page, or one in memory. */
export type SegmentPart = { readonly segment: Segment; readonly firstPage: number } | SegmentWithPostings

/**
 * Creates the view of these segments. `earlier`: a view that is no longer used, whose buffers are reused, since a new view
 * is needed after every append.
 */
export const createView = (parts: readonly SegmentPart[], earlier?: View): View => {
  const segments: ViewSegment[] = []
  let [messages, passages, tokens] = [0, 0, 0]
  for (const part of parts) {
    const { segment } = part
    segments.push({
      segment,
      messageBase: messages,
      passageBase: passages,
      postings: 'postings' in part ? part.postings : undefined,
      firstPage: 'firstPage' in part ? part.firstPage : 0,
    })
    messages += segment.messages
    passages += segment.passages
    tokens += segment.tokens
  }
  const runs = sortRuns(segments)
  const view = {
    segments,
    messages,
    passages,
    tokens,
    sessions: new Uint32Array(runs.count),
    sessionStart: new Uint32Array(runs.count + 1),
    atPosition: new Uint32Array(reusableBuffer(earlier?.atPosition, messages * 4), 0, messages),
    position: new Uint32Array(reusableBuffer(earlier?.position, messages * 4), 0, messages),
    sessionOf: new Int32Array(reusableBuffer(earlier?.sessionOf, passages * 4), 0, passages),
    passageTokens: new Uint16Array(reusableBuffer(earlier?.passageTokens, passages * 2), 0, passages),
  }
  const sessions = layOutSessions(segments, runs, view)
  for (let position = 0; position < messages; position += 1)
    view.position[view.atPosition[position] as number] = position
  for (const { segment, passageBase } of segments) view.passageTokens.set(segment.passageTokens, passageBase)
  return { ...view, sessions: view.sessions.slice(0, sessions), sessionStart: view.sessionStart.slice(0, sessions + 1) }
}

/** The earlier buffer if it is large enough, else a new one with some spare bytes. */
const reusableBuffer = (earlier: ArrayBufferView | undefined, bytes: number): ArrayBufferLike => {
  if (earlier !== undefined && earlier.buffer.byteLength >= bytes) return earlier.buffer
  return new ArrayBuffer(Math.ceil((bytes * 1.02) / 8) * 8 + 4_096)
}

/** Runs of messages of one session in one segment, in the order of sessions and of the first message. */
interface Runs {
  readonly count: number
  readonly order: Uint32Array
  /** By run: its segment and its number there. */
  readonly segment: Uint32Array
  readonly number: Uint32Array
}

/** The runs of all segments, ordered by session, then by where they begin in its log. */
const sortRuns = (segments: readonly ViewSegment[]): Runs => {
  const count = segments.reduce((sum, { segment }) => sum + segment.runSession.length, 0)
  const [segment, number, session, first] = [
    new Uint32Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
    new Uint32Array(count),
  ]
  let runIndex = 0
  for (const [index, { segment: own }] of segments.entries()) {
    for (let run = 0; run < own.runSession.length; run += 1, runIndex += 1) {
      segment[runIndex] = index
      number[runIndex] = run
      session[runIndex] = own.runSession[run] as number
      first[runIndex] = own.seq[own.runStart[run] as number] as number
    }
  }
  const order = new Uint32Array(count)
  for (let index = 0; index < count; index += 1) order[index] = index
  order.sort(
    (left, right) =>
      (session[left] as number) - (session[right] as number) || (first[left] as number) - (first[right] as number),
  )
  return { count, order, segment, number }
}

type SessionLayout = Pick<View, 'sessions' | 'sessionStart' | 'atPosition' | 'sessionOf'>

/**
 * Fills `sessions`, `sessionStart`, `atPosition` and `sessionOf` of the view: the messages of each session lie side by
 * side, by sequence number. Returns how many sessions there are; `sessions` and `sessionStart` may be longer.
 */
const layOutSessions = (segments: readonly ViewSegment[], runs: Runs, view: SessionLayout): number => {
  let [sessions, position, start, lastSeq] = [0, 0, 0, -1]
  let inOrder = true
  const finish = (): void => {
    if (!inOrder) sortBySeq(segments, view.atPosition.subarray(start, position))
  }
  for (let index = 0; index < runs.count; index += 1) {
    const run = runs.order[index] as number
    const { segment, messageBase, passageBase } = segments[runs.segment[run] as number] as ViewSegment
    const number = runs.number[run] as number
    const session = segment.runSession[number] as number
    const [from, end] = [segment.runStart[number] as number, segment.runStart[number + 1] as number]
    if (sessions === 0 || view.sessions[sessions - 1] !== session) {
      finish()
      view.sessions[sessions] = session
      view.sessionStart[sessions] = position
      sessions += 1
      start = position
      lastSeq = -1
      inOrder = true
    }
    // Runs of several segments may interleave.
    inOrder &&= (segment.seq[from] as number) > lastSeq
    lastSeq = Math.max(lastSeq, segment.seq[end - 1] as number)
    for (let message = from; message < end; message += 1) {
      view.atPosition[position] = messageBase + message
      position += 1
    }
    view.sessionOf.fill(
      sessions - 1,
      passageBase + (segment.firstPassage[from] as number),
      passageBase + (segment.firstPassage[end] as number),
    )
  }
  finish()
  view.sessionStart[sessions] = position
  return sessions
}

/** Sorts messages by their sequence numbers, in place. */
const sortBySeq = (segments: readonly ViewSegment[], messages: Uint32Array): void => {
  const seqOf = (message: number): number => {
    const { segment, messageBase } = segmentOfMessage({ segments }, message)
    return segment.seq[message - messageBase] as number
  }
  const sorted = Array.from(messages, (message) => ({ message, seq: seqOf(message) })).sort(
    (left, right) => left.seq - right.seq,
  )
  sorted.forEach(({ message }, runIndex) => (messages[runIndex] = message))
}

/**
 * A function like {@link segmentOfMessage} that is fast where a message is mostly in the same segment as the one asked
 * for before.
 */
export const segmentFinder = ({ segments }: Pick<View, 'segments'>): ((message: number) => ViewSegment) => {
  let current = segments[0] as ViewSegment
  return (message) => {
    if (message < current.messageBase || message >= current.messageBase + current.segment.messages)
      current = segmentOfMessage({ segments }, message)
    return current
  }
}

/** The segment that holds a message, by its number in storage order; the number must be of the view. */
export const segmentOfMessage = (view: Pick<View, 'segments'>, message: number): ViewSegment =>
  segmentAt(view, 'messageBase', message)

/** The segment that holds a passage, by its number in storage order; the number must be of the view. */
export const segmentOfPassage = (view: Pick<View, 'segments'>, passage: number): ViewSegment =>
  segmentAt(view, 'passageBase', passage)

/** The last segment that begins at or before a number, by binary search. There must be one. */
const segmentAt = (
  { segments }: Pick<View, 'segments'>,
  base: 'messageBase' | 'passageBase',
  number: number,
): ViewSegment => {
  let low = 0
  let high = segments.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((segments[middle] as ViewSegment)[base] <= number) low = middle
    else high = middle - 1
  }
  return segments[low] as ViewSegment
}
