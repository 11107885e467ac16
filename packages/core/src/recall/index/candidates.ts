/**
 * First stage: every message that holds a word of the query gets a rough score, and the best become candidates, whose
 * exact counts the ranking then sees.
 */
import { KIND_BITS } from '../../text-analysis/message-analysis.ts'
import type { Corpus } from './corpus.ts'
import type { Scratch } from './scratch.ts'
import type { Matches } from './term-matches.ts'
import { segmentOf, type View } from './view.ts'

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
const LOOKED_AT = 20

/** BM25 of every passage. Words that are nearly everywhere are left out where others find enough. */
export const scorePassages = (view: View, corpus: Corpus, { terms, postings }: Matches, scratch: Scratch): Float32Array => {
  const scores = scratch.floats(view.passages)
  const mean = corpus.tokens / Math.max(corpus.passages, 1) || 1
  const norm = scratch.floats(65_536)
  for (let tokens = 0; tokens < norm.length; tokens += 1) norm[tokens] = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * tokens) / mean)
  const { passage, byte } = postings
  const { passageTokens } = view
  for (const { start, end, passages } of terms) {
    const worth = Math.log(1 + (corpus.passages - passages + 0.5) / (passages + 0.5)) * (SATURATION + 1)
    for (let index = start; index < end; index += 1) {
      const at = passage[index] as number
      const count = (byte[index] as number) & 15
      scores[at] = (scores[at] as number) + (worth * count) / (count + (norm[passageTokens[at] as number] as number))
    }
  }
  return scores
}

/** By position of the message: its best passage. */
export const scoreMessages = (view: View, passages: Float32Array, scratch: Scratch): Float32Array => {
  const scores = scratch.floats(view.messages)
  const { position } = view
  for (const { segment, messageBase, passageBase } of view.segments) {
    const { firstPassage, messages } = segment
    let passage = passageBase
    for (let message = 0; message < messages; message += 1) {
      let best = 0
      const end = passageBase + (firstPassage[message + 1] as number)
      for (; passage < end; passage += 1) {
        const score = passages[passage] as number
        if (score > best) best = score
      }
      if (best > 0) scores[position[messageBase + message] as number] = best
    }
  }
  return scores
}

export interface Candidates {
  /** Positions of the best messages, ascending. */
  readonly positions: Uint32Array
  /** How many messages matched. */
  readonly matched: number
}

/**
 * The `most` best of those that hold a word and that `wanted` (by message in storage order) lets through; a few more where
 * scores are equal. `scores`: by position.
 */
export const chooseCandidates = (view: View, scores: Float32Array, wanted: Uint8Array | undefined, most: number): Candidates => {
  const { matched, floor } = worthALook(view, scores, wanted, most * LOOKED_AT)
  const positions: number[] = []
  const smoothed: number[] = []
  let [session, end] = [-1, 0]
  let start = 0
  for (let position = 0; position < scores.length; position += 1) {
    const own = scores[position] as number
    if (own === 0 || own < floor || (wanted !== undefined && wanted[view.atPosition[position] as number] === 0)) continue
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
    positions.push(position)
    smoothed.push(own + around * (around > 0 && !isSaid(view, position) ? TOOL_SHARE : 1))
  }
  if (positions.length <= most) return { positions: Uint32Array.from(positions), matched }
  const cut = Float64Array.from(smoothed).sort()[positions.length - most] as number
  return { positions: Uint32Array.from(positions.filter((_, index) => (smoothed[index] as number) >= cut)), matched }
}

const isSaid = (view: View, position: number): boolean => {
  const message = view.atPosition[position] as number
  const { segment, messageBase } = segmentOf(view, message)
  return (((segment.flags[message - messageBase] as number) >> 2) & 3) === KIND_BITS.said
}

const BUCKETS = 4_096

/** How many messages match, and a score that at least `most` of them reach, and not many more. */
const worthALook = (view: View, scores: Float32Array, wanted: Uint8Array | undefined, most: number) => {
  let [matched, highest] = [0, 0]
  for (let position = 0; position < scores.length; position += 1) {
    const own = scores[position] as number
    if (own === 0 || (wanted !== undefined && wanted[view.atPosition[position] as number] === 0)) continue
    matched += 1
    if (own > highest) highest = own
  }
  if (matched <= most) return { matched, floor: 0 }
  const counts = new Uint32Array(BUCKETS + 1)
  const scale = BUCKETS / highest
  for (let position = 0; position < scores.length; position += 1) {
    const own = scores[position] as number
    if (own === 0 || (wanted !== undefined && wanted[view.atPosition[position] as number] === 0)) continue
    const bucket = Math.floor(own * scale)
    counts[bucket] = (counts[bucket] as number) + 1
  }
  let bucket = BUCKETS
  for (let sum = counts[bucket] as number; sum < most && bucket > 0; ) {
    bucket -= 1
    sum += counts[bucket] as number
  }
  return { matched, floor: bucket / scale - highest * 1e-6 }
}
