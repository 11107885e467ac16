/** The order of results: by score, then newest first, then by session id and sequence number; the same on every store. */

/** What the order depends on. */
export interface Ranked {
  /** The session's number in the store. Numbers differ between stores, so they are never part of the order. */
  readonly session: number
  readonly seq: number
  /** ms; NaN (not known) counts as oldest. */
  readonly at: number
  readonly score: number
}

/** A time for sorting; one that is not known is the earliest. */
const timeOf = (at: number): number => (Number.isNaN(at) ? -Infinity : at)

/** The order of results: best score first, then newest. Those without a time come last. */
const byScore = (left: Ranked, right: Ranked): number => {
  if (left.score !== right.score) return right.score - left.score
  const [first, second] = [timeOf(left.at), timeOf(right.at)]
  return first === second ? 0 : second > first ? 1 : -1
}

/**
 * The `most`-th highest score: whatever scores below it is not among the best `most`. −Infinity when there are no more
 * than that, or `most` is not above 0. `scores` is not changed.
 */
export const scoreThreshold = (scores: Float64Array, most: number): number =>
  scores.length <= most || most <= 0 ? -Infinity : (scores.slice().sort()[scores.length - most] as number)

/**
 * The `limit` best, in order: by score, then newest, then (with `idOf`) by session and position. Without `idOf`
 * (session ids not known yet) also all that equal the last of them by score and time, so the result may be longer.
 */
export const takeBest = <T extends Ranked>(
  found: readonly T[],
  limit: number,
  idOf: ((session: number) => string) | undefined,
): readonly T[] => {
  const cut = scoreThreshold(
    Float64Array.from(found, ({ score }) => score),
    limit,
  )
  const sorted = found
    .filter(({ score }) => score >= cut)
    .sort((left, right) => {
      const order = byScore(left, right)
      if (order !== 0 || idOf === undefined) return order
      const [first, second] = [idOf(left.session), idOf(right.session)]
      return first === second ? left.seq - right.seq : first < second ? -1 : 1
    })
  const last = sorted[limit - 1]
  if (idOf !== undefined || last === undefined) return sorted.slice(0, limit)
  let end = limit
  while (end < sorted.length && byScore(last, sorted[end] as T) === 0) end += 1
  return sorted.slice(0, end)
}
