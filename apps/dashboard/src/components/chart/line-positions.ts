/** Where the lines of a chart go, and which mark is meant. */

/** A line that stays level within a step; `y` places a value. */
export const stepPath = (
  values: readonly number[],
  start: number,
  step: number,
  y: (value: number) => number,
): string =>
  values
    .map(
      (value, index) =>
        `${index === 0 ? `M${start.toFixed(2)} ` : 'V'}${y(value).toFixed(2)}H${(start + (index + 1) * step).toFixed(2)}`,
    )
    .join('')

/** The mark nearest to a place, if one is within reach; all in steps. */
export const markNear = (marks: readonly number[], place: number, reach: number): number | undefined => {
  const nearest = marks.reduce<number | undefined>(
    (best, mark) => (best === undefined || Math.abs(mark - place) < Math.abs(best - place) ? mark : best),
    undefined,
  )
  return nearest !== undefined && Math.abs(nearest - place) <= reach ? nearest : undefined
}

/** The next mark in a direction; undefined where there is none. */
export const nextMark = (marks: readonly number[], from: number, direction: 1 | -1): number | undefined =>
  direction === 1 ? marks.find((mark) => mark > from) : marks.findLast((mark) => mark < from)
