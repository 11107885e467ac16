/** How much files have of the words of one file, rare ones above all; long files are no more alike for being long. */
import type { RankedFile } from './text-scores.ts'
import { inverseFrequency } from './text-scores.ts'

/** How much a word of a name counts that the known file defines: who has it is likely to use it. */
const DEFINED_NAME = 2

/**
 * How many rare words each file shares with the known one (its number), by file; 0 for the file itself, and for files
 * whose text was not read. Not scaled: larger is more alike.
 */
export const alikeScores = (files: readonly RankedFile[], known: number): Float64Array => {
  const scores = new Float64Array(files.length)
  const own = files[known]?.terms?.hashes
  if (own === undefined) return scores
  const found = new Uint32Array(own.length)
  for (const { terms } of files)
    if (terms !== undefined) forEachCommon(own, terms.hashes, (at) => (found[at] = (found[at] ?? 0) + 1))
  const symbols = files[known]?.terms?.symbols
  const weights = Float64Array.from(found, (count, at) => {
    const share = (symbols?.[at] ?? 0) > 0 ? DEFINED_NAME : 1
    return share * inverseFrequency(files.length, count) ** 2
  })
  for (const [index, { terms }] of files.entries()) {
    if (terms === undefined || index === known) continue
    let score = 0
    forEachCommon(own, terms.hashes, (at) => (score += weights[at] ?? 0))
    scores[index] = score / Math.sqrt(1 + terms.hashes.length)
  }
  return scores
}

/** Goes through two ascending lists at once, and calls `visit` with the place in the first of each number that both have. */
const forEachCommon = (own: Uint32Array, others: Uint32Array, visit: (at: number) => void): void => {
  let at = 0
  for (const hash of others) {
    while (at < own.length && (own[at] ?? 0) < hash) at += 1
    if (at === own.length) return
    if (own[at] === hash) visit(at)
  }
}
