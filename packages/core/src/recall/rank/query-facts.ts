/** What a query asks for: a time, a number, a location; and whom, when and which files it names. */
import { authorHash } from '../../text-analysis/author.ts'
import { isQuestion } from '../../text-analysis/query.ts'
import { foldText } from '../../text-analysis/characters.ts'
import { isFunctionWord } from '../../text-analysis/function-words.ts'
import { asksOfAssistant } from './asked-of-assistant.ts'
import { looksLikeError } from './error-query.ts'
import { findFileNames } from './named-files.ts'
import { findDates, type DatePart } from './dates.ts'
import { spokenFileNames } from './spoken-files.ts'

/** What kind of answer a question wants. */
export type QuestionType = 'time' | 'duration' | 'number' | 'person' | 'location' | 'reason'

/** What the ranking knows of a query besides its terms. */
export interface QueryFacts {
  readonly text: string
  /** How many words it has. */
  readonly words: number
  /** It asks something: holds a question mark or begins with a question word. */
  readonly asks: boolean
  readonly type: QuestionType | undefined
  /** It is about the person who asks: "my dog", "did I say". */
  readonly firstPerson: boolean
  /** It is about what the assistant said or did: "what did you recommend". */
  readonly ofAssistant: boolean
  /** It is an error message, or a line of one. */
  readonly isError: boolean
  /** It is what a person says in sentences: a question or a request, no search words and no error message. */
  readonly isProse: boolean
  /** Author hashes of all its words, see `authorHash`. */
  readonly names: ReadonlySet<number>
  /** The same without function words. */
  readonly people: ReadonlySet<number>
  readonly dates: readonly DatePart[]
  /** File names in it, as the index has them: "taxratests" for "taxRates.ts". */
  readonly fileNames: ReadonlySet<string>
  /** Hashes of the file names that its words give, see `spokenFileNames`; none for prose and error messages. */
  readonly spokenFiles: ReadonlySet<number>
  /** The words that name the dates, in lower case: "july", "2026". */
  readonly dateWords: ReadonlySet<string>
}

/** About the person who asks: "my dog", "did I say"; not "I wonder whether". */
const FIRST_PERSON =
  /\b(?:my|mine|our|(?:did|do|does|have|had|was|were|am|should|can|could|will) (?:I|we)|I (?:said|told|mentioned|had|have|was|went|did|used))\b/i

const TYPES: readonly (readonly [RegExp, QuestionType])[] = [
  [/\bhow (?:long|often)\b/i, 'duration'],
  [/\bhow (?:many|much|old|far|big|tall)\b|\bwhat (?:number|amount|price|age)\b/i, 'number'],
  [/\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week)\b/i, 'time'],
  [/\bwhere\b|\b(?:what|which) (?:city|country|place|town|state|location)\b/i, 'location'],
  [/\bwho(?:m|se)?\b/i, 'person'],
  [/\bwhy\b|\bwhat (?:made|caused)\b|\breasons?\b/i, 'reason'],
]

const WORD = /[\p{L}\p{N}_]+/gu

/** A question of so many words is a sentence; of other texts so many words, if this share of them are function words. */
const QUESTION_WORDS = 3
const PROSE_WORDS = 12
const FUNCTION_WORD_SHARE = 0.25

/**
 * The terms of a date: its words, and "2026-08-03" as the one term that the index also has. Function words are left
 * out, but for "may".
 */
const dateTerms = (text: string): readonly string[] => [
  ...(text.match(WORD) ?? []).filter((word) => !isFunctionWord(word) || word === 'may'),
  ...(text.includes('-') ? [text.replaceAll('-', '')] : []),
]

/** Search words and names of functions have few function words, sentences about a third. */
const isSentence = (words: readonly string[], asks: boolean): boolean =>
  (asks && words.length >= QUESTION_WORDS) ||
  (words.length >= PROSE_WORDS &&
    words.filter((word) => isFunctionWord(word.toLowerCase())).length >= FUNCTION_WORD_SHARE * words.length)

/**
 * What a query asks for, told from its text alone: whether it is a question, of which type, an error message or prose;
 * the names, dates and files in it. Of a long text dates are looked for in the first 2,000 characters, names in the
 * first 200 words. Never fails.
 */
export const analyseQueryFacts = (text: string): QueryFacts => {
  const words = text.match(WORD) ?? []
  const dates = findDates(text.slice(0, 2000))
  const asks = isQuestion(text)
  const isError = looksLikeError(text, asks)
  const isProse = !isError && isSentence(words, asks)
  return {
    text,
    words: words.length,
    asks,
    type: TYPES.find(([pattern]) => pattern.test(text))?.[1],
    firstPerson: FIRST_PERSON.test(text),
    ofAssistant: asksOfAssistant(text),
    isError,
    isProse,
    names: new Set(words.slice(0, 200).map((word) => authorHash(word))),
    people: new Set(
      words
        .slice(0, 200)
        .filter((word) => !isFunctionWord(word.toLowerCase()))
        .map((word) => authorHash(word)),
    ),
    dates: dates.map(({ date }) => date),
    fileNames: new Set(
      findFileNames(text).map((name) => foldText(name.slice(name.lastIndexOf('/') + 1).replace(/[-._]/g, ''))),
    ),
    spokenFiles: isError || isProse ? new Set() : spokenFileNames(words),
    dateWords: new Set(dates.flatMap(({ words: named }) => dateTerms(named.toLowerCase()))),
  }
}
