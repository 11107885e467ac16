/** How much files have of the words of others, rare ones above all; long files are no more alike for being long. */
import { bestOf } from './spread.ts'
import type { RankedFile } from './text-scores.ts'
import { inverseFrequency } from './text-scores.ts'

/** The best files that a question is taken to mean; their words say more than the few of the question. */
const MEANT_FILES = 3
/** Only so many of the best are compared with them, so that a question costs the same in a large workspace. */
const COMPARED_FILES = 200

/** Scores of all files, in their order; 0 for the file itself, and where nothing was read. */
export const alikeScores = (files: readonly RankedFile[], known: number): Float64Array =>
  alikeAmong(files, known, [...files.keys()])

/**
 * How much the best files have of the words of the very best, those of each by its score; 0 for all others. A file is as
 * alike to itself as the most alike one, so that it does not fall behind those.
 */
export const alikeBestScores = (files: readonly RankedFile[], base: Float64Array): Float64Array => {
  const scores = new Float64Array(files.length)
  const compared = bestOf(base, COMPARED_FILES)
  const among = compared.map(({ file }) => file)
  for (const { file, score } of compared.slice(0, MEANT_FILES)) {
    const alike = alikeAmong(files, file, among)
    const most = among.reduce((highest, other) => Math.max(highest, alike[other] ?? 0), 0)
    if (most === 0) continue
    alike[file] = most
    for (const other of among) scores[other] = (scores[other] ?? 0) + (score * (alike[other] ?? 0)) / most
  }
  return scores
}

/** Which words are rare is counted in the files of `among`, which alone get a score. */
const alikeAmong = (files: readonly RankedFile[], file: number, among: readonly number[]): Float64Array => {
  const scores = new Float64Array(files.length)
  const own = files[file]?.terms?.hashes
  if (own === undefined) return scores
  const found = new Uint32Array(own.length)
  const common = among.map((other) => commonPlaces(own, files[other]?.terms?.hashes))
  for (const shared of common) for (const at of shared) found[at] = (found[at] ?? 0) + 1
  const weights = Float64Array.from(found, (count) => inverseFrequency(among.length, count) ** 2)
  for (const [index, other] of among.entries()) {
    if (other === file) continue
    let score = 0
    for (const at of common[index] ?? []) score += weights[at] ?? 0
    scores[other] = score / Math.sqrt(1 + (files[other]?.terms?.hashes.length ?? 0))
  }
  return scores
}

const places = new Uint32Array(1 << 16)

/** The places in the first of two ascending lists of the numbers that both have; the first 65,536 of them. */
const commonPlaces = (own: Uint32Array, others: Uint32Array | undefined): Uint32Array => {
  if (others === undefined) return places.subarray(0, 0)
  let [at, count] = [0, 0]
  for (let other = 0; other < others.length && count < places.length; other++) {
    const hash = others[other] ?? 0
    while (at < own.length && (own[at] ?? 0) < hash) at += 1
    if (at === own.length) break
    if (own[at] === hash) places[count++] = at
  }
  return places.slice(0, count)
}
