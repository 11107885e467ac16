/**
 * First stage: every message that holds a word of the query gets a rough score, and the best become candidates, whose
 * exact counts the ranking then sees.
 */
import { KIND_BITS } from '../../text-analysis/message-analysis.ts'
import { cutOf } from '../order.ts'
import type { Corpus } from './corpus.ts'
import type { Scratch } from './scratch.ts'
import type { Matches } from './term-matches.ts'
import { segmentFinder, type View } from './view.ts'

/** BM25 over passages. */
const SATURATION = 1.6
const LENGTH_WEIGHT = 0.4
/** What the messages one and two places away add to a message's score: before it, after it. */
const BEFORE = 0.35
const AFTER = 0.25
const TWO_AWAY = 0.2
/** The same, for what is no talk: calls of tools and their results. */
const TOOL_SHARE = 0.2

/** Of those that match, so many times the candidates are looked at with their neighbours. */
const LOOKED_AT = 10

export interface PassageScores {
  readonly scores: Float32Array
  /** No passage can have more. */
  readonly highest: number
}

/** BM25 of every passage; `weights` by term. Words that are nearly everywhere are left out where others find enough. */
export const scorePassages = (
  view: View,
  corpus: Corpus,
  { terms, postings }: Matches,
  weights: ArrayLike<number>,
  scratch: Scratch,
): PassageScores => {
  const scores = scratch.floats(view.passages)
  const mean = corpus.tokens / Math.max(corpus.passages, 1) || 1
  const norm = scratch.floats(65_536)
  for (let tokens = 0; tokens < norm.length; tokens += 1)
    norm[tokens] = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * tokens) / mean)
  const { passage, byte } = postings
  const { passageTokens } = view
  let highest = 0
  for (const [term, { start, end, passages }] of terms.entries()) {
    const worth =
      (weights[term] ?? 1) * Math.log(1 + (corpus.passages - passages + 0.5) / (passages + 0.5)) * (SATURATION + 1)
    if (end > start) highest += worth
    for (let index = start; index < end; index += 1) {
      const at = passage[index] as number
      const count = (byte[index] as number) & 15
      scores[at] = (scores[at] as number) + (worth * count) / (count + (norm[passageTokens[at] as number] as number))
    }
  }
  return { scores, highest }
}

/** Scores by position of the message, and how many messages have how much. */
export interface MessageScores {
  readonly scores: Float32Array
  /** By bucket: messages. A score s is in the bucket floor(s × scale). */
  readonly counts: Uint32Array
  readonly scale: number
}

const BUCKETS = 4_096

/** A message scores as its best passage; 0: none matches. `wanted` (by message in storage order): the others are not counted. */
export const scoreMessages = (
  view: View,
  { scores: passages, highest }: PassageScores,
  wanted: Uint8Array | undefined,
  scratch: Scratch,
): MessageScores => {
  const scores = scratch.floats(view.messages)
  const counts = new Uint32Array(BUCKETS + 1)
  const scale = highest === 0 ? 0 : BUCKETS / (highest * 1.0001)
  const { position } = view
  for (const { segment, messageBase, passageBase } of view.segments) {
    const { firstPassage, messages } = segment
    const isPlain = segment.passages === messages
    let passage = passageBase
    for (let message = 0; message < messages; message += 1) {
      let best = 0
      const end = isPlain ? passage + 1 : passageBase + (firstPassage[message + 1] as number)
      for (; passage < end; passage += 1) {
        const score = passages[passage] as number
        if (score > best) best = score
      }
      if (best === 0) continue
      scores[position[messageBase + message] as number] = best
      if (wanted !== undefined && wanted[messageBase + message] === 0) continue
      const bucket = Math.floor(best * scale)
      counts[bucket] = (counts[bucket] as number) + 1
    }
  }
  return { scores, counts, scale }
}

export interface Candidates {
  /** Positions of the best messages, ascending. */
  readonly positions: Uint32Array
  /** How many messages matched. */
  readonly matched: number
}

/**
 * The `most` best of those that hold a word and that `wanted` (by message in storage order) lets through; a few more where
 * scores are equal.
 */
export const chooseCandidates = (
  view: View,
  rough: MessageScores,
  wanted: Uint8Array | undefined,
  most: number,
): Candidates => {
  const { scores, scale } = rough
  const { matched, bucket, within } = worthALook(rough, most * LOOKED_AT)
  const positions = new Uint32Array(within)
  const smoothed = new Float64Array(within)
  const inSegment = segmentFinder(view)
  let [count, session, start, end] = [0, -1, 0, 0]
  for (let position = 0; position < scores.length; position += 1) {
    const own = scores[position] as number
    if (
      own === 0 ||
      Math.floor(own * scale) < bucket ||
      (wanted !== undefined && wanted[view.atPosition[position] as number] === 0)
    )
      continue
    while (end <= position) {
      session += 1
      start = end
      end = view.sessionStart[session + 1] as number
    }
    let around = 0
    if (position > start) around += BEFORE * (scores[position - 1] as number)
    if (position > start + 1) around += TWO_AWAY * (scores[position - 2] as number)
    if (position + 1 < end) around += AFTER * (scores[position + 1] as number)
    if (position + 2 < end) around += TWO_AWAY * (scores[position + 2] as number)
    if (around > 0) {
      const message = view.atPosition[position] as number
      const { segment, messageBase } = inSegment(message)
      if ((((segment.flags[message - messageBase] as number) >> 2) & 3) !== KIND_BITS.said) around *= TOOL_SHARE
    }
    positions[count] = position
    smoothed[count] = own + around
    count += 1
  }
  const cut = cutOf(smoothed, most)
  return {
    positions: cut === -Infinity ? positions : positions.filter((_, index) => (smoothed[index] as number) >= cut),
    matched,
  }
}

/** How many messages match, and the lowest bucket of the `most` best, with how many lie in it and above. */
const worthALook = (
  { counts }: MessageScores,
  most: number,
): { readonly matched: number; readonly bucket: number; readonly within: number } => {
  let matched = 0
  for (let bucket = 0; bucket <= BUCKETS; bucket += 1) matched += counts[bucket] as number
  if (matched <= most) return { matched, bucket: 0, within: matched }
  let bucket = BUCKETS
  let within = counts[bucket] as number
  while (within < most && bucket > 0) {
    bucket -= 1
    within += counts[bucket] as number
  }
  return { matched, bucket, within }
}
