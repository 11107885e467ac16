/** Which messages of a table may be found at all. */
import { dateFit } from './dates.ts'
import type { MatchTable } from './match-table.ts'
import { isNaming } from './named.ts'
import type { QueryFacts } from './query-facts.ts'

/** More words are a description, not all of which any message holds. */
const MOST_WORDS_THAT_ALL_COUNT = 2

/**
 * An answer needs none of the question's words when what stands around it has them; whoever types one or two words looks
 * for messages with them. A name such as "session-log" is one word there; what names an author or a time is held by what
 * fits it. A file's name beside another word has to be there: what was done to a file is said in many words.
 */
export const foundRows = (
  table: MatchTable,
  query: QueryFacts,
  authors: ReadonlySet<number>,
): ((row: number) => boolean) => {
  const { terms, candidate } = table
  const units = unitsOf(table)
  if (query.asks && units.length > MOST_WORDS_THAT_ALL_COUNT) return () => true
  const isCandidate = (row: number): boolean => candidate[row] !== 0
  const [only] = units
  if (
    units.length > MOST_WORDS_THAT_ALL_COUNT ||
    only === undefined ||
    (units.length === 1 && terms[only]?.isName === true)
  )
    return isCandidate
  const isSomeFile = table.touched?.some((how) => how > 0) === true
  const files = terms.flatMap(({ text, isName }, term) =>
    query.fileNames.has(text) && (isName === true || isSomeFile) ? [term] : [],
  )
  const holdsFile = (row: number): boolean =>
    (table.touched?.[row] ?? 0) > 0 || files.some((term) => holds(table, row, term))
  if (units.length > 1 && files.length > 0 && some(table, holdsFile)) return (row) => isCandidate(row) && holdsFile(row)
  const naming = units.map((term) =>
    terms[term] !== undefined && isNaming(terms[term], query, authors)
      ? query.dateWords.has(terms[term].text)
        ? 'date'
        : 'author'
      : undefined,
  )
  const holdsAll = (row: number): boolean =>
    units.every(
      (term, unit) =>
        holds(table, row, term) ||
        (naming[unit] === 'author'
          ? authors.has(table.author[row] ?? 0)
          : naming[unit] === 'date' && query.dates.some((date) => dateFit(table.at[row] ?? NaN, date) > 0)),
    )
  return some(table, holdsAll) ? (row) => isCandidate(row) && holdsAll(row) : isCandidate
}

/** Terms that are words, and names that stand somewhere; of "session-log.ts" and "session-log" the longer. */
const unitsOf = ({ terms, corpus }: MatchTable): readonly number[] => {
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

const some = ({ rows }: MatchTable, test: (row: number) => boolean): boolean => {
  for (let row = 0; row < rows; row++) if (test(row)) return true
  return false
}

const holds = ({ terms, firstPassage, counts }: MatchTable, row: number, term: number): boolean => {
  for (let passage = firstPassage[row] ?? 0; passage < (firstPassage[row + 1] ?? 0); passage++)
    if ((counts[passage * terms.length + term] ?? 0) !== 0) return true
  return false
}
