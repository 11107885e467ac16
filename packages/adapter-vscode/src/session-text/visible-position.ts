/**
 * Finds a line for the cursor to which the editor need not scroll. It does not use the editor, so that it can be tested
 * without one.
 */

/** Lines from 0, both included. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/**
 * Returns the middle one of the visible lines; undefined if the cursor is on a visible line already, or no line is
 * visible. The first and last line may be visible only in part, so they don't count for the cursor.
 */
export const visiblePosition = (cursor: number, seen: readonly LineRange[]): number | undefined => {
  const lines = seen.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  if (lines.slice(1, -1).includes(cursor)) return undefined
  return lines[Math.floor(lines.length / 2)]
}
