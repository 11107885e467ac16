/** Ranks files for a question: text, recency and subjects of commits make a base, which goes on to files that belong together. */
import { alikeScores } from './alike-scores.ts'
import type { History } from './history.ts'
import { recencyScores, subjectScores } from './history.ts'
import type { QuestionTerm } from './question.ts'
import { sameStemScores } from './same-stem.ts'
import { bestOf, coChangeScores, folderScores, lastTogetherScores, seriesScores } from './spread.ts'
import { textScores } from './text-scores.ts'
import type { RankedFile } from './text-scores.ts'

/** What is ranked, and by what. Arrays by file are in the order of `files`, whose indexes are the file numbers. */
export interface RankInput {
  readonly files: readonly RankedFile[]
  readonly folders: Int32Array
  readonly stems: readonly string[]
  readonly history: History
  readonly question: readonly QuestionTerm[]
  /** The number of a file that is known to matter; it is not in the answer. */
  readonly known?: number | undefined
  /** Files that import the known one or are imported by it. */
  readonly neighbours?: readonly number[] | undefined
  /** What recorded sessions did with each file, for similar requests and beside the known file. */
  readonly sessions?: Float64Array | undefined
  /** See `focusScores`. */
  readonly focus?: Float64Array | undefined
}

/** The weighted parts that add up to a file's score. */
export type ScoreParts = Readonly<Record<ScorePart, number>>
type BasePart = 'text' | 'path' | 'recency' | 'latest' | 'subjects' | 'sessions'
type ScorePart = BasePart | keyof typeof WEIGHTS

/**
 * Weights of the base score: for a text alone (`guessed`) and beside a known file, where text and path count more and
 * commit subjects less. Fitted on commits of open repositories, see
 * docs/decisions/083-related-files-on-more-commits.md.
 */
const BASE_WEIGHTS: Readonly<Record<'guessed' | 'known', Readonly<Record<BasePart, number>>>> = {
  guessed: { text: 1, path: 0.2, recency: 0.2, latest: 0.2, subjects: 0.4, sessions: 0.3 },
  known: { text: 1, path: 0.37, recency: 0.14, latest: 0.22, subjects: 0.3, sessions: 0.3 },
}
const WEIGHTS = {
  coChange: 0.2,
  series: 0.2,
  folder: 0.1,
  focus: 0.5,
  knownCoChange: 0.4,
  knownTogether: 0.3,
  knownStem: 0.3,
  knownImports: 0.25,
  knownWords: 0.8,
  knownFolder: 0.1,
} as const
/** With more neighbours each import counts less: a package of Go is all files of its folder. */
const MANY_NEIGHBOURS = 5
const SPREADING_FILES = 10
/** Commits after which a change counts a third (1/e): the work of the last weeks. */
const RECENT_COMMITS = 60
/** Commits after which a change counts a third (1/e): the piece of work in progress. */
const LATEST_COMMITS = 2
/** How much a file loses for changing with everything; less beside a known file. */
const OFTEN = { guessed: 0.75, known: 0.5 } as const

/** The scores of all files, and what they consist of. */
export interface Ranking {
  /** By file; the known one has none. */
  readonly scores: Float64Array
  /** By question term: how rare it is among the files. */
  readonly weights: readonly number[]
  /** The parts of a file's score, for an explanation. */
  partsOf(file: number): ScoreParts
}

/**
 * Returns a score per file number: how well each file fits the question and the known file. Larger is better; scores
 * are comparable only within one call. The known file scores 0. Pure.
 */
