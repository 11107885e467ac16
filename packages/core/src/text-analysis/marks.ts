/** Finds the words of a query in a text, for snippets with highlighted matches. */
import { scan } from './scan.ts'
import type { Term } from './words.ts'

/** One match in a text. Offsets count code units. */
export interface Mark {
  readonly start: number
  /** Not included. */
  readonly end: number
  readonly hash: number
}

/** Words and compounds of a text that have one of these term hashes, by start; of two with the same start the longer first. */
export const findMarks = (text: string, hashes: ReadonlySet<number>): readonly Mark[] => {
  const marks: Mark[] = []
  const mark = ({ hash }: Term, start: number, end: number): void => {
    if (hashes.has(hash)) marks.push({ start, end, hash })
  }
  scan(text, {
    word: ({ terms }, _traits, start, end) => {
      const term = terms.find(({ hash }) => hashes.has(hash))
      if (term !== undefined) marks.push({ start, end, hash: term.hash })
    },
    joined: mark,
    sign: (term, _alone, start, end) => mark(term, start, end),
    pair: mark,
    end: () => undefined,
    question: () => undefined,
  })
  return marks.sort((left, right) => left.start - right.start || right.end - left.end)
}
