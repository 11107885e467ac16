/**
 * Scores messages for a query, from counts alone. A message is worth what its best passage is, what stands around it,
 * and how well it fits what the query asks for; see docs/recall.md.
 */
import { FIRST_TRAIT_BIT, KIND_BITS, MESSAGE_BITS, ROLE_BITS } from '../../text-analysis/message-analysis.ts'
import { TRAITS } from '../../text-analysis/traits.ts'
import type { ScorePart } from '../../ports/search-index.ts'
import { dateFit } from './dates.ts'
import { foundRows } from './found-rows.ts'
import { withLooseWords } from './loose-words.ts'
import type { MatchTable } from './match-table.ts'
import { fitOf, namedAuthors, substanceOf } from './named.ts'
import type { QueryFacts, QuestionType } from './query-facts.ts'
import { rowFactsOf, type RowFacts } from './row-facts.ts'
import { MESSAGE_WEIGHTS, type MessageWeights } from './weights.ts'

export interface MessageScores {
  /** By row; 0 for one that has nothing to do with the query. */
  readonly scores: Float64Array
  /** The terms of a row's score; their sum is the score. */
  explain(row: number): readonly ScorePart[]
}

export const rankMessages = (
  table: MatchTable,
  query: QueryFacts,
  weights: MessageWeights = MESSAGE_WEIGHTS,
): MessageScores => {
  const read = { ...table, terms: withLooseWords(table.terms, table.corpus.termPassages) }
  return weigh(read, rowFactsOf(read, query.asks), query, weights)
}

/** What remains once the counts are read. */
const weigh = (table: MatchTable, facts: RowFacts, query: QueryFacts, weights: MessageWeights): MessageScores => {
  const authors = namedAuthors(query, table.author)
  const namesAny = authors.size > 0 || query.dates.length > 0
  const isFound = foundRows(table, query, authors)
  const named: Named = {
    authors,
    share: shareByNamed(table, query),
    lift: namesAny
      ? weights.named * (1 - substanceOf(table.terms, table.corpus.termPassages, table.corpus.passages, query, authors))
      : 0,
    mayQuote:
      !query.asks &&
      query.words >= FEWEST_THAT_QUOTE &&
      table.terms.every(({ kind }, term) => kind !== 'word' || (table.corpus.termPassages[term] ?? 0) > 0),
  }
  const scores = new Float64Array(table.rows)
  let row = 0
  const add = (_: string, value: number): void => {
    scores[row] = (scores[row] ?? 0) + value
  }
  for (; row < table.rows; row++) if (isFound(row)) scoreRow(table, facts, query, weights, named, row, add)
  return {
    scores,
    explain: (wanted) => {
      const parts: ScorePart[] = []
      if (isFound(wanted)) {
        scoreRow(table, facts, query, weights, named, wanted, (name, value) => {
          if (value !== 0) parts.push({ name, value })
        })
      }
      return parts
    },
  }
}

interface Named {
  /** Whom the query names. */
  readonly authors: ReadonlySet<number>
  /** Of the messages, what is by them. */
  readonly share: number
  /** What fits all that is named gets so much; 0 where the words say enough. */
  readonly lift: number
  /** All words stand somewhere: what holds them all may be what is quoted. */
  readonly mayQuote: boolean
}

/** Which share of the messages is by authors whom the query names; those aside that are there because they are. */
const shareByNamed = ({ author, candidate }: MatchTable, { names }: QueryFacts): number => {
  let [all, own] = [0, 0]
  author.forEach((one, row) => {
    if (candidate[row] === 2) return
    all += 1
    if (names.has(one)) own += 1
  })
  return own / Math.max(all, 1)
}

const TYPE_TRAITS: Readonly<Record<QuestionType, number>> = {
  time: TRAITS.time | TRAITS.number,
  duration: TRAITS.duration,
  number: TRAITS.number,
  person: TRAITS.name,
  place: TRAITS.name,
  reason: TRAITS.reason,
}

/** Of fewer words, those that name somebody are no quotation in which somebody is addressed. */
const FEWEST_THAT_QUOTE = 3

/** 0 up to the share that counts, 1 for all. */
const beyond = (share: number, from: number): number => (share <= from ? 0 : ((share - from) / (1 - from)) ** 2)

