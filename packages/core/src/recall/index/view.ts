/**
 * Segments seen as one list of messages. Postings number passages in the order in which the segments hold them
 * (storage order); neighbours are found by position: all messages of a session one after the other, whichever segments
 * they lie in.
 */
import type { Segment, WholeSegment } from './segment.ts'

export interface ViewSegment {
  readonly segment: Segment
  /** Number of its first message and passage in storage order. */
  readonly messageBase: number
  readonly passageBase: number
  /** Postings that are at hand; otherwise they lie in pages from this id on. */
  readonly postings: Uint8Array | undefined
  readonly firstPage: number
}

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
export type SegmentPart = { readonly segment: Segment; readonly firstPage: number } | WholeSegment

interface Run {
  readonly session: number
  readonly first: number
  readonly last: number
  readonly message: number
  readonly count: number
  readonly segment: Segment
  readonly start: number
}

export const createView = (parts: readonly SegmentPart[]): View => {
  const segments: ViewSegment[] = []
  const runs: Run[] = []
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
    for (let run = 0; run < segment.runSession.length; run += 1) {
      const [start, end] = [segment.runStart[run] as number, segment.runStart[run + 1] as number]
      runs.push({ session: segment.runSession[run] as number, first: segment.seq[start] as number, last: segment.seq[end - 1] as number, message: messages + start, count: end - start, segment, start })
    }
    messages += segment.messages
    passages += segment.passages
    tokens += segment.tokens
  }
  runs.sort((left, right) => left.session - right.session || left.first - right.first)

  const view = {
    segments, messages, passages, tokens,
    sessions: new Uint32Array(runs.length),
    sessionStart: new Uint32Array(runs.length + 1),
    atPosition: new Uint32Array(messages),
    position: new Uint32Array(messages),
    sessionOf: new Int32Array(passages),
    passageTokens: new Uint16Array(passages),
  }
  const sessions = placeSessions(runs, view)
  for (let position = 0; position < messages; position += 1) view.position[view.atPosition[position] as number] = position
  const indexOf = new Map<number, number>()
  for (let index = 0; index < sessions; index += 1) indexOf.set(view.sessions[index] as number, index)
  for (const { segment, passageBase } of segments) {
    view.passageTokens.set(segment.passageTokens, passageBase)
    for (let run = 0; run < segment.runSession.length; run += 1) {
      const [start, end] = [segment.runStart[run] as number, segment.runStart[run + 1] as number]
      view.sessionOf.fill(indexOf.get(segment.runSession[run] as number) ?? 0, passageBase + (segment.firstPassage[start] as number), passageBase + (segment.firstPassage[end] as number))
    }
  }
  return { ...view, sessions: view.sessions.slice(0, sessions), sessionStart: view.sessionStart.slice(0, sessions + 1) }
}

/** Lays the messages of each session side by side; returns how many sessions there are. */
const placeSessions = (runs: readonly Run[], view: { readonly sessions: Uint32Array; readonly sessionStart: Uint32Array; readonly atPosition: Uint32Array }): number => {
  let sessions = 0
  let position = 0
  for (let index = 0; index < runs.length; ) {
    const session = (runs[index] as Run).session
    let end = index + 1
    let apart = true
    while (runs[end]?.session === session) {
      apart &&= (runs[end] as Run).first > (runs[end - 1] as Run).last
      end += 1
    }
    view.sessions[sessions] = session
    view.sessionStart[sessions] = position
    sessions += 1
    const own = runs.slice(index, end)
    if (apart) for (const { message, count } of own) for (let place = 0; place < count; place += 1) view.atPosition[position++] = message + place
    else {
      const places = own.flatMap(({ message, count, segment, start }) => Array.from({ length: count }, (_, place) => ({ message: message + place, seq: segment.seq[start + place] as number })))
      for (const { message } of places.sort((left, right) => left.seq - right.seq)) view.atPosition[position++] = message
    }
    index = end
  }
  view.sessionStart[sessions] = position
  return sessions
}

/** The segment that holds a message (by its number in storage order). */
export const segmentOf = ({ segments }: Pick<View, 'segments'>, message: number): ViewSegment => {
  let low = 0
  let high = segments.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((segments[middle] as ViewSegment).messageBase <= message) low = middle
    else high = middle - 1
  }
  return segments[low] as ViewSegment
}
