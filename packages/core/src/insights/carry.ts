/** What it costs to keep tokens in the context: they are written once, and read by each later request of the segment. */
import type { ChainRequest } from './chains.ts'

export interface Carry {
  /** Tokens that were sent first with a request, and again with all later ones of its segment: written, then read. */
  from(sentWith: number, tokens: number): number
  /** Their writing alone. */
  written(sentWith: number, tokens: number): number
  /** Their reading alone, the requests from `first` to `last`. */
  reads(first: number, last: number, tokens: number): number
  /** The last request of the segment that a request is in, by index. */
  segmentEnd(index: number): number
  /** What each request paid for all of these, nano-USD. */
  readonly paid: () => readonly number[]
}

/**
 * Adds up what carrying tokens costs; each call takes the same time however long the tokens are carried. All methods
 * that add return what it costs in all, nano-USD: 0 where the request is not there. `paid` tells it by request.
 * @param segments of each request, rising
 * @param shares the part of each request, 0 to 1, that is charged to what it carries
 */
export const createCarry = (
  requests: readonly ChainRequest[],
  segments: readonly number[],
  shares: readonly number[],
): Carry => {
  const count = requests.length
  /** What reading a token costs in the requests before an index. */
  const readBefore = new Float64Array(count + 1)
  /** Tokens that are read from an index on, or no longer. */
  const changes = new Float64Array(count + 1)
  const written = new Float64Array(count)
  const ends = new Int32Array(count)
  const readCost = (index: number): number => (requests[index]?.readPrice ?? 0) * (shares[index] ?? 1)
  for (let index = 0; index < count; index++) readBefore[index + 1] = at(readBefore, index) + readCost(index)
  for (let index = count - 1; index >= 0; index--)
    ends[index] = index + 1 < count && segments[index + 1] === segments[index] ? at(ends, index + 1) : index

  const reads = (first: number, last: number, tokens: number): number => {
    if (first > last || first >= count) return 0
    changes[first] = at(changes, first) + tokens
    changes[last + 1] = at(changes, last + 1) - tokens
    return tokens * (at(readBefore, last + 1) - at(readBefore, first))
  }
  const write = (sentWith: number, tokens: number): number => {
    const cost = tokens * (requests[sentWith]?.unreadPrice ?? 0) * (shares[sentWith] ?? 1)
    if (cost > 0) written[sentWith] = at(written, sentWith) + cost
    return cost
  }
  return {
    reads,
    written: write,
    segmentEnd: (index) => at(ends, index),
    from: (sentWith, tokens) => write(sentWith, tokens) + reads(sentWith + 1, at(ends, sentWith), tokens),
    paid: () => {
      let tokens = 0
      return requests.map((_, index) => {
        tokens += at(changes, index)
        // Rounding may leave a trace of tokens that are no longer carried.
        return at(written, index) + Math.max(0, tokens) * readCost(index)
      })
    },
  }
}

/** Indexes are within bounds by construction. */
const at = (values: Float64Array | Int32Array, index: number): number => values[index] ?? 0
