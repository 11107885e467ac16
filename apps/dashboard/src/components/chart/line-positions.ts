/** Where the lines of a chart go, and which mark is meant. */

/**
 * Returns the SVG path of a line that stays level within each step; `y` returns the pixel of a value. Empty without
 * values.
 */
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

/**
 * Returns the mark nearest to a position, the first of equal ones, if it is at most `reach` away; otherwise undefined.
 * All are in steps of the chart.
 */
export const markNear = (marks: readonly number[], position: number, reach: number): number | undefined => {
  const nearest = marks.reduce<number | undefined>(
    (best, mark) => (best === undefined || Math.abs(mark - position) < Math.abs(best - position) ? mark : best),
    undefined,
  )
  return nearest !== undefined && Math.abs(nearest - position) <= reach ? nearest : undefined
}

/** Returns the next mark in a direction, never `from` itself; undefined if there is none. `marks`: ascending. */
export const nextMark = (marks: readonly number[], from: number, direction: 1 | -1): number | undefined =>
  direction === 1 ? marks.find((mark) => mark > from) : marks.findLast((mark) => mark < from)
