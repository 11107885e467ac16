/** How much files have of the words of one file, rare ones above all; long files are no more alike for being long. */
import type { RankedFile } from './text-scores.ts'
import { inverseFrequency } from './text-scores.ts'

/** The weight of a word that the known file defines: files that contain it probably use it. */
const DEFINED_NAME = 2

/**
 * Returns, by file number, how many rare words each file shares with the file number `known`. 0 for that file itself
 * and for files whose text was not read; all 0 if the known one was not read. Not normalised: larger means more
 * similar.
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

/**
 * Walks two ascending lists at once and calls `visit` with the index in the first list of each number that is in both.
 */
const forEachCommon = (own: Uint32Array, others: Uint32Array, visit: (at: number) => void): void => {
  let at = 0
  for (const hash of others) {
    while (at < own.length && (own[at] ?? 0) < hash) at += 1
    if (at === own.length) return
    if (own[at] === hash) visit(at)
  }
}
