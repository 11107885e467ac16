/**
 * The features that a message is scored by. Each is a function of one row; the tables at the end say in which order they
 * are added up and under which names `explain` lists them. The weights are in weights.ts.
 */
import { FIRST_TRAIT_BIT, KIND_BITS, MESSAGE_BITS, ROLE_BITS } from '../../text-analysis/message-analysis.ts'
import { TRAITS } from '../../text-analysis/traits.ts'
import { authorAndDateFit } from './authors-and-dates.ts'
import { dateFit } from './dates.ts'
import type { MatchTable } from './match-table.ts'
import type { QueryFacts, QuestionType } from './query-facts.ts'
import type { TermScores } from './term-scores.ts'
import type { MessageWeights } from './weights.ts'

/** What the features read, the same for all rows of a query. */
export interface RankingContext {
  readonly table: MatchTable
  readonly terms: TermScores
  readonly query: QueryFacts
  readonly weights: MessageWeights
  /** Hashes of the authors whom the query names. */
  readonly namedAuthors: ReadonlySet<number>
  /** The share of all messages that they wrote, 0 to 1. */
  readonly namedAuthorShare: number
  /** The score of a message that fits all that is named; 0 when the other words of the query say enough. */
  readonly namedBoost: number
  /** The query is in sentences, and names no file that tools touched: then it wants these. */
  readonly isProse: boolean
  /** The query may quote a message: no question, several words, and the index knows all of them. */
  readonly mayQuote: boolean
  /** For an error message: the row of the earliest message that holds nearly all of it; −1 for other queries. */
  readonly firstOccurrence: number
}

/** Returns what a feature adds for one row, its weight included. */
export type Feature = (context: RankingContext, row: number) => number

interface BaseFeature {
  /** As `explain` lists it. */
  readonly name: string
  readonly score: Feature
}

interface QuestionFeature {
  /** False for a query for which the feature is 0 in every row: most are, and it is not looked at then. */
  readonly appliesTo: (context: RankingContext) => boolean
  readonly score: Feature
}

const kindOfRow = ({ table }: RankingContext, row: number): number => ((table.flags[row] ?? 0) >> 2) & 3
const isTool = (context: RankingContext, row: number): boolean => kindOfRow(context, row) !== KIND_BITS.text
const isEdit = (context: RankingContext, row: number): boolean => kindOfRow(context, row) === KIND_BITS.edit
const asksQuestion = ({ table }: RankingContext, row: number): boolean =>
  ((table.flags[row] ?? 0) & MESSAGE_BITS.asks) !== 0

const hasTrait = ({ table }: RankingContext, row: number, traits: number): boolean =>
  (((table.flags[row] ?? 0) >> FIRST_TRAIT_BIT) & traits) !== 0

/** Passage score of the message directly before; 0 when that is no row of the table. */
const previousPassage = ({ table, terms }: RankingContext, row: number): number =>
  table.follows[row] === 1 ? (terms.passage[row - 1] ?? 0) : 0

const passage: Feature = (context, row) => {
  const { isProse, terms, weights } = context
  const factor = isTool(context, row) ? (isProse ? weights.proseToolPassage : weights.toolPassage) : 1
  return (terms.passage[row] ?? 0) * factor
}

/**
 * The scores of the best passages of up to two messages on either side, those that follow counting by their own weight;
 * less for a tool's message.
 */
const neighbours: Feature = (context, row) => {
  const { weights, terms } = context
  const { follows } = context.table
  const next = follows[row + 1] === 1 ? (terms.passage[row + 1] ?? 0) : 0
  const secondPrevious = follows[row] === 1 ? previousPassage(context, row - 1) : 0
  const secondNext = follows[row + 1] === 1 && follows[row + 2] === 1 ? (terms.passage[row + 2] ?? 0) : 0
  const score =
    weights.previous * (previousPassage(context, row) + weights.following * next) +
    weights.secondPrevious * (secondPrevious + weights.following * secondNext)
  return score * (isTool(context, row) ? weights.toolNeighbours : 1)
}

const windowScore: Feature = (context, row) =>
  (context.terms.window[row] ?? 0) * (isTool(context, row) ? context.weights.toolWindow : context.weights.window)

