/** Finds the lines of a text that are most similar to given ones. */

/** A range of lines from 0, both ends included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** Maximum comparisons of two lines; for a longer search, the last wanted lines are ignored. */
const MOST_COMPARISONS = 400_000
const WANTED_LINES = 40
const TOKENS_A_LINE = 120
/** Minimum mean share of common tokens; below it, nothing counts as similar. */
const LEAST_LIKENESS = 0.4
/** A second range is shown if it is nearly as good. */
const NEARLY = 0.92
const AROUND = 1
const TOKEN = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu

/**
 * The one or two ranges (from 0, both ends included) most similar to the wanted text, with a line of context around,
 * best first; empty if nothing is similar.
 */
export const nearestLines = (lines: readonly string[], wanted: string): readonly LineRange[] => {
  const sought = soughtLines(wanted, lines.length)
  if (sought.length === 0) return []
  const ids = new Map<string, number>()
  const file = lines.map((line) => tokensOf(line, ids))
  const soughtTokens = sought.map((line) => tokensOf(line, ids))
  const scores = lines.map((_line, first) => likenessAt(file, soughtTokens, first))
  const best = highest(scores)
  if (best === undefined || best.score < LEAST_LIKENESS) return []
  const length = sought.length
  const second = highest(scores.map((score, first) => (Math.abs(first - best.first) < length ? 0 : score)))
  const found = second !== undefined && second.score >= best.score * NEARLY ? [best, second] : [best]
  return found.map(({ first }) => ({
    first: Math.max(0, first - AROUND),
    last: Math.min(lines.length - 1, first + length - 1 + AROUND),
  }))
}

/**
 * The first lines to look for, without blank ones at either end: fewer in a long file, to limit comparisons. Empty for
 * blank text.
 */
const soughtLines = (wanted: string, fileLines: number): readonly string[] => {
  const sought = wanted
    .replace(/^\s*\n/, '')
    .trimEnd()
    .split('\n')
  const most = Math.max(1, Math.min(WANTED_LINES, Math.floor(MOST_COMPARISONS / Math.max(1, fileLines))))
  return wanted.trim() === '' ? [] : sought.slice(0, most)
}

/** The first `TOKENS_A_LINE` tokens of a line as sorted numbers. `ids`: a number for each token; new ones are added. */
const tokensOf = (line: string, ids: Map<string, number>): readonly number[] => {
  const numbers: number[] = []
  for (const [token] of line.slice(0, TOKENS_A_LINE * 20).matchAll(TOKEN)) {
    const id = ids.get(token) ?? ids.size
    ids.set(token, id)
    numbers.push(id)
    if (numbers.length === TOKENS_A_LINE) break
  }
  return numbers.sort((left, right) => left - right)
}

/**
 * How similar the lines from `first` on are to those sought, from 0 to 1: the mean share of common tokens, weighted by
 * the number of tokens.
 */
const likenessAt = (
  file: readonly (readonly number[])[],
  sought: readonly (readonly number[])[],
  first: number,
): number => {
  let [common, all] = [0, 0]
  for (const [index, wanted] of sought.entries()) {
    const line = file[first + index] ?? []
    common += 2 * commonTokens(line, wanted)
    all += line.length + wanted.length
  }
  return all === 0 ? 0 : common / all
}

/** The number of tokens in both lists, which must be sorted; one that occurs twice in both counts twice. */
const commonTokens = (left: readonly number[], right: readonly number[]): number => {
  let [x, y, common] = [0, 0, 0]
  while (x < left.length && y < right.length) {
    const difference = (left[x] ?? 0) - (right[y] ?? 0)
    if (difference === 0) common += 1
    if (difference <= 0) x += 1
    if (difference >= 0) y += 1
  }
  return common
}

/** The highest score and its index, the first of several equal ones; undefined if there is none. */
const highest = (scores: readonly number[]): { readonly first: number; readonly score: number } | undefined => {
  let best: { readonly first: number; readonly score: number } | undefined
  for (const [first, score] of scores.entries()) if (best === undefined || score > best.score) best = { first, score }
  return best
}
