/** Where a cursor can wait without the editor having to scroll to it. Free of the editor, so that it can be tried without one. */

/** Lines from 0, both included. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/**
 * The line in the middle of what is seen, between folds; undefined when the cursor is well in sight, or nothing is seen.
 * The first and the last line may be seen only in part, so a cursor there is not.
 */
export const visiblePosition = (cursor: number, seen: readonly LineRange[]): number | undefined => {
  const lines = seen.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  if (lines.slice(1, -1).includes(cursor)) return undefined
  return lines[Math.floor(lines.length / 2)]
}
