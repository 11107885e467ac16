/**
 * The difference of two texts as a unified diff by lines (Myers 1986: the shortest script of insertions and deletions).
 */

/** Number of context lines around a change. */
const AROUND = 3
/** With more changed lines, no shortest script is computed: all old lines, then all new lines. */
const MOST_CHANGES = 1_000

type Line = { readonly kind: ' ' | '+' | '-'; readonly text: string }

/**
 * The hunks of a unified diff with their headers, one line each, without file names; empty for equal texts. Line breaks
 * are ignored, so texts that differ only in their kind, or in the last one, produce none.
 */
export const unifiedDiff = (before: string, after: string): readonly string[] => {
  if (before === after) return []
  return hunksOf(changes(splitLines(before), splitLines(after)))
}

/** The lines of a text; a final line break does not start another line. */
const splitLines = (text: string): readonly string[] => {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/**
 * The lines of both texts, marked as unchanged, removed or added. Of texts that differ too much the changed middle is
 * replaced as a whole.
 */
const changes = (left: readonly string[], right: readonly string[]): readonly Line[] => {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start += 1
  let end = 0
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  const same = (lines: readonly string[]): readonly Line[] => lines.map((text) => ({ kind: ' ', text }))
  const [mine, other] = [left.slice(start, left.length - end), right.slice(start, right.length - end)]
  return [
    ...same(left.slice(0, start)),
    ...(shortestScript(mine, other) ?? replaced(mine, other)),
    ...same(left.slice(left.length - end)),
  ]
}

/** All lines of one text removed, and all of the other added. */
const replaced = (left: readonly string[], right: readonly string[]): readonly Line[] => [
  ...left.map((text): Line => ({ kind: '-', text })),
  ...right.map((text): Line => ({ kind: '+', text })),
]

/** How far each diagonal (x − y) came, from −`reach − 1` on; −1 for one not reached yet. */
interface Frontier {
  readonly reach: number
  readonly furthest: Int32Array
}

const furthestOn = ({ reach, furthest }: Frontier, diagonal: number): number => furthest[diagonal + reach + 1] ?? -1

/** The shortest list of changes between two texts' lines; undefined if that has more than `MOST_CHANGES`. */
const shortestScript = (left: readonly string[], right: readonly string[]): readonly Line[] | undefined => {
  const reach = Math.min(left.length + right.length, MOST_CHANGES)
  const frontier: Frontier = { reach, furthest: new Int32Array(2 * reach + 3).fill(-1) }
  frontier.furthest[reach + 2] = 0
  const steps: Frontier[] = []
  for (let depth = 0; depth <= reach; depth++) {
    // Of a step only the diagonals are kept that the next one can come from.
    steps.push({ reach: depth, furthest: frontier.furthest.slice(reach - depth, reach + depth + 3) })
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      const down = isDown(frontier, diagonal, depth)
      let x = down ? furthestOn(frontier, diagonal + 1) : furthestOn(frontier, diagonal - 1) + 1
      let y = x - diagonal
      while (x < left.length && y < right.length && left[x] === right[y]) {
        x += 1
        y += 1
      }
      frontier.furthest[diagonal + reach + 1] = x
      if (x >= left.length && y >= right.length) return wayBack(left, right, steps)
    }
  }
  return undefined
}

const isDown = (frontier: Frontier, diagonal: number, depth: number): boolean =>
  diagonal === -depth || (diagonal !== depth && furthestOn(frontier, diagonal - 1) < furthestOn(frontier, diagonal + 1))

/** The lines, reconstructed backwards from the steps of the search. In the order of the texts. */
const wayBack = (left: readonly string[], right: readonly string[], steps: readonly Frontier[]): readonly Line[] => {
  const lines: Line[] = []
  let [x, y] = [left.length, right.length]
  for (const [depth, frontier] of [...steps.entries()].reverse()) {
    const diagonal = x - y
    const from = isDown(frontier, diagonal, depth) ? diagonal + 1 : diagonal - 1
    const [fromX, fromY] = depth === 0 ? [0, 0] : [furthestOn(frontier, from), furthestOn(frontier, from) - from]
    while (x > fromX && y > fromY) {
      lines.push({ kind: ' ', text: left[x - 1] ?? '' })
      x -= 1
      y -= 1
    }
    if (depth === 0) break
    lines.push(x === fromX ? { kind: '+', text: right[y - 1] ?? '' } : { kind: '-', text: left[x - 1] ?? '' })
    ;[x, y] = [fromX, fromY]
  }
  return lines.reverse()
}

/**
 * The changed lines with their context, each group after its header. Empty without changes; `AROUND` lines of context.
 */
const hunksOf = (lines: readonly Line[]): readonly string[] => {
  const shown = new Set<number>()
  for (const [index, { kind }] of lines.entries()) {
    if (kind === ' ') continue
    for (let near = Math.max(0, index - AROUND); near <= Math.min(lines.length - 1, index + AROUND); near++)
      shown.add(near)
  }
  const output: string[] = []
  let [before, after] = [0, 0]
  for (const [index, { kind, text }] of lines.entries()) {
    if (shown.has(index)) {
      if (!shown.has(index - 1)) output.push(headerOf(lines, index, shown, before, after))
      output.push(kind + text)
    }
    if (kind !== '+') before += 1
    if (kind !== '-') after += 1
  }
  return output
}

/**
 * The header of a group: its position in both texts, and its number of lines. `shown`: the numbers of the lines that
 * are shown.
 */
const headerOf = (
  lines: readonly Line[],
  start: number,
  shown: ReadonlySet<number>,
  before: number,
  after: number,
): string => {
  let [went, came] = [0, 0]
  for (let index = start; shown.has(index); index++) {
    if (lines[index]?.kind !== '+') went += 1
    if (lines[index]?.kind !== '-') came += 1
  }
  // A side without lines is counted from the line before.
  const range = (from: number, count: number): string => `${count === 0 ? from : from + 1},${count}`
  return `@@ -${range(before, went)} +${range(after, came)} @@`
}
