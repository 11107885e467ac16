/** Finds the words of a query in a text, for snippets with highlighted matches. */
import { LANGUAGES, stemHash } from './languages/language.ts'
import { scan } from './scan.ts'
import type { Term } from './words.ts'

/** One match in a text. Offsets count code units. */
export interface Mark {
  readonly start: number
  /** Not included. */
  readonly end: number
  readonly hash: number
}

const NO_STEMS: ReadonlyMap<number, number> = new Map()

/**
 * Words and compounds of a text that have one of these term hashes, by start; of two with the same start the longer first.
 * `stems`: by the hash of a stem in another language, the hash of the word that it stands for, which is reported.
 */
export const findMarks = (
  text: string,
  hashes: ReadonlySet<number>,
  stems: ReadonlyMap<number, number> = NO_STEMS,
): readonly Mark[] => {
  const marks: Mark[] = []
  const mark = ({ hash }: Term, start: number, end: number): void => {
    if (hashes.has(hash)) marks.push({ start, end, hash })
  }
  scan(text, {
    word: ({ terms }, _traits, start, end) => {
      const term = terms.find(({ hash }) => hashes.has(hash))
      const hash =
        term?.hash ?? (stems.size > 0 && terms.length === 1 ? wordOfStem(terms[0]?.text ?? '', stems) : undefined)
      if (hash !== undefined) marks.push({ start, end, hash })
    },
    joined: mark,
    sign: (term, _alone, start, end) => mark(term, start, end),
    pair: mark,
    end: () => undefined,
    question: () => undefined,
  })
  return marks.sort((left, right) => left.start - right.start || right.end - left.end)
}

/**
 * The hash of the query's word that a word of a text is another form of, in any language that has stems; undefined if
 * none is.
 */
const wordOfStem = (text: string, stems: ReadonlyMap<number, number>): number | undefined => {
  for (const language of LANGUAGES) {
    const hash = stemHash(text, language)
    const word = hash === undefined ? undefined : stems.get(hash)
    if (word !== undefined) return word
  }
  return undefined
}