const sessionScore: Feature = ({ terms, weights }, row) => weights.session * (terms.session[row] ?? 0)

/** Longer questions are prompts, whose words are not all in one answer. */
const LONGEST_QUESTION = 40

/**
 * For questions of up to 40 words: the score of all of a message that has several passages, as these together may say
 * what is asked for. 0 for others.
 */
const wholeMessage: Feature = ({ query, table, terms, weights }, row) => {
  const passages = (table.firstPassage[row + 1] ?? 0) - (table.firstPassage[row] ?? 0)
  return query.asks && query.words <= LONGEST_QUESTION && passages > 1
    ? weights.wholeMessage * (terms.message[row] ?? 0)
    : 0
}

const form: Feature = ({ terms, weights }, row) => weights.form * (terms.form[row] ?? 0)

const coverage: Feature = ({ terms, weights }, row) => weights.coverage * (terms.coverage[row] ?? 0) ** 2

/** How much of the query one passage holds in the exact words: 0 up to the share that counts, 1 for all of it. */
const exactShare = ({ terms, weights }: RankingContext, row: number): number => {
  const share = terms.exact[row] ?? 0
  return share <= weights.exactWordsFrom ? 0 : ((share - weights.exactWordsFrom) / (1 - weights.exactWordsFrom)) ** 2
}

/**
 * More for the query's words as they are written. A question that is asked again gets nothing: it does not want the
 * same question as its answer.
 */
const exactWords: Feature = (context, row) => {
  const { query, weights } = context
  if (query.asks && asksQuestion(context, row)) return 0
  const isPlainTool = isTool(context, row) && !isEdit(context, row)
  return (isPlainTool ? weights.toolExactWords : weights.exactWords) * exactShare(context, row)
}

/**
 * What a message, other than a tool's, gains by the one directly before it: that one's passage score, weighted, if it
 * asks a question; else 0.
 */
const answer: Feature = (context, row) =>
  !isTool(context, row) && context.table.follows[row] === 1 && asksQuestion(context, row - 1)
    ? context.weights.answer * previousPassage(context, row)
    : 0

/**
 * More for a message by the author that the query names, and in the first person; less the more of all messages are
 * theirs.
 */
const fitsNamedAuthor: Feature = (context, row) => {
  const { query, table, weights, namedAuthorShare } = context
  if (!query.names.has(table.author[row] ?? 0)) return 0
  // An author who wrote most messages tells few apart.
  const fit = weights.author * (1 - namedAuthorShare)
  return hasTrait(context, row, TRAITS.firstPerson) ? fit + weights.authorFirstPerson : fit
}

const QUESTION_TRAITS: Readonly<Record<QuestionType, number>> = {
  time: TRAITS.time | TRAITS.number,
  duration: TRAITS.duration,
  number: TRAITS.number,
  person: TRAITS.name,
  location: TRAITS.name,
  reason: TRAITS.reason,
}

const fitsQuestionType: Feature = (context, row) =>
  context.query.type !== undefined && hasTrait(context, row, QUESTION_TRAITS[context.query.type])
    ? context.weights.questionType
    : 0

/** Minus a weight for a message that asks a question, another one if it is short; 0 for others, and for what tools did. */
const isNoQuestion: Feature = (context, row) => {
  if (isTool(context, row) || !asksQuestion(context, row)) return 0
  const isShort = ((context.table.flags[row] ?? 0) & MESSAGE_BITS.short) !== 0
  return -(isShort ? context.weights.shortQuestionPenalty : context.weights.questionPenalty)
}

/** For questions: grows with the logarithm of the length, up to 70 tokens. */
const isLong: Feature = (context, row) =>
  isTool(context, row)
    ? 0
    : context.weights.length * Math.min(1, Math.log2(1 + (context.terms.tokens[row] ?? 0) / 10) / 3)

/** What is asked in sentences is answered by what was said rather than by an edit. */
const editsFile: Feature = (context, row) => (!context.isProse && isEdit(context, row) ? context.weights.edit : 0)

/** More for a message that touched a file named in the query, and more yet if it edited it. */
const touchesNamedFile: Feature = ({ table, weights }, row) => {
  const touched = table.touched?.[row] ?? 0
  if (touched === 0) return 0
  return touched > 1 ? weights.editedNamedFile : weights.touchedNamedFile
}

