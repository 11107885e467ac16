/** Scores that go from files to others: those that changed in the same commits, those of the same folder. */
import type { History } from './history.ts'

const FEWEST_FILES = 2
const MOST_FILES = 30
/** Commits after which a common change counts a third. */
const TOGETHER_COMMITS = 100
const BEST_OF_FOLDER = 5
const SORTED_AT_ONCE = 256

/**
 * Scores by file: each source gives its score to the files that changed with it, in equal parts a commit; commits of
 * one file, and of very many, say nothing.
 * @param often how much a file loses by being changed in many commits, 0 to 1
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

/** How lately each file (by its number) changed together with one: 1 in the newest commit, 0 for never. */
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
 * Scores by file: what changed together with the files of the newest commit, which the next one often goes on with;
 * all 0 without commits. @param often as in {@link coChangeScores}
 */
export const seriesScores = (history: History, often: number): Float64Array => {
  const newest = history.commits[0]?.files ?? []
  const sources = newest.length > MOST_FILES ? [] : newest.map((file) => ({ file, score: 1 / newest.length }))
  return coChangeScores(history, sources, often)
}

/** The numbers of the `count` best files with their scores, the best first; those with 0 are left out. */
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

/** The best first, of equal ones the first. */
const byScore = (left: Scored, right: Scored): number => right.score - left.score || left.file - right.file

/**
 * Scores by file: the sum of the best scores of its folder, its own among them. @param folders the number of each
 * file's folder
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

/** Puts a score among the best ones, which are sorted, the highest first. */
const keepBest = (best: number[], score: number): void => {
  if (best.length === BEST_OF_FOLDER && score <= (best.at(-1) ?? 0)) return
  let at = best.length
  while (at > 0 && (best[at - 1] ?? 0) < score) at -= 1
  best.splice(at, 0, score)
  if (best.length > BEST_OF_FOLDER) best.pop()
}
