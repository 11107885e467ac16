/**
 * How a range, cut at boundaries, is summed from whole UTC days: each day counts to the span that has most of it, and only
 * what of a day belongs elsewhere is read request by request. All pure.
 */
import type { Range } from './usage-source.ts'

const DAY_MS = 86_400_000

/** The span of requests without a time, and the number of their day. */
export const NO_TIME = -1

/** Requests from `from` on and before `until` (ms; −∞: all before) are counted to a span other than their day's. */
export interface Piece {
  readonly from: number
  readonly until: number
  /** The span they belong to; undefined: none, they are outside of the range. */
  readonly to: number | undefined
  /** The span that their day is counted to; undefined: their day is not counted. */
  readonly of: number | undefined
}

/** Days from `first` on and before `end` (∞: all later ones), by their number, that are counted to a span. */
export interface DayRun {
  readonly first: number
  readonly end: number
  readonly span: number
}

export interface DayPlan {
  /** One after the other, without days between; none where no day is counted as a whole. */
  readonly runs: readonly DayRun[]
  readonly pieces: readonly Piece[]
  /** Whether requests without a time count, as {@link NO_TIME}. */
  readonly hasUntimed: boolean
}

interface Interval {
  readonly from: number
  readonly until: number
  readonly span: number | undefined
}

/**
 * The days and pieces that a range consists of. Its spans begin at `boundaries` (ms, ascending). Without a beginning a range
 * with an end begins in 1970, as reports have it.
 */
export const dayPlan = ({ since, until }: Range, boundaries: readonly number[]): DayPlan => {
  const isOpen = since === undefined && until === undefined
  const from = isOpen ? Number.NEGATIVE_INFINITY : (since ?? 0)
  const to = until ?? Number.POSITIVE_INFINITY
  const spanAt = (ms: number): number | undefined =>
    ms < from || ms >= to ? undefined : boundaries.filter((boundary) => boundary <= ms).length
  const points = [...new Set([from, to, ...boundaries])].filter(Number.isFinite).sort((left, right) => left - right)
  /** What lies between the points, from one time to another; neighbours of one span as one. */
  const between = (start: number, end: number): readonly Interval[] => {
    const edges = [start, ...points.filter((point) => point > start && point < end), end]
    const intervals: Interval[] = []
    for (const [index, edge] of edges.slice(0, -1).entries()) {
      const [span, next, last] = [spanAt(edge), edges[index + 1] ?? end, intervals.at(-1)]
      if (last !== undefined && last.span === span) intervals.splice(-1, 1, { ...last, until: next })
      else intervals.push({ from: edge, until: next, span })
    }
    return intervals
  }
  const elsewhere = (intervals: readonly Interval[], of: number | undefined): readonly Piece[] =>
    intervals.flatMap(({ from: first, until: end, span }) =>
      span === of ? [] : [{ from: first, until: end, to: span, of }],
    )
  // Days have no number before 1970: rollups count what is earlier as without a time.
  const pieces = [...elsewhere(between(Number.NEGATIVE_INFINITY, 0), isOpen ? NO_TIME : undefined)]
  /** Where another span begins, by day. */
  const steps = new Map<number, number | undefined>([[0, spanAt(0)]])
  const days = [...new Set(points.filter((point) => point >= 0).map((point) => Math.floor(point / DAY_MS)))]
  for (const day of days) {
    const intervals = between(day * DAY_MS, (day + 1) * DAY_MS)
    const { span } = intervals.reduce((most, each) => (lengthOf(each) > lengthOf(most) ? each : most))
    pieces.push(...elsewhere(intervals, span))
    steps.set(day, span)
    if (!days.includes(day + 1)) steps.set(day + 1, spanAt((day + 1) * DAY_MS))
  }
  return { runs: runsOf(steps), pieces, hasUntimed: isOpen }
}

const lengthOf = ({ from, until }: Interval): number => until - from

const runsOf = (steps: ReadonlyMap<number, number | undefined>): readonly DayRun[] => {
  const inOrder = [...steps].sort(([left], [right]) => left - right)
  const runs: DayRun[] = []
  for (const [index, [first, span]] of inOrder.entries()) {
    if (span === undefined) continue
    const [end, last] = [inOrder[index + 1]?.[0] ?? Number.POSITIVE_INFINITY, runs.at(-1)]
    if (last?.span === span) runs.splice(-1, 1, { ...last, end })
    else runs.push({ first, end, span })
  }
  return runs
}
