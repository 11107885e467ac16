/** Finds known words that a misspelt one may mean. */

/**
 * Returns how many insertions, deletions, replacements and swaps of neighbouring letters turn one word into the other.
 */
const editDistance = (left: string, right: string): number => {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= left.length; row++) {
    rows.push([row])
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (same ? 0 : 1))
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped) best = Math.min(best, at(row - 2, column - 2) + 1)
      rows[row]?.push(best)
    }
  }
  return at(left.length, right.length)
}

/**
 * Returns at most three known words that the given one may be a misspelling of, closest first: those that start with it
 * or differ in few letters. Empty if none is close.
 */
export const closeMatches = (word: string, known: readonly string[]): readonly string[] => {
  const wanted = word.toLowerCase()
  return known
    .map((candidate) => ({
      candidate,
      distance: wanted.length > 1 && candidate.startsWith(wanted) ? 0.5 : editDistance(wanted, candidate),
    }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((left, right) => left.distance - right.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/**
 * Returns the question ` Did you mean 'usage'?`, with a leading space, to append to a sentence; empty if no known word
 * is close.
 */
export const didYouMean = (word: string, known: readonly string[]): string => {
  const matches = closeMatches(word, known)
  return matches.length === 0 ? '' : ` Did you mean ${matches.map((match) => `'${match}'`).join(' or ')}?`
}
