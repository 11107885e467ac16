/**
 * Corrects typing errors of a query: a word that no message in its scope holds is replaced by the nearest one that some
 * do. The words come from the messages themselves, so what was deleted is never proposed.
 */
import type { CorrectedQuery, SearchFilter, WordCorrection } from '../ports/search-index.ts'
import { authorHash } from '../text-analysis/author.ts'
import { editDistance } from '../text-analysis/edits.ts'
import { searchableText } from '../text-analysis/message-text.ts'
import { analyseQuery, isQuestion, type QueryTerm } from '../text-analysis/query.ts'
import { scan } from '../text-analysis/scan.ts'
import { stemOf, type Term } from '../text-analysis/words.ts'
import { corpusLimits, messagePosition } from './conditions.ts'
import { selectCorpus, type Corpus } from './index/corpus.ts'
import { listAuthors, messagesTouching } from './index/named-messages.ts'
import { messagesHolding, passagesHolding, termsOneErrorAway, termsTwoErrorsAway } from './index/near-terms.ts'
import { matchTerms } from './index/term-matches.ts'
import type { SearchResources } from './message-search.ts'
import { quotedPhrases } from './quoted-phrases.ts'
import { inCaseOf, queryNames, type QueryName, type QueryWord } from './query-words.ts'
import { findFileNames, namedFileMatcher } from './rank/named-files.ts'
import { analyseQueryFacts } from './rank/query-facts.ts'
import type { RecallIndex } from './recall-source.ts'

/** Shorter words have too many neighbours. */
const SHORTEST = 4
const LONGEST = 24
/** From which length on two errors are looked for, and up to which. */
const SHORTEST_WITH_TWO = 6
const LONGEST_WITH_TWO = 16
/**
 * The same for questions, whose words are mostly well spelt and just not in the store: shorter words are corrected only
 * where two letters are swapped.
 */
const SHORTEST_ASKED = 6
const SHORTEST_ASKED_WITH_TWO = 10
/** Unknown words of one query that are corrected. */
const MOST_CORRECTED = 5
/** Terms near a word, the most frequent first, that are compared with the texts that hold them; and messages read for all. */
const MOST_COMPARED = 8
const MOST_READ = 16
const MOST_READ_EACH = 3
/** Characters of a message in which the word is looked for. */
const MOST_CHARACTERS = 200_000
/** A term that more passages of the whole index hold is taken for known in every part of it. */
const SURELY_KNOWN = 5_000

type Scope = Pick<SearchFilter, 'workspace' | 'sessionId' | 'agent' | 'since' | 'until'>

/** What one correction looks at. */
interface Vocabulary {
  readonly resources: SearchResources
  readonly index: RecallIndex
  readonly corpus: Corpus
  /** The query is a question. */
  readonly asks: boolean
}

/**
 * The query with words that nothing in its scope holds replaced by near ones, and which these are; the query itself
 * where there is nothing to correct. Only words of a to z with four letters or more, at most five; names of authors and
 * files, dates and quoted phrases are left alone. Rejects as the source does.
 */
export const correctQuery = async (
  resources: SearchResources,
  { text, ...scope }: Scope & { readonly text: string },
): Promise<CorrectedQuery> => {
  const quoted = quotedPhrases(text)
  const names = queryNames(text).filter(({ start }) => !quoted.some((each) => each.start <= start && start < each.end))
  if (names.length === 0) return { text, corrections: [] }
  const index = await resources.source.open(scope)
  const vocabulary = {
    resources,
    index,
    corpus: selectCorpus(index.view, corpusLimits(scope, index)),
    asks: isQuestion(text),
  }
  const unknown = await unknownWords(text, names, vocabulary)
  const corrected: { readonly word: QueryWord; readonly instead: string }[] = []
  for (const word of unknown.slice(0, MOST_CORRECTED)) {
    const instead = await nearestWord(word.term.text, vocabulary)
    if (instead !== undefined) corrected.push({ word, instead: inCaseOf(instead, text.slice(word.start, word.end)) })
  }
  return replaceWords(text, names, corrected)
}