export const rank = (input: RankInput): Ranking => {
  const { files, folders, history, question, sessions } = input
  const text = textScores(files, question)
  const empty = new Float64Array(files.length)
  const weights = BASE_WEIGHTS[input.known === undefined ? 'guessed' : 'known']
  const first: Record<BasePart, Float64Array> = {
    text: relative(text.text, weights.text),
    path: relative(text.path, weights.path),
    recency: relative(recencyScores(history, RECENT_COMMITS), weights.recency),
    latest: relative(recencyScores(history, LATEST_COMMITS), weights.latest),
    subjects: relative(subjectScores(history, question, text.idf), weights.subjects),
    sessions: relative(sessions ?? empty, weights.sessions),
  }
  // Beside a known file the base stays as it is: the more speaks for a file, the less the known one has to say.
  const most = input.known === undefined ? maximumOf(total(Object.values(first), files.length)) : 1
  for (const scores of Object.values(first))
    if (most > 0) for (const file of scores.keys()) scores[file] = (scores[file] ?? 0) / most
  const base = total(Object.values(first), files.length)
  const parts: Partial<Record<ScorePart, Float64Array>> = {
    ...first,
    coChange: relative(coChangeScores(history, bestOf(base, SPREADING_FILES), OFTEN.guessed), WEIGHTS.coChange),
    series: relative(seriesScores(history, OFTEN.guessed), WEIGHTS.series),
    folder: relative(folderScores(folders, base), WEIGHTS.folder),
    ...(input.focus === undefined ? {} : { focus: relative(input.focus, WEIGHTS.focus) }),
    ...(input.known === undefined ? {} : besideKnown(input, input.known)),
  }
  const scores = total(Object.values(parts), files.length)
  if (input.known !== undefined) scores[input.known] = 0
  return {
    scores,
    weights: text.idf,
    partsOf: (file) => {
      const part = (name: ScorePart): number => parts[name]?.[file] ?? 0
      return {
        text: part('text'),
        path: part('path'),
        recency: part('recency'),
        latest: part('latest'),
        subjects: part('subjects'),
        sessions: part('sessions'),
        coChange: part('coChange'),
        series: part('series'),
        folder: part('folder'),
        focus: part('focus'),
        knownCoChange: part('knownCoChange'),
        knownTogether: part('knownTogether'),
        knownStem: part('knownStem'),
        knownImports: part('knownImports'),
        knownWords: part('knownWords'),
        knownFolder: part('knownFolder'),
      }
    },
  }
}

/** The parts of the scores that result from one file being known. */
const besideKnown = (
  { files, folders, stems, history, neighbours = [] }: RankInput,
  known: number,
): Partial<Record<ScorePart, Float64Array>> => {
  const source = [{ file: known, score: 1 }]
  const imports = new Float64Array(files.length)
  for (const file of neighbours) imports[file] = Math.min(1, MANY_NEIGHBOURS / neighbours.length)
  return {
    knownCoChange: relative(coChangeScores(history, source, OFTEN.known), WEIGHTS.knownCoChange),
    knownTogether: lastTogetherScores(history, known).map((score) => score * WEIGHTS.knownTogether),
    knownStem: relative(sameStemScores(stems, source), WEIGHTS.knownStem),
    knownImports: imports.map((share) => share * WEIGHTS.knownImports),
    knownWords: relative(alikeScores(files, known), WEIGHTS.knownWords),
    knownFolder: Float64Array.from(folders, (folder) => (folder === folders[known] ? WEIGHTS.knownFolder : 0)),
  }
}

/** The highest score; 0 for none. */
const maximumOf = (scores: Float64Array): number => {
  let most = 0
  for (const score of scores) if (score > most) most = score
  return most
}

/** Scores as shares of the highest one, times a weight; all 0 if the highest is 0. */
const relative = (scores: Float64Array, weight: number): Float64Array => {
  const most = maximumOf(scores)
  return most === 0 ? new Float64Array(scores.length) : scores.map((score) => (score / most) * weight)
}

/** The sum of several scores per file. */
const total = (parts: readonly Float64Array[], length: number): Float64Array => {
  const sums = new Float64Array(length)
  for (const part of parts) for (const [file, score] of part.entries()) sums[file] = (sums[file] ?? 0) + score
  return sums
}
