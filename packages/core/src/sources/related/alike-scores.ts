/** How much files have of the words of one file, rare ones above all; long files are no more alike for being long. */
import type { FileTerms } from './field-counts.ts'
import type { RankedFile } from './text-scores.ts'
import { inverseFrequency } from './text-scores.ts'

/** The weight of a word that the known file defines: files that contain it probably use it. */
const DEFINED_NAME = 2

/**
 * Returns, by file number, a score of the words that each file shares with file number `known`: rare words and names
 * that `known` defines weigh more, and long files get less. 0 for that file itself and for files whose text was not
 * read; all 0 if the known one was not read. Not normalised: larger means more similar.
 */
export const alikeScores = (files: readonly RankedFile[], known: number): Float64Array => {
  const scores = new Float64Array(files.length)
  const own = files[known]?.terms
  if (own === undefined) return scores
  const found = new Uint32Array(own.size)
  for (const { terms } of files)
    if (terms !== undefined) forEachCommon(own, terms, (at) => (found[at] = (found[at] ?? 0) + 1))
  const weights = Float64Array.from(found, (count, at) => {
    const share = (own.table.symbols[own.from + at] ?? 0) > 0 ? DEFINED_NAME : 1
    return share * inverseFrequency(files.length, count) ** 2
  })
  for (const [index, { terms }] of files.entries()) {
    if (terms === undefined || index === known) continue
    let score = 0
    forEachCommon(own, terms, (at) => (score += weights[at] ?? 0))
    scores[index] = score / Math.sqrt(1 + terms.size)
  }
  return scores
}

/** Goes through the terms of two files at once, and calls `visit` for each that both have with its number in the first. */
const forEachCommon = (own: FileTerms, other: FileTerms, visit: (at: number) => void): void => {
  const [ownHashes, otherHashes] = [own.table.hashes, other.table.hashes]
  const [ownEnd, otherEnd] = [own.from + own.size, other.from + other.size]
  let at = own.from
  for (let index = other.from; index < otherEnd; index++) {
    const hash = otherHashes[index] ?? 0
    while (at < ownEnd && (ownHashes[at] ?? 0) < hash) at += 1
    if (at === ownEnd) return
    if (ownHashes[at] === hash) visit(at - own.from)
  }
}
