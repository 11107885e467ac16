/** Which rows of a table are a match at all, before they are scored. */
import { dateFit } from './dates.ts'
import type { MatchTable } from './match-table.ts'
import { namesAuthorOrDate } from './authors-and-dates.ts'
import type { QueryFacts } from './query-facts.ts'

/** Of a query with more words no message needs to hold all. */
const MOST_REQUIRED_WORDS = 2

/**
 * Returns a test for rows. A question of more than two words is answered by any row, since an answer may repeat none of
 * them. One or two words must all be in a message, if any message has them all: a name such as "session-log" counts as
 * one word, and a named author or date is matched by messages that fit it. A file name beside another word must be in
 * the message, or its tools must have touched the file.
 */
export const matchingRows = (
  table: MatchTable,
  query: QueryFacts,
  authors: ReadonlySet<number>,
): ((row: number) => boolean) => {
  const { terms, candidate } = table
  const units = searchUnits(table)
  if (query.asks && units.length > MOST_REQUIRED_WORDS) return () => true
  const isCandidate = (row: number): boolean => candidate[row] !== 0
  const [only] = units
  if (units.length > MOST_REQUIRED_WORDS || only === undefined || (units.length === 1 && terms[only]?.isName === true))
    return isCandidate
  const touchesAnyFile = table.touched?.some((how) => how > 0) === true
  const files = terms.flatMap(({ text, isName }, term) =>
    query.fileNames.has(text) && (isName === true || touchesAnyFile) ? [term] : [],
  )
  const holdsFile = (row: number): boolean =>
    (table.touched?.[row] ?? 0) > 0 || files.some((term) => holdsTerm(table, row, term))
  if (units.length > 1 && files.length > 0 && anyRow(table, holdsFile))
    return (row) => isCandidate(row) && holdsFile(row)
  const naming = units.map((term) =>
    terms[term] !== undefined && namesAuthorOrDate(terms[term], query, authors)
      ? query.dateWords.has(terms[term].text)
        ? 'date'
        : 'author'
      : undefined,
  )
  /** Whether a message has every word of the query; a name of its author or a date that fits its time counts as one. */
  const holdsAll = (row: number): boolean =>
    units.every(
      (term, unit) =>
        holdsTerm(table, row, term) ||
        (naming[unit] === 'author'
          ? authors.has(table.author[row] ?? 0)
          : naming[unit] === 'date' && query.dates.some((date) => dateFit(table.at[row] ?? NaN, date) > 0)),
    )
  return anyRow(table, holdsAll) ? (row) => isCandidate(row) && holdsAll(row) : isCandidate
}

/**
 * The columns of terms that count as a word each: words and known names; of "session-log.ts" and "session-log" the
 * longer.
 */
const searchUnits = ({ terms, corpus }: MatchTable): readonly number[] => {
  const names = terms.flatMap(({ text, isName }, term) =>
    isName === true && (corpus.termPassages[term] ?? 0) > 0 ? [text] : [],
  )
  return terms.flatMap(({ kind, text, isName }, term) =>
    kind === 'word' ||
    (isName === true &&
      names.includes(text) &&
      !names.some((other) => other.length > text.length && other.includes(text)))
      ? [term]
      : [],
  )
}

/** Whether any row passes a test. */
const anyRow = ({ rows }: MatchTable, test: (row: number) => boolean): boolean => {
  for (let row = 0; row < rows; row++) if (test(row)) return true
  return false
}

/** Whether a row holds a term (its column), in any of its passages. */
const holdsTerm = ({ terms, firstPassage, counts }: MatchTable, row: number, term: number): boolean => {
  for (let passage = firstPassage[row] ?? 0; passage < (firstPassage[row + 1] ?? 0); passage++)
    if ((counts[passage * terms.length + term] ?? 0) !== 0) return true
  return false
}
