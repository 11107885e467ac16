/** What past commits tell about files: how lately they changed, and for which subjects. */
import { termsOf } from './terms.ts'
import type { Commit } from './commits.ts'
import type { QuestionTerm } from './question.ts'

/** Commits with their files as numbers and their subjects as terms; the newest first. */
export interface History {
  readonly commits: readonly HistoryCommit[]
  /** By file number: in which commits it was changed, as indexes of `commits`. */
  readonly commitsOf: readonly (readonly number[])[]
}

interface HistoryCommit {
  readonly id: string
  readonly subject: string
  /** Of ranked files alone. */
  readonly files: readonly number[]
  /** How many paths it changed, ranked or not. */
  readonly changed: number
  readonly subjectTerms: ReadonlySet<number>
}

/** Larger commits say nothing about their subject's files. */
const LARGEST_ABOUT = 40
const REMEMBERED_COMMITS = 800

/**
 * The history of the commits (newest first) for the files that are ranked, which it numbers by their order; files
 * that are not among them are only counted.
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
 * How lately and how often each file changed, by its number; a commit of many files counts less, 0 for a file without
 * commits.
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
 * How much each file (by its number) changed in commits whose subject has the question's words, newer ones counting
 * more. @param weights of the question's words, in their order
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
 * The weights of the question's words that a subject has, summed; 0 for none. `weights` is in the question's order.
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
