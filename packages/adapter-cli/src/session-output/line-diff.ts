/** The lines of an edit: what went, what came, and a few around. */

export interface DiffLine {
  /** `gap`: lines that are the same on both sides and are not shown. */
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
}

/** Lines around a change that are shown. */
const AROUND = 3
/** Of larger changes the order is not worked out: all that went, then all that came. */
const MOST_PAIRS = 400_000

/** The difference of two texts by lines. */
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

/** By the longest common subsequence. */
const changed = (left: readonly string[], right: readonly string[]): readonly DiffLine[] => {
  const [rows, columns] = [left.length, right.length]
  const removed = (text: string): DiffLine => ({ kind: 'removed', text })
  const added = (text: string): DiffLine => ({ kind: 'added', text })
  if (rows * columns > MOST_PAIRS) return [...left.map(removed), ...right.map(added)]
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const below = lengths[(row + 1) * width + column] ?? 0
      const beside = lengths[row * width + column + 1] ?? 0
      lengths[row * width + column] =
        left[row] === right[column] ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1 : Math.max(below, beside)
    }
  }
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < rows || column < columns) {
    const [mine, other] = [left[row], right[column]]
    if (row < rows && column < columns && mine === other) {
      lines.push({ kind: 'same', text: mine ?? '' })
      row += 1
      column += 1
    } else if (
      column >= columns ||
      (row < rows && (lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0))
    ) {
      lines.push(removed(mine ?? ''))
      row += 1
    } else {
      lines.push(added(other ?? ''))
      column += 1
    }
  }
  return lines
}
