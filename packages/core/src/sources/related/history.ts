/** What past commits tell about files: how lately they changed, and for which subjects. */
import { termsOf } from './terms.ts'
import type { Commit } from './commits.ts'
import type { QuestionTerm } from './question.ts'

/** Commits, newest first, with their files as numbers and their messages as terms. */
export interface History {
  readonly commits: readonly HistoryCommit[]
  /** By file number: in which commits it was changed, as indexes of `commits`. */
  readonly commitsOf: readonly (readonly number[])[]
}

/** One commit; its terms are hashes. */
interface HistoryCommit {
  readonly id: string
  readonly subject: string
  /** Of ranked files alone. */
  readonly files: readonly number[]
  /** How many paths it changed, ranked or not. */
  readonly changed: number
  readonly subjectTerms: ReadonlySet<number>
}

/** Commits with more files tell nothing about what their subject refers to. */
const LARGEST_ABOUT = 40
/** Commits after which a match of a subject counts a third (1/e). */
const REMEMBERED_COMMITS = 800

/**
 * Returns the history of the commits (newest first) for the ranked files, which are numbered by their order in `paths`.
 * Other files are counted but not listed. `commitsOf` gives the numbers of each file's commits, newest first.
 */
export const createHistory = (commits: readonly Commit[], paths: readonly string[]): History => {
  const numbers = new Map(paths.map((path, index) => [path, index]))
  const commitsOf: number[][] = paths.map(() => [])
  const known = commits.map(({ id, subject, paths: changed }, index): HistoryCommit => {
    const files: number[] = []
    for (const path of changed) {
      const number = numbers.get(path)
      if (number === undefined) continue
      files.push(number)
      commitsOf[number]?.push(index)
    }
    return {
      id,
      subject,
      files,
      changed: changed.length,
      subjectTerms: new Set(termsOf(subject)),
    }
  })
  return { commits: known, commitsOf }
}

/**
 * Returns a score per file number: how recently and how often the file changed. Commits with many files count less; 0
 * for a file without commits.
 * @param remembered commits after which a change counts a third (1/e)
 */
export const recencyScores = ({ commits, commitsOf }: History, remembered: number): Float64Array => {
  const scores = new Float64Array(commitsOf.length)
  for (const [age, { files }] of commits.entries()) {
    const weight = Math.exp(-age / remembered) / Math.sqrt(Math.max(1, files.length / 4))
    for (const file of files) scores[file] = (scores[file] ?? 0) + weight
  }
  return scores
}

/**
 * Returns a score per file number: how much the file changed in commits whose subject contains words of the question.
 * Newer commits count more, and commits with more than 40 files not at all.
 * @param weights of the question's words, in their order
 */
export const subjectScores = (
  history: History,
  question: readonly QuestionTerm[],
  weights: readonly number[],
): Float64Array => {
  const scores = new Float64Array(history.commitsOf.length)
  for (const [age, { files, subjectTerms }] of history.commits.entries()) {
    if (files.length === 0 || files.length > LARGEST_ABOUT) continue
    const mass = massOf(subjectTerms, question, weights)
    if (mass === 0) continue
    const weight = (mass * mass * Math.exp(-age / REMEMBERED_COMMITS)) / Math.sqrt(files.length)
    for (const file of files) scores[file] = (scores[file] ?? 0) + weight
  }
  return scores.map(Math.sqrt)
}

/**
 * Returns the sum of the weights of the question's words that a subject contains; 0 if it has none. `weights` is in the
 * question's order. `subjectTerms`: hashes.
 */
export const massOf = (
  subjectTerms: ReadonlySet<number>,
  question: readonly QuestionTerm[],
  weights: readonly number[],
): number => {
  let mass = 0
  for (const [index, { hash }] of question.entries()) if (subjectTerms.has(hash)) mass += weights[index] ?? 0
  return mass
}
