/** What a query asks for beside its words: a time, a number, a place; whom and when it names. */
import { authorHash } from '../../text-analysis/author.ts'
import { isQuestion } from '../../text-analysis/query.ts'
import { folded } from '../../text-analysis/characters.ts'
import { isFunctionWord } from '../../text-analysis/function-words.ts'
import { fileNamesIn } from './named-files.ts'
import { datesIn, type DatePart } from './dates.ts'

export type QuestionType = 'time' | 'duration' | 'number' | 'person' | 'place' | 'reason'

export interface QueryFacts {
  readonly text: string
  readonly words: number
  /** It asks something: holds a question mark or begins with a question word. */
  readonly asks: boolean
  readonly type: QuestionType | undefined
  /** It says "I" or "my". */
  readonly firstPerson: boolean
  /** Hashes under which its words would stand if they were authors. */
  readonly names: ReadonlySet<number>
  /** The same without words that hold a sentence together. */
  readonly people: ReadonlySet<number>
  readonly dates: readonly DatePart[]
  /** Names in it that may be files', as the index knows them: "taxratests". */
  readonly fileNames: ReadonlySet<string>
  /** Words that name them, in lower case: "july", "2026". */
  readonly dateWords: ReadonlySet<string>
}

/** About the person who asks: "my dog", "did I say"; not "I wonder whether". */
const OF_ONESELF =
  /\b(?:my|mine|our|(?:did|do|does|have|had|was|were|am|should|can|could|will) (?:I|we)|I (?:said|told|mentioned|had|have|was|went|did|used))\b/i

const TYPES: readonly (readonly [RegExp, QuestionType])[] = [
  [/\bhow (?:long|often)\b/i, 'duration'],
  [/\bhow (?:many|much|old|far|big|tall)\b|\bwhat (?:number|amount|price|age)\b/i, 'number'],
  [/\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week)\b/i, 'time'],
  [/\bwhere\b|\b(?:what|which) (?:city|country|place|town|state|location)\b/i, 'place'],
  [/\bwho(?:m|se)?\b/i, 'person'],
  [/\bwhy\b|\bwhat (?:made|caused)\b|\breasons?\b/i, 'reason'],
]

const WORD = /[\p{L}\p{N}_]+/gu

/** "2026-08-03" stands in the index as one, too. */
const wordsOfDate = (text: string): readonly string[] => [
  ...(text.match(WORD) ?? []).filter((word) => !isFunctionWord(word) || word === 'may'),
  ...(text.includes('-') ? [text.replaceAll('-', '')] : []),
]

export const queryFacts = (text: string): QueryFacts => {
  const words = text.match(WORD) ?? []
  const dates = datesIn(text.slice(0, 2000))
  return {
    text,
    words: words.length,
    asks: isQuestion(text),
    type: TYPES.find(([pattern]) => pattern.test(text))?.[1],
    firstPerson: OF_ONESELF.test(text),
    names: new Set(words.slice(0, 200).map((word) => authorHash(word))),
    people: new Set(
      words
        .slice(0, 200)
        .filter((word) => !isFunctionWord(word.toLowerCase()))
        .map((word) => authorHash(word)),
    ),
    dates: dates.map(({ date }) => date),
    fileNames: new Set(
      fileNamesIn(text).map((name) => folded(name.slice(name.lastIndexOf('/') + 1).replace(/[-._]/g, ''))),
    ),
    dateWords: new Set(dates.flatMap(({ words: named }) => wordsOfDate(named.toLowerCase()))),
  }
}
