/** What a query asks for beside its words: a time, a number, a place; whom and when it names. */
import { authorHash } from '../../text-analysis/author.ts'
import { isQuestion } from '../../text-analysis/query.ts'
import { datesOf, type DatePart } from './dates.ts'

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
  readonly dates: readonly DatePart[]
}

/** About the person who asks: "my dog", "did I say"; not "I wonder whether". */
const OF_ONESELF = /\b(?:my|mine|our|(?:did|do|does|have|had|was|were|am|should|can|could|will) (?:I|we)|I (?:said|told|mentioned|had|have|was|went|did|used))\b/i

const TYPES: readonly (readonly [RegExp, QuestionType])[] = [
  [/\bhow (?:long|often)\b/i, 'duration'],
  [/\bhow (?:many|much|old|far|big|tall)\b|\bwhat (?:number|amount|price|age)\b/i, 'number'],
  [/\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week)\b/i, 'time'],
  [/\bwhere\b|\b(?:what|which) (?:city|country|place|town|state|location)\b/i, 'place'],
  [/\bwho(?:m|se)?\b/i, 'person'],
  [/\bwhy\b|\bwhat (?:made|caused)\b|\breasons?\b/i, 'reason'],
]

export const queryFacts = (text: string): QueryFacts => {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? []
  return {
    text,
    words: words.length,
    asks: isQuestion(text),
    type: TYPES.find(([pattern]) => pattern.test(text))?.[1],
    firstPerson: OF_ONESELF.test(text),
    names: new Set(words.slice(0, 200).map((word) => authorHash(word))),
    dates: datesOf(text.slice(0, 2000)),
  }
}