const scoreRow = (
  table: MatchTable,
  facts: RowFacts,
  query: QueryFacts,
  weights: MessageWeights,
  named: Named,
  row: number,
  add: (name: string, value: number) => void,
): void => {
  const flags = table.flags[row] ?? 0
  const isTool = ((flags >> 2) & 3) !== KIND_BITS.said
  const isEdit = ((flags >> 2) & 3) === KIND_BITS.edit
  const { follows } = table
  const passages = facts.passage
  const hasFormer = follows[row] === 1
  const hasNext = follows[row + 1] === 1
  const former = hasFormer ? (passages[row - 1] ?? 0) : 0
  const next = hasNext ? (passages[row + 1] ?? 0) : 0
  const former2 = hasFormer && follows[row - 1] === 1 ? (passages[row - 2] ?? 0) : 0
  const next2 = hasNext && follows[row + 2] === 1 ? (passages[row + 2] ?? 0) : 0
  const near = weights.former * (former + weights.after * next) + weights.former2 * (former2 + weights.after * next2)
  const answers = !isTool && hasFormer && ((table.flags[row - 1] ?? 0) & MESSAGE_BITS.asks) !== 0

  const passagePart = (passages[row] ?? 0) * (isTool ? weights.toolPassage : 1)
  const nearPart = near * (isTool ? weights.toolNeighbours : 1)
  const windowPart = (facts.window[row] ?? 0) * (isTool ? weights.toolWindow : weights.window)
  const sessionPart = weights.session * (facts.session[row] ?? 0)
  const formPart = weights.form * (facts.form[row] ?? 0)
  const coveragePart = weights.coverage * (facts.coverage[row] ?? 0) ** 2
  // Whoever asks does not look for the same question.
  const wholeWeight =
    query.asks && (flags & MESSAGE_BITS.asks) !== 0 ? 0 : isTool && !isEdit ? weights.toolWhole : weights.whole
  const whole = beyond(facts.exact[row] ?? 0, weights.wholeFrom)
  const wholePart = wholeWeight * whole
  const answerPart = answers ? weights.answers * former : 0
  const base = passagePart + nearPart + windowPart + sessionPart + formPart + coveragePart + wholePart + answerPart
  const lift =
    named.lift === 0
      ? 0
      : named.lift *
        Math.max(fitOf(query, named.authors, table.author[row] ?? 0, table.at[row] ?? NaN), named.mayQuote ? whole : 0)
  if (base === 0 && lift === 0 && table.candidate[row] !== 2) return

  const traits = flags >> FIRST_TRAIT_BIT
  let factor = 0
  if (query.names.has(table.author[row] ?? 0)) {
    // A name that most messages bear says little.
    factor += weights.author * (1 - named.share)
    if ((traits & TRAITS.firstPerson) !== 0) factor += weights.ofThemselves
  }
  if (query.type !== undefined && (traits & TYPE_TRAITS[query.type]) !== 0) factor += weights.type
  if (!isTool && (flags & MESSAGE_BITS.asks) !== 0)
    factor -= (flags & MESSAGE_BITS.short) !== 0 ? weights.short : weights.asks
  if (!isTool && query.asks) factor += weights.length * Math.min(1, Math.log2(1 + (facts.tokens[row] ?? 0) / 10) / 3)
  if (isEdit) factor += weights.edit
  const touched = table.touched?.[row] ?? 0
  if (touched > 0) factor += touched > 1 ? weights.touchedEdit : weights.touched
  if (named.share === 0 && (flags & 3) === ROLE_BITS.user)
    factor += weights.user * (query.firstPerson ? 1 : weights.userAnyway)

  add('passage', passagePart)
  add('neighbours', nearPart)
  add('window', windowPart)
  add('session', sessionPart)
  add('form', formPart)
  add('coverage', coveragePart)
  add('all of it', wholePart)
  add('answers', answerPart)
  add('fits the question', base * factor)
  add('named', lift)
  if (query.dates.length > 0) {
    let fit = 0
    for (const date of query.dates) fit = Math.max(fit, dateFit(table.at[row] ?? NaN, date))
    add('date', fit * weights.date * (weights.dateBase + weights.dateScore * base))
  }
}