/**
 * The words that nothing holds, of names that nothing holds as a whole. Words of dates, authors and named files are
 * none, nor are short ones and those with other letters than a to z.
 */
const unknownWords = async (
  text: string,
  names: readonly QueryName[],
  vocabulary: Vocabulary,
): Promise<readonly QueryWord[]> => {
  const { view } = vocabulary.index
  const terms = names.flatMap(({ whole, words }) => [whole, ...words.map(({ term }) => term)])
  const counts = await passagesInCorpus(terms, vocabulary)
  const stems = new Map(analyseQuery(text).map(({ hash, stems: own = [] }) => [hash, own]))
  const isUnknown = ({ hash }: Term): boolean =>
    counts.get(hash) === 0 && !stems.get(hash)?.some((stem) => passagesHolding(view, stem) > 0)
  const open = names.filter(({ whole }) => isUnknown(whole))
  if (open.length === 0) return []
  const { dateWords } = analyseQueryFacts(text)
  const authors = listAuthors(view)
  const files = messagesTouching(view, namedFileMatcher(text)).size === 0 ? '' : findFileNames(text).join(' ')
  return open
    .filter(
      ({ text: name, whole }) => !dateWords.has(whole.text) && !authors.has(authorHash(name)) && !files.includes(name),
    )
    .flatMap(({ words }) => words)
    .filter(({ term }) => isUnknown(term) && term.text.length >= SHORTEST && /^[a-z]+$/.test(term.text))
}

/**
 * How many passages of the corpus hold each term, by hash; of very frequent terms, of the whole view. 0 for one that
 * nothing holds.
 */
const passagesInCorpus = async (
  terms: readonly Term[],
  { resources, index, corpus }: Vocabulary,
): Promise<ReadonlyMap<number, number>> => {
  const counts = new Map(terms.map(({ hash }) => [hash, passagesHolding(index.view, hash)]))
  if (corpus.allowed === undefined) return counts
  const rare = [...counts].flatMap(([hash, passages]) => (passages > 0 && passages <= SURELY_KNOWN ? [hash] : []))
  const matches = await matchTerms(index.view, corpus, rare.map(asQueryTerm), index.read, resources.scratch)
  for (const { term, passages } of matches.terms) counts.set(term.hash, passages)
  return counts
}

const asQueryTerm = (hash: number): QueryTerm => ({ hash, text: '', kind: 'word', form: 0 })

/**
 * The nearest word that the corpus holds: at one error, else, for words of 6 to 16 letters (of 10 to 16 in a question),
 * at two; of equally near ones the most frequent. Undefined if there is none, or the word has over 24 letters.
 */
const nearestWord = async (word: string, vocabulary: Vocabulary): Promise<string | undefined> => {
  if (word.length > LONGEST) return undefined
  const { index, asks } = vocabulary
  const near = await heldWord(word, termsOneErrorAway(index.view, word), 1, vocabulary)
  const shortest = asks ? SHORTEST_ASKED_WITH_TWO : SHORTEST_WITH_TWO
  if (near !== undefined || word.length < shortest || word.length > LONGEST_WITH_TWO) return near
  return heldWord(word, termsTwoErrorsAway(index.view, stemOf(word)), 2, vocabulary)
}

/**
 * The nearest of the words that these terms stand for, by the texts of messages that hold them; undefined if none is
 * within `errors`. Only the most frequent terms are compared, in some messages of each.
 */
