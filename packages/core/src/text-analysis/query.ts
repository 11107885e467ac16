/** A query's words as the index knows them. */
import { scan } from './scan.ts'
import { termOf, type Term } from './words.ts'

/**
 * `word`: as it stands (stemmed where it is a word); `part`: of an identifier or of words that are held together;
 * `joined`: of adjacent words, looked for only where the index knows them.
 */
export type QueryTermKind = 'word' | 'part' | 'joined'

export interface QueryTerm {
  /** What stands in the index: hash of the stem, 32 bits; see text-analysis/hash. */
  readonly hash: number
  /** For people. */
  readonly text: string
  readonly kind: QueryTermKind
  /** The bit of the form in which the query has it; see text-analysis/forms. 0 where forms are not told apart. */
  readonly form: number
  /** Of a joined one: the query has it as one name, "session-log.ts"; its words stand beside it as parts. */
  readonly isName?: boolean
}

const ASKING =
  /\?|^\s*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i

/** Holds a question mark or begins with a question's word. */
export const isQuestion = (text: string): boolean => ASKING.test(text)

/** Adjacent words that may have been written as one, and how long the whole may get. */
const MOST_JOINED = 6
const LONGEST_JOINED = 48

/** Terms of one query that are looked for; the rarest ones of a longer query. */
export const MOST_QUERY_TERMS = 96

/** Characters of the beginning and of the end of a longer query that are read: what is asked stands before or behind what was pasted. */
const MOST_READ = 16_000

const readPart = (text: string): string =>
  text.length <= 2 * MOST_READ
    ? text
    : `${text.slice(0, MOST_READ).replace(/(?<=\s)\S{1,200}$/, '')}\n\n${text.slice(-MOST_READ).replace(/^\S{1,200}(?=\s)/, '')}`

/**
 * All terms of a query, each hash once, words before joined words. Joined ones are candidates: see {@link chooseTerms}.
 * Any text will do: there are no operators.
 */
export const analyseQuery = (text: string): readonly QueryTerm[] => {
  const terms = new Map<number, QueryTerm>()
  const add = ({ hash, form, text: words }: Term, kind: QueryTermKind, isName = false): void => {
    const former = terms.get(hash)
    if (former === undefined) terms.set(hash, { hash, text: words, kind, form, ...(isName && { isName }) })
    else if (kind === 'word' && former.kind !== 'word') terms.set(hash, { ...former, kind })
  }
  /** Words of the sentence so far. */
  let adjacent: string[] = []
  const joins: string[] = []
  /** Words and where they stand; those that stand within a longer name. */
  const places: (readonly [hash: number, start: number])[] = []
  const parts = new Set<number>()
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
  scan(readPart(text), {
    word: ({ terms: [whole, ...inner] }, _traits, start) => {
      if (whole === undefined) return
      add(whole, 'word')
      places.push([whole.hash, start])
      adjacent.push(whole.text)
      for (const part of inner) add(part, 'part')
    },
    joined: (term, start) => {
      add(term, 'joined', true)
      for (const [hash, at] of places) if (at >= start) parts.add(hash)
    },
    // Pairs say more than their characters, and hold them.
    sign: (term, alone) => {
      joinAll()
      if (alone) add(term, 'word')
    },
    pair: (term) => add(term, 'word'),
    end: joinAll,
    question: () => undefined,
  })
  for (const joined of joins) add(termOf(joined), 'joined')
  return [...terms.values()].map((term) => (parts.has(term.hash) ? { ...term, kind: 'part' } : term))
}

/**
 * The terms that a search looks for, given in how many passages each stands: words that nothing holds stay (the person
 * is told so), joined ones do not; of a long query the rarest that something holds.
 */
export const chooseTerms = (
  terms: readonly QueryTerm[],
  passagesOf: (term: QueryTerm) => number,
  most = MOST_QUERY_TERMS,
): readonly QueryTerm[] => {
  const counted = terms
    .map((term) => ({ term, passages: passagesOf(term) }))
    .filter(({ term, passages }) => passages > 0 || term.kind !== 'joined')
  if (counted.length <= most) return counted.map(({ term }) => term)
  const held = counted.filter(({ passages }) => passages > 0)
  const rarest = new Set([...held].sort((left, right) => left.passages - right.passages).slice(0, most))
  return held.filter((entry) => rarest.has(entry)).map(({ term }) => term)
}
