/** Scores that go from files to others: those that changed in the same commits, those of the same folder. */
import type { History } from './history.ts'

const FEWEST_FILES = 2
const MOST_FILES = 30
/** Commits after which a common change counts a third (1/e). */
const TOGETHER_COMMITS = 100
const BEST_OF_FOLDER = 5
const SORTED_AT_ONCE = 256

/**
 * Returns a score per file number: each source spreads its score over the files that changed in the same commits, in
 * equal parts per commit. Commits with one file or with more than 30 are ignored; a source gives nothing to itself.
 * @param often how much a file loses for being changed in many commits, from 0 to 1
 */
export const coChangeScores = (
  { commits, commitsOf }: History,
  sources: readonly { readonly file: number; readonly score: number }[],
  often: number,
): Float64Array => {
  const scores = new Float64Array(commitsOf.length)
  for (const { file, score } of sources)
    for (const index of commitsOf[file] ?? []) {
      const files = commits[index]?.files ?? []
      if (files.length < FEWEST_FILES || files.length > MOST_FILES) continue
      for (const other of files) if (other !== file) scores[other] = (scores[other] ?? 0) + score / files.length
    }
  return scores.map((score, file) => score / (1 + (commitsOf[file]?.length ?? 0)) ** often)
}

/**
 * Returns a score per file number: how recently each file changed together with the given one. 1 for the newest commit,
 * falling with age; 0 if they never did and for the file itself. Commits of too few or too many files do not count.
 */
export const lastTogetherScores = ({ commits, commitsOf }: History, file: number): Float64Array => {
  const scores = new Float64Array(commitsOf.length)
  // The newest commit is the first.
  for (const age of commitsOf[file] ?? []) {
    const files = commits[age]?.files ?? []
    if (files.length < FEWEST_FILES || files.length > MOST_FILES) continue
    for (const other of files)
      if (other !== file && scores[other] === 0) scores[other] = Math.exp(-age / TOGETHER_COMMITS)
  }
  return scores
}

/**
 * Returns a score per file number for changing together with the files of the newest commit, whose work the next commit
 * often continues. All 0 without commits, or if the newest has more than 30 files.
 * @param often as in {@link coChangeScores}
 */
export const seriesScores = (history: History, often: number): Float64Array => {
  const newest = history.commits[0]?.files ?? []
  const sources = newest.length > MOST_FILES ? [] : newest.map((file) => ({ file, score: 1 / newest.length }))
  return coChangeScores(history, sources, often)
}

/**
 * Returns the numbers and scores of the `count` best files, best first; of equal ones the lower number first. Files
 * with score 0 are left out.
 */
export const bestOf = (
  scores: Float64Array,
  count: number,
): readonly { readonly file: number; readonly score: number }[] => {
  const found: { file: number; score: number }[] = []
  let least = 0
  for (const [file, score] of scores.entries()) {
    if (score <= least) continue
    found.push({ file, score })
    // Now and then those that can't be among the best any more go.
    if (found.length < 2 * count + SORTED_AT_ONCE) continue
    found.sort(byScore).splice(count)
    least = found.at(-1)?.score ?? 0
  }
  return found.sort(byScore).slice(0, count)
}

interface Scored {
  readonly file: number
  readonly score: number
}

/** Best first; of equal ones the lower number first. */
const byScore = (left: Scored, right: Scored): number => right.score - left.score || left.file - right.file

/**
 * Returns a score per file number: the sum of the five best scores in its folder, which may include its own.
 * @param folders the number of each file's folder
 */
export const folderScores = (folders: Int32Array, scores: Float64Array): Float64Array => {
  const best = new Map<number, number[]>()
  for (const [file, score] of scores.entries()) {
    if (score <= 0) continue
    const folder = folders[file] ?? 0
    const known = best.get(folder)
    if (known === undefined) best.set(folder, [score])
    else keepBest(known, score)
  }
  const sums = new Map([...best].map(([folder, all]) => [folder, all.reduce((sum, score) => sum + score, 0)]))
  return Float64Array.from(folders, (folder) => sums.get(folder) ?? 0)
}

/** Inserts a score into the best ones (sorted, highest first), which keep their maximum length. */
const keepBest = (best: number[], score: number): void => {
  if (best.length === BEST_OF_FOLDER && score <= (best.at(-1) ?? 0)) return
  let at = best.length
  while (at > 0 && (best[at - 1] ?? 0) < score) at -= 1
  best.splice(at, 0, score)
  if (best.length > BEST_OF_FOLDER) best.pop()
}
