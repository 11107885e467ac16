/** Files that belong together by name: `login.ts`, `login.test.ts`, `test_login.py`, `login_test.go`. */

const EXTENSIONS = /(?:\.(?:test|tests|spec|e2e|stories|fixture|d))*\.\w+$/i
const TEST_MARK = /^(?:tests?[_-])|(?:[_-](?:tests?|spec|e2e))$/gi

/** What the names of a file, its tests and fixtures have in common, in lower case: `cart` of `src/cart.test.ts`. */
export const stemOfPath = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(EXTENSIONS, '')
    .replaceAll(TEST_MARK, '')
    .toLowerCase()

/** More files with one stem have it by custom: `index`, `mod`, `README`. */
const MOST_OF_STEM = 8

/**
 * Scores by file: each source gives its score to the other files with the same stem, in any folder; not where so many
 * have it that it says nothing. `stems` by file, as {@link stemOfPath} gives them.
 */
export const sameStemScores = (
  stems: readonly string[],
  sources: readonly { readonly file: number; readonly score: number }[],
): Float64Array => {
  const scores = new Float64Array(stems.length)
  for (const { file, score } of sources) {
    const stem = stems[file]
    const alike: number[] = []
    for (const [other, otherStem] of stems.entries()) if (other !== file && otherStem === stem) alike.push(other)
    if (alike.length >= MOST_OF_STEM) continue
    for (const other of alike) scores[other] = (scores[other] ?? 0) + score
  }
  return scores
}
