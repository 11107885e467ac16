/**
 * First stage of a search: every message that holds a term of the query gets a rough score, and the best become candidates
 * for exact ranking.
 */
import { KIND_BITS } from '../../text-analysis/message-analysis.ts'
import { scoreThreshold } from '../result-order.ts'
import type { Corpus } from './corpus.ts'
import type { Scratch } from './scratch.ts'
import type { Matches } from './term-matches.ts'
import { segmentFinder, type View } from './view.ts'

/** BM25 over passages. */
const SATURATION = 1.6
const LENGTH_WEIGHT = 0.4
/** Share of the scores of neighbours that a message gets: of the one before, the one after, and those two away. */
const BEFORE = 0.35
const AFTER = 0.25
const TWO_AWAY = 0.2
/** Factor of these shares for tool calls and results. */
const TOOL_SHARE = 0.2

/** So many messages per candidate are compared with the scores of their neighbours included. */
const SMOOTHED_PER_CANDIDATE = 10

/** BM25 scores of all passages of a view. */
export interface PassageScores {
  readonly scores: Float32Array
  /** An upper bound of the scores. */
  readonly highest: number
}

/**
 * The BM25 score of every passage of the view, by its number; 0 where no term matches. `weights` by term, 1 for those
 * it lacks. Terms with dense postings are left out: others find enough. The result is in `scratch`, valid until that is
 * cleared.
 */
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
    const termWeight =
      (weights[term] ?? 1) * Math.log(1 + (corpus.passages - passages + 0.5) / (passages + 0.5)) * (SATURATION + 1)
    if (end > start) highest += termWeight
    for (let index = start; index < end; index += 1) {
      const at = passage[index] as number
      const count = (byte[index] as number) & 15
      scores[at] =
        (scores[at] as number) + (termWeight * count) / (count + (norm[passageTokens[at] as number] as number))
    }
  }
  return { scores, highest }
}

/** Scores by position of the message, and a histogram of them. */
export interface MessageScores {
  readonly scores: Float32Array
  /** By bucket: how many messages. A score s is in the bucket floor(s × scale). */
  readonly counts: Uint32Array
  readonly scale: number
}

const BUCKETS = 4_096

/**
 * The score of every message, by position: that of its best passage, 0 where no term matches. The histogram counts only
 * messages with a score that `wanted` lets through (by message in storage order, 0: not; undefined: all). `scores` is
 * in `scratch`, valid until that is cleared.
 */
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

/** The messages to rank exactly. */
export interface Candidates {
  /** Positions of the best messages, ascending. */
  readonly positions: Uint32Array
  /** How many messages matched and were let through, chosen or not. */
  readonly matched: number
}

/**
 * The `most` best messages that hold a term and that `wanted` (by message in storage order, as `rough` was made with)
 * lets through, with shares of their neighbours' scores; more when scores are equal.
 */
export const chooseCandidates = (
  view: View,
  rough: MessageScores,
  wanted: Uint8Array | undefined,
  most: number,
): Candidates => {
  const { scores, scale } = rough
  const { matched, bucket, within } = bucketThreshold(rough, most * SMOOTHED_PER_CANDIDATE)
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
      if ((((segment.flags[message - messageBase] as number) >> 2) & 3) !== KIND_BITS.text) around *= TOOL_SHARE
    }
    positions[count] = position
    smoothed[count] = own + around
    count += 1
  }
  const cut = scoreThreshold(smoothed, most)
  return {
    positions: cut === -Infinity ? positions : positions.filter((_, index) => (smoothed[index] as number) >= cut),
    matched,
  }
}

/**
 * How many messages match, and the lowest bucket of the `most` best, with how many lie in it and above. All if there
 * are no more than `most`.
 */
const bucketThreshold = (
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