const editsSpokenFile: Feature = ({ table, weights }, row) =>
  table.editedSpoken?.[row] === 1 ? weights.editedSpokenFile : 0

/** Where no author is named. Who asks what the assistant said wants the assistant's words, of "me" and "my" too. */
const isByRole: Feature = ({ table, query, weights }, row) => {
  const role = (table.flags[row] ?? 0) & 3
  if (query.ofAssistant) return role === ROLE_BITS.assistant ? weights.assistant : 0
  return role === ROLE_BITS.user ? weights.user * (query.firstPerson ? 1 : weights.userShare) : 0
}

/** Beside what tools did, which has the same words, the assistant's own say what came of it. */
const isAssistantsProse: Feature = (context, row) =>
  !isTool(context, row) && ((context.table.flags[row] ?? 0) & 3) === ROLE_BITS.assistant
    ? context.weights.proseAssistant
    : 0

/** What an error message was printed by, and where it came up first. */
const isErrorOutput: Feature = (context, row) =>
  (kindOfRow(context, row) === KIND_BITS.result ? context.weights.errorResult : 0) +
  (row === context.firstOccurrence ? context.weights.errorFirst : 0)

/** Parts of the base score: how well the words of the query match the message and what is around it. */
export const BASE_FEATURES: readonly BaseFeature[] = [
  { name: 'passage', score: passage },
  { name: 'neighbours', score: neighbours },
  { name: 'window', score: windowScore },
  { name: 'session', score: sessionScore },
  { name: 'whole message', score: wholeMessage },
  { name: 'form', score: form },
  { name: 'coverage', score: coverage },
  { name: 'all of it', score: exactWords },
  { name: 'answers', score: answer },
]

/** Multiples of the base score, listed together as "fits the question". */
const QUESTION_FEATURES: readonly QuestionFeature[] = [
  { appliesTo: ({ query, table }) => table.author.some((author) => query.names.has(author)), score: fitsNamedAuthor },
  { appliesTo: ({ query }) => query.type !== undefined, score: fitsQuestionType },
  { appliesTo: () => true, score: isNoQuestion },
  { appliesTo: ({ query }) => query.asks, score: isLong },
  { appliesTo: () => true, score: editsFile },
  { appliesTo: ({ table }) => table.touched !== undefined, score: touchesNamedFile },
  { appliesTo: ({ table }) => table.editedSpoken !== undefined, score: editsSpokenFile },
  { appliesTo: ({ namedAuthorShare }) => namedAuthorShare === 0, score: isByRole },
  {
    appliesTo: (context) =>
      context.isProse &&
      !context.query.ofAssistant &&
      context.namedAuthorShare === 0 &&
      context.table.flags.some((_, row) => isTool(context, row)),
    score: isAssistantsProse,
  },
  { appliesTo: ({ query }) => query.isError, score: isErrorOutput },
]

/** The question features that can be other than 0 for a query, in the order in which they are added. */
export const questionFeatures = (context: RankingContext): readonly Feature[] =>
  QUESTION_FEATURES.filter(({ appliesTo }) => appliesTo(context)).map(({ score }) => score)

/**
 * What a row's score gains, 0 to `namedBoost`, by how well the message fits the authors and times that the query names, or
 * quotes the query; 0 where this query has no such boost.
 */
export const namedScore: Feature = (context, row) => {
  const { namedBoost, query, namedAuthors, table, mayQuote } = context
  if (namedBoost === 0) return 0
  const fit = authorAndDateFit(query, namedAuthors, table.author[row] ?? 0, table.at[row] ?? NaN)
  return namedBoost * Math.max(fit, mayQuote ? exactShare(context, row) : 0)
}

/**
 * What a row's score gains because the message fits a date that the query names; 0 where it fits none. `base`: the
 * row's score without it.
 */
export const dateScore = ({ query, table, weights }: RankingContext, row: number, base: number): number => {
  let fit = 0
  for (const date of query.dates) fit = Math.max(fit, dateFit(table.at[row] ?? NaN, date))
  return fit * weights.date * (weights.dateBase + weights.dateScore * base)
}
