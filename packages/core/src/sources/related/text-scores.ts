/** How well files fit a question by their text: BM25F over path, defined names and content, and BM25 over the path alone. */
import { positionOf } from './file-terms.ts'
import type { FileTerms } from './field-counts.ts'
import type { QuestionTerm } from './question.ts'

/** A file to rank. */
export interface RankedFile {
  readonly path: string
  /** See `pathTerms`. */
  readonly pathTerms: readonly number[]
  /** Undefined where the content was not read: then the path alone counts. */
  readonly terms: FileTerms | undefined
}

/** Scores by file number: how well its content and names (`text`) and its path fit. */
export interface TextScores {
  readonly text: Float64Array
  readonly path: Float64Array
  /** By question term. */
  readonly idf: readonly number[]
}

/** How often a term occurs in the fields of a file. */
export interface FieldCounts {
  readonly path: number
  readonly symbols: number
  readonly content: number
}

const FIELD_WEIGHTS = { path: 8, symbols: 3, content: 1 } as const
/** How much the length of a field lowers its score, from 0 to 1. */
const LENGTH_SHARE = { path: 0.5, symbols: 0.75, content: 0.5 } as const
const SATURATION = 4
/** The share of a score that depends on how many of the question's words a file has; rare words count more. */
const COVERAGE_SHARE = 0.3
const PATH_K1 = 1.2

/**
 * Returns how often a term occurs in a file's path, defined names and content; 0 for names and content if the file was
 * not read.
 */
export const fieldCounts = ({ pathTerms, terms }: RankedFile, hash: number): FieldCounts => {
  let path = 0
  for (const term of pathTerms) if (term === hash) path += 1
  const position = terms === undefined ? -1 : positionOf(terms, hash)
  return {
    path,
    symbols: position < 0 ? 0 : (terms?.table.symbols[position] ?? 0),
    content: position < 0 ? 0 : (terms?.table.content[position] ?? 0),
  }
}

/** Whether a file has a term in its path or text. */
const hasTerm = ({ pathTerms, terms }: RankedFile, hash: number): boolean =>
  pathTerms.includes(hash) || (terms !== undefined && positionOf(terms, hash) >= 0)

/**
 * Returns how well each file's text and path fit the question (a variant of BM25 over fields), and how rare each term
 * is among the files. Not normalised; all 0 for a question without terms.
 */
export const textScores = (files: readonly RankedFile[], question: readonly QuestionTerm[]): TextScores => {
  const text = new Float64Array(files.length)
  const path = new Float64Array(files.length)
  const covered = new Float64Array(files.length)
  const average = averageLengths(files)
  const idf = question.map(({ hash, count }) => {
    const found: { readonly index: number; readonly counts: FieldCounts }[] = []
    let inPaths = 0
    for (const [index, file] of files.entries()) {
      if (!hasTerm(file, hash)) continue
      const counts = fieldCounts(file, hash)
      if (counts.path > 0) inPaths += 1
      found.push({ index, counts })
    }
    const weight = inverseFrequency(files.length, found.length)
    const pathWeight = inverseFrequency(files.length, inPaths)
    for (const { index, counts } of found) {
      const file = files[index]
      if (file === undefined) continue
      text[index] = (text[index] ?? 0) + count * weight * saturated(weighted(counts, file, average))
      covered[index] = (covered[index] ?? 0) + count * weight
      if (counts.path > 0) {
        const length = file.pathTerms.length / average.path
        const share = counts.path + PATH_K1 * (0.5 + 0.5 * length)
        path[index] = (path[index] ?? 0) + (count * pathWeight * (counts.path * (PATH_K1 + 1))) / share
      }
    }
    return weight
  })
  const asked = question.reduce((sum, { count }, at) => sum + count * (idf[at] ?? 0), 0)
  for (const [index, mass] of covered.entries())
    if (mass > 0) text[index] = (text[index] ?? 0) * (1 - COVERAGE_SHARE + (COVERAGE_SHARE * mass) / asked)
  return { text, path, idf }
}

/** Returns the weight of a term that `found` of `all` files contain: the rarer, the larger; always above 0. */
export const inverseFrequency = (all: number, found: number): number =>
  Math.log(1 + (all - found + 0.5) / (found + 0.5))

/** Maps a frequency to 0–1, so that repetition counts less and less. */
const saturated = (frequency: number): number => frequency / (frequency + SATURATION)

/** A term's frequency in a file, summed over the fields by weight and normalised by their lengths. */
const weighted = ({ path, symbols, content }: FieldCounts, file: RankedFile, average: Lengths): number => {
  const normalised = (count: number, share: number, length: number, mean: number): number =>
    count === 0 ? 0 : count / (1 - share + (share * length) / mean)
  return (
    FIELD_WEIGHTS.path * normalised(path, LENGTH_SHARE.path, file.pathTerms.length, average.path) +
    FIELD_WEIGHTS.symbols * normalised(symbols, LENGTH_SHARE.symbols, file.terms?.symbolLength ?? 0, average.symbols) +
    FIELD_WEIGHTS.content * normalised(content, LENGTH_SHARE.content, file.terms?.contentLength ?? 0, average.content)
  )
}

interface Lengths {
  readonly path: number
  readonly symbols: number
  readonly content: number
}

/** Mean lengths of the fields, in terms, at least 1; content and names only of files that were read. */
const averageLengths = (files: readonly RankedFile[]): Lengths => {
  let [path, symbols, content, read] = [0, 0, 0, 0]
  for (const { pathTerms, terms } of files) {
    path += pathTerms.length
    if (terms === undefined) continue
    read += 1
    symbols += terms.symbolLength
    content += terms.contentLength
  }
  const mean = (total: number, count: number): number => Math.max(1, total / Math.max(1, count))
  return { path: mean(path, files.length), symbols: mean(symbols, read), content: mean(content, read) }
}
