/** Files that belong together by name: `login.ts`, `login.test.ts`, `test_login.py`, `login_test.go`. */

const EXTENSIONS = /(?:\.(?:test|tests|spec|e2e|stories|fixture|d))*\.\w+$/i
const TEST_MARK = /^(?:tests?[_-])|(?:[_-](?:tests?|spec|e2e))$/gi

/**
 * Returns what the names of a file, its tests and its fixtures have in common, in lower case: `cart` for
 * `src/cart.test.ts`.
 */
export const stemOfPath = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(EXTENSIONS, '')
    .replaceAll(TEST_MARK, '')
    .toLowerCase()

/** A stem with more files is a convention, such as `index`, `mod` or `README`. */
const MOST_OF_STEM = 8

/**
 * Returns a score per file number: each source gives its score to the other files with the same stem, in any folder,
 * unless eight or more others have it. `stems` is by file, as {@link stemOfPath} returns them.
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
