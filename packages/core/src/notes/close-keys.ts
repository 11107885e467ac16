/** Suggests keys for a mistyped one. */

const NAMED = 3
/** Longer keys are compared by their beginnings. */
const COMPARED_CHARACTERS = 64

/** Edit distance: how many letters to insert, remove or replace, or neighbours to swap; 0 for equal texts. */
const distance = (left: string, right: string): number => {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      let steps = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (isSwapped) steps = Math.min(steps, (beforeLast[column - 2] ?? 0) + 1)
      next.push(steps)
    }
    beforeLast = last
    last = next
  }
  return last.at(-1) ?? 0
}

/** What is compared of a key: its beginning, in lower case. */
const comparable = (key: string): string => key.toLowerCase().slice(0, COMPARED_CHARACTERS)

/**
 * At most three keys similar to the wanted one, closest first, equally close ones by key: keys that contain it or are
 * contained in it (like half a step), and keys within an edit distance of a third of its length, at least 1. Case does
 * not count. Empty if none is similar.
 */
export const closeKeys = (wanted: string, keys: readonly string[]): readonly string[] => {
  const text = comparable(wanted)
  return keys
    .map((key) => {
      const other = comparable(key)
      const isPart = text.length > 1 && other.length > 1 && (other.includes(text) || text.includes(other))
      return {
        key,
        steps: isPart ? 0.5 : distance(text, other),
        most: isPart ? 1 : Math.max(1, Math.floor(text.length / 3)),
      }
    })
    .filter(({ steps, most }) => steps <= most)
    .sort((left, right) => left.steps - right.steps || (left.key < right.key ? -1 : 1))
    .slice(0, NAMED)
    .map(({ key }) => key)
}