const heldWord = async (
  word: string,
  hashes: readonly number[],
  errors: number,
  { resources, index, corpus, asks }: Vocabulary,
): Promise<string | undefined> => {
  const { view } = index
  const frequent = hashes
    .map((hash) => ({ hash, passages: passagesHolding(view, hash) }))
    .sort((left, right) => right.passages - left.passages || left.hash - right.hash)
    .slice(0, MOST_COMPARED)
  if (frequent.length === 0) return undefined
  const terms = frequent.map(({ hash }) => asQueryTerm(hash))
  const matches = await matchTerms(view, corpus, terms, index.read, resources.scratch)
  const held = matches.terms
    .filter(({ passages }) => passages > 0)
    .sort((left, right) => right.passages - left.passages || left.term.hash - right.term.hash)
  const each = Math.min(MOST_READ_EACH, Math.max(1, Math.floor(MOST_READ / Math.max(held.length, 1))))
  const messages = [...new Set(held.flatMap((match) => messagesHolding(view, matches, match, each)))]
  const entries = await resources.source.messages(messages.map((message) => messagePosition(view, message)))
  return nearestInTexts(
    word,
    (other) => errorsBetween(word, other, errors, asks && word.length < SHORTEST_ASKED),
    held.map(({ term }) => term.hash),
    entries.map((entry) => searchableText(entry?.content ?? []).slice(0, MOST_CHARACTERS)),
  )
}

/**
 * Of the words in the texts that have these hashes (the most frequent first), the one with the fewest errors; undefined
 * if none has few enough.
 */
const nearestInTexts = (
  word: string,
  errorsTo: (other: string) => number,
  hashes: readonly number[],
  texts: readonly string[],
): string | undefined => {
  const rank = new Map(hashes.map((hash, index) => [hash, index]))
  let best: { readonly text: string; readonly errors: number; readonly rank: number } | undefined
  /**
   * Takes a term as the best so far if it is one of `hashes`, and closer to the word than the best, or as close and
   * earlier in `hashes`. The word itself is none.
   */
  const look = ({ hash, text }: Term): void => {
    const own = rank.get(hash)
    if (own === undefined) return
    const errors = errorsTo(text)
    if (errors === Infinity || text === word) return
    if (best === undefined || errors < best.errors || (errors === best.errors && own < best.rank))
      best = { text, errors, rank: own }
  }
  for (const text of texts)
    scan(text, {
      word: ({ terms }) => terms.forEach(look),
      joined: look,
      sign: () => undefined,
      pair: () => undefined,
      end: () => undefined,
      question: () => undefined,
    })
  return best?.text
}

const sortedLetters = (word: string): string => Array.from(word).sort().join('')
const withoutPlural = (word: string): string => word.replace(/(?<![isu])s$/, '')

/**
 * Errors between a word and another, whatever the number (singular, plural) of either, or the other's stem. Infinity
 * when there are more than `most`, and for words that begin with different letters, unless only their first two are
 * swapped. `onlySwapped`: Infinity also unless both have the same letters.
 */
const errorsBetween = (word: string, other: string, most: number, onlySwapped: boolean): number => {
  const isSwappedStart = word.charAt(0) === other.charAt(1) && word.charAt(1) === other.charAt(0)
  if (word.charAt(0) !== other.charAt(0) && !isSwappedStart) return Infinity
  if (onlySwapped && sortedLetters(word) !== sortedLetters(other)) return Infinity
  const errors = Math.min(
    editDistance(word, other, most),
    editDistance(withoutPlural(word), withoutPlural(other), most),
    editDistance(word, stemOf(other), most),
  )
  return errors <= most ? errors : Infinity
}

/**
 * The query with these words replaced, and a correction for each name in which one was, as it stood and as it is now.
 */
const replaceWords = (
  text: string,
  names: readonly QueryName[],
  corrected: readonly { readonly word: QueryWord; readonly instead: string }[],
): CorrectedQuery => {
  const corrections: WordCorrection[] = []
  let [result, done] = ['', 0]
  for (const name of names) {
    const own = corrected.filter(({ word }) => word.start >= name.start && word.end <= name.start + name.text.length)
    if (own.length === 0) continue
    let [instead, at] = ['', name.start]
    for (const { word, instead: replacement } of own) {
      instead += text.slice(at, word.start) + replacement
      at = word.end
    }
    instead += text.slice(at, name.start + name.text.length)
    corrections.push({ word: name.text, instead })
    result += text.slice(done, name.start) + instead
    done = name.start + name.text.length
  }
  return { text: result + text.slice(done), corrections }
}
