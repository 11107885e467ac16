/** The lines that an edit removed and added, with a few around them. */

/** A line of a difference. */
export interface DiffLine {
  /** `gap`: lines that are the same on both sides and are not shown. */
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
}

/** Unchanged lines that are shown around a change. */
const AROUND = 3
/**
 * Larger changes (lines before times lines after) are not compared: all removed lines come first, then all added ones.
 */
const MOST_PAIRS = 400_000

/**
 * Returns the difference of two texts by line, in order, from the first change to the last, with at most 3 unchanged lines
 * before and after; a `gap` stands for the rest. If both sides are long (lines before times lines after over `MOST_PAIRS`),
 * all removed lines come first, then all added ones.
 */
export const lineDiff = (before: string, after: string): readonly DiffLine[] => {
  const [left, right] = [before.split('\n'), after.split('\n')]
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start += 1
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  const middle = changed(left.slice(start, left.length - end), right.slice(start, right.length - end))
  const same = (lines: readonly string[]): readonly DiffLine[] => lines.map((text) => ({ kind: 'same', text }))
  const gap: readonly DiffLine[] = [{ kind: 'gap', text: '' }]
  return [
    ...(start > AROUND ? gap : []),
    ...same(left.slice(Math.max(0, start - AROUND), start)),
    ...middle,
    ...same(left.slice(left.length - end, left.length - Math.max(0, end - AROUND))),
    ...(end > AROUND ? gap : []),
  ]
}

/** A removed line. */
const removed = (text: string): DiffLine => ({ kind: 'removed', text })
/** An added line. */
const added = (text: string): DiffLine => ({ kind: 'added', text })

/**
 * Returns the lines with what changed, by the longest common subsequence; of very long sides all as removed, then all
 * as added.
 */
const changed = (left: readonly string[], right: readonly string[]): readonly DiffLine[] => {
  if (left.length * right.length > MOST_PAIRS) return [...left.map(removed), ...right.map(added)]
  const commonFrom = commonLengths(left, right)
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < left.length && column < right.length) {
    const [mine = '', other = ''] = [left[row], right[column]]
    if (mine === other) {
      lines.push({ kind: 'same', text: mine })
      row += 1
      column += 1
    } else if (commonFrom(row + 1, column) >= commonFrom(row, column + 1)) {
      lines.push(removed(mine))
      row += 1
    } else {
      lines.push(added(other))
      column += 1
    }
  }
  return [...lines, ...left.slice(row).map(removed), ...right.slice(column).map(added)]
}

/** Returns a function that gives the length of the longest common subsequence from a line of either side on. */
const commonLengths = (
  left: readonly string[],
  right: readonly string[],
): ((row: number, column: number) => number) => {
  const width = right.length + 1
  const lengths = new Uint32Array((left.length + 1) * width)
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = left.length - 1; row >= 0; row--)
    for (let column = right.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        left[row] === right[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
  return lengthAt
}
