/** Splits a query into the terms that the index has. */
import { guessLanguage, isFunctionWordOf, LANGUAGES, stemHash, type Language } from './languages/language.ts'
import { scan } from './scan.ts'
import { toTerm, type Term } from './words.ts'

/**
 * `word`: a word of the query, stemmed; `part`: of an identifier or of a compound such as "session-log"; `joined`: adjacent
 * words or a compound as one, searched for only when the index has it.
 */
export type QueryTermKind = 'word' | 'part' | 'joined'

/** A term that a query searches for. */
export interface QueryTerm {
  /** The index key: hash of the stem, see text-analysis/hash. */
  readonly hash: number
  /** As shown to people, not stemmed. */
  readonly text: string
  readonly kind: QueryTermKind
  /** The bit of its form in the query, see text-analysis/forms; 0 for terms without forms. */
  readonly form: number
  /** Of a joined term: the query has it as one name, "session-log.ts"; its words are separate terms, as parts. */
  readonly isName?: boolean
  /** Of a word: the terms of its stems in other languages, which stand for it as well. Absent: it has none. */
  readonly stems?: readonly number[]
  /** It is a function word of the query's language, which is not English. */
  readonly isFunctionWord?: boolean
}

const ASKING =
  /\?|^\s*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i

/** Whether a text has a question mark anywhere, or begins with a question word or a verb that asks ("is", "does", "could"). */
export const isQuestion = (text: string): boolean => ASKING.test(text)

/** How many adjacent words are tried as one, and how many characters long that may be. */
const MOST_JOINED = 6
const LONGEST_JOINED = 48

/** How many terms of a query are searched for; of a longer query the rarest. */
export const MOST_QUERY_TERMS = 96

/** Of a longer query so many characters are read at either end: the question is before or after pasted text. */
const MOST_READ = 16_000

/** The text, or the two ends of a long one, cut at white space. */
const limitText = (text: string): string =>
  text.length <= 2 * MOST_READ
    ? text
    : `${text.slice(0, MOST_READ).replace(/(?<=\s)\S{1,200}$/, '')}\n\n${text.slice(-MOST_READ).replace(/^\S{1,200}(?=\s)/, '')}`

/**
 * All terms of a query, each hash once; joined neighbours last. {@link chooseTerms} then drops what the index does not
 * have. Accepts any text: there are no operators. Of a text over 32,000 characters the first and last 16,000 are read.
 */
export const analyseQuery = (text: string): readonly QueryTerm[] => {
  const terms = new Map<number, QueryTerm>()
  /** Adds a term by its hash; of two with one hash the first stays, as a word if either is one. */
  const add = ({ hash, form, text: words }: Term, kind: QueryTermKind, isName = false): void => {
    const former = terms.get(hash)
    if (former === undefined) terms.set(hash, { hash, text: words, kind, form, ...(isName && { isName }) })
    else if (kind === 'word' && former.kind !== 'word') terms.set(hash, { ...former, kind })
  }
  /** Words of the current sentence. */
  let adjacent: string[] = []
  const joins: string[] = []
  /** Words with their offsets; and the hashes of words within a longer name. */
  const wordStarts: (readonly [hash: number, start: number])[] = []
  const parts = new Set<number>()
  /**
   * Joins the neighbours of the sentence, two to six words of at most 48 characters together, and begins another
   * sentence.
   */
  const joinAll = (): void => {
    for (let from = 0; from < adjacent.length; from++) {
      let joined = adjacent[from] ?? ''
      for (let to = from + 1; to < Math.min(adjacent.length, from + MOST_JOINED); to++) {
        joined += adjacent[to] ?? ''
        if (joined.length > LONGEST_JOINED) break
        joins.push(joined)
      }
    }
    adjacent = []
  }
  scan(limitText(text), {
    word: ({ terms: [whole, ...inner] }, _traits, start) => {
      if (whole === undefined) return
      add(whole, 'word')
      wordStarts.push([whole.hash, start])
      adjacent.push(whole.text)
      for (const part of inner) add(part, 'part')
    },
    joined: (term, start) => {
      add(term, 'joined', true)
      for (const [hash, at] of wordStarts) if (at >= start) parts.add(hash)
    },
    // A pair is more specific than its characters, so they are not searched for beside it.
    sign: (term, alone) => {
      joinAll()
      if (alone) add(term, 'word')
    },
    pair: (term) => add(term, 'word'),
    end: joinAll,
    question: () => undefined,
  })
  for (const joined of joins) add(toTerm(joined), 'joined')
  const language = guessLanguage(text, FEWEST_IN_QUERY)
  return [...terms.values()].map((term) =>
    parts.has(term.hash) ? { ...term, kind: 'part' } : term.kind === 'word' ? withStems(term, language) : term,
  )
}

/** The words of a query as people count them: a name such as "session-log.ts" is one. */
export const queryWords = (text: string): readonly QueryTerm[] =>
  analyseQuery(text).filter(({ kind, isName }) => kind === 'word' || isName === true)

/** Queries are short. */
const FEWEST_IN_QUERY = 1

/**
 * The word with its stems in the language of the query, and whether it is a function word there; with the stems of all
 * languages where that is not known. As it is in English.
 */
const withStems = (term: QueryTerm, language: Language | 'en' | undefined): QueryTerm => {
  if (language === 'en') return term
  const stems = (language === undefined ? LANGUAGES : [language]).flatMap((each) => stemHash(term.text, each) ?? [])
  return {
    ...term,
    ...(stems.length === 0 ? {} : { stems }),
    ...(language !== undefined && isFunctionWordOf(term.text, language) && { isFunctionWord: true }),
  }
}

/**
 * The terms to search for, in their order. Joined terms that no passage has are dropped; words stay, so that the
 * explanation can say they were not found. If that leaves more than `most`: only those found, the rarest of them, of
 * equally rare ones the first. `splitIntoPassages` gives how many passages have a term.
 */
export const chooseTerms = (
  terms: readonly QueryTerm[],
  splitIntoPassages: (term: QueryTerm) => number,
  most = MOST_QUERY_TERMS,
): readonly QueryTerm[] => {
  const counted = terms
    .map((term) => ({ term, passages: splitIntoPassages(term) }))
    .filter(({ term, passages }) => passages > 0 || term.kind !== 'joined')
  if (counted.length <= most) return counted.map(({ term }) => term)
  const held = counted.filter(({ passages }) => passages > 0)
  const rarest = new Set([...held].sort((left, right) => left.passages - right.passages).slice(0, most))
  return held.filter((entry) => rarest.has(entry)).map(({ term }) => term)
}
