/** Where a text holds the words of a query: for snippets with the hits marked. */
import { scan } from './scan.ts'
import type { Term } from './words.ts'

export interface Mark {
  readonly start: number
  /** Not included. Places count code units. */
  readonly end: number
  readonly hash: number
}

/** Words, and words held together, whose terms are looked for, in the order of their beginnings. */
export const marksOf = (text: string, hashes: ReadonlySet<number>): readonly Mark[] => {
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
