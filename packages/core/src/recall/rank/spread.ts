/**
 * What stands beside a better result counts a little less, from the fifth place on: the evidence for a question often
 * lies in several places, and messages side by side lift each other's scores.
 */
import type { MatchTable } from './match-table.ts'

/** Places at the top that stay as they are. */
const UNTOUCHED = 4
/** Messages between two that count as side by side. */
const NEAR = 3
/** Taken off for each better one nearby. */
const SHARE = 0.05
/** The best so many are looked at, and so many of them are put into order. */
const LOOKED_AT = 200
const PLACED = 60

/** By row what its score loses, at most 0. */
export const spreadLosses = ({ session, rows }: Pick<MatchTable, 'session' | 'rows'>, scores: Float64Array): Float64Array => {
  const losses = new Float64Array(rows)
  const left = [...scores.keys()]
    .filter((row) => (scores[row] ?? 0) > 0)
    .sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0))
    .slice(0, LOOKED_AT)
  const valueOf = (row: number): number => (scores[row] ?? 0) + (losses[row] ?? 0)
  for (let place = 0; place < PLACED && left.length > 0; place++) {
    let best = 0
    if (place >= UNTOUCHED) left.forEach((row, index) => (best = valueOf(row) > valueOf(left[best] ?? 0) ? index : best))
    const [placed = 0] = left.splice(best, 1)
    left.forEach((row, index) => {
      const isNear = session[row] === session[placed] && Math.abs(row - placed) <= NEAR
      if (isNear && (place >= UNTOUCHED || index >= UNTOUCHED - 1 - place)) losses[row] = (losses[row] ?? 0) - SHARE * valueOf(row)
    })
  }
  return losses
}
