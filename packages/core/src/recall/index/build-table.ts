/** Second stage of a search: the exact counts of the candidates and their neighbours, as the ranker takes them. */
import type { MatchTable } from '../rank/match-table.ts'
import type { Corpus } from './corpus.ts'
import type { Scratch } from './scratch.ts'
import type { Matches } from './term-matches.ts'
import { segmentFinder, type View, type ViewSegment } from './view.ts'

/** How many messages on either side of a candidate become rows too. */
const REACH = 2

/** A table and the messages that its rows are. */
export interface BuiltTable {
  readonly table: MatchTable
  /** By row: the message's number in storage order. */
  readonly messages: Uint32Array
}

/**
 * Builds the table of one query: a row for each candidate and for up to two messages on either side of it in its
 * session.
 * @param words positions of the candidates that hold its terms, ascending
 * @param named positions of the messages that fit the authors, dates or files that it names
 * @param touches by message, what its tools did to these files, 1 read or mentioned, 2 edited
 * @param editing messages whose tools edited a file that the query's words name
 */
// eslint-disable-next-line max-lines-per-function -- one pass that fills all columns of the rows
export const buildMatchTable = (
  view: View,
  corpus: Corpus,
  matches: Matches,
  words: Uint32Array,
  scratch: Scratch,
  named: ReadonlySet<number> = new Set(),
  touches: ReadonlyMap<number, number> = new Map(),
  editing: ReadonlySet<number> = new Set(),
): BuiltTable => {
  const inSegment = segmentFinder(view)
  const { rowPositions, candidate } = selectRows(view, corpus, mergePositions(words, named), inSegment)
  const rows = rowPositions.length
  if (named.size > 0) markNamed(rowPositions, candidate, words)
  const messages = rowPositions.map((position) => view.atPosition[position] as number)
  const [session, follows] = [new Int32Array(rows), new Uint8Array(rows)]
  const [at, flags, author] = [new Float64Array(rows), new Uint16Array(rows), new Uint32Array(rows)]
  const firstPassage = new Int32Array(rows + 1)
  /** By passage of the view, its number among the rows' passages + 1. */
  const numberOf = scratch.integers(view.passages)
  const tokens: number[] = []
  const sessions: number[] = []
  for (let row = 0; row < rows; row += 1) {
    const message = messages[row] as number
    const { segment, messageBase, passageBase } = inSegment(message)
    const local = message - messageBase
    const [first, end] = [
      passageBase + (segment.firstPassage[local] as number),
      passageBase + (segment.firstPassage[local + 1] as number),
    ]
    const sessionIndex = view.sessionOf[first] as number
    if (sessions.at(-1) !== sessionIndex) sessions.push(sessionIndex)
    session[row] = sessions.length - 1
    follows[row] =
      row > 0 &&
      session[row - 1] === session[row] &&
      (rowPositions[row] as number) === (rowPositions[row - 1] as number) + 1
        ? 1
        : 0
    at[row] = segment.at[local] as number
    flags[row] = segment.flags[local] as number
    author[row] = segment.author[local] ?? 0
    for (let passage = first; passage < end; passage += 1) {
      tokens.push(view.passageTokens[passage] as number)
      numberOf[passage] = tokens.length
    }
    firstPassage[row + 1] = tokens.length
  }
  const { counts, forms } = fillCounts(view, matches, messages, numberOf, tokens.length)
  const table: MatchTable = {
    terms: matches.terms.map(({ term }) => term),
    rows,
    candidate,
    session,
    follows,
    at,
    flags,
    author,
    firstPassage,
    passageTokens: new Uint16Array(tokens),
    counts,
    forms,
    ...(editing.size === 0
      ? {}
      : { editedSpoken: Uint8Array.from(messages, (message) => Number(editing.has(message))) }),
    ...(touches.size === 0 ? {} : { touched: Uint8Array.from(messages, (message) => touches.get(message) ?? 0) }),
    ...countSessions(view, corpus, matches, sessions, inSegment),
  }
  return { table, messages }
}

/**
 * Counts and forms of the terms in the rows' passages. `numberOf`: by passage of the view, its number in the table + 1,
 * or 0. A row for each passage, a column for each term.
 */
const fillCounts = (
  view: View,
  matches: Matches,
  messages: Uint32Array,
  numberOf: Int32Array,
  passages: number,
): Pick<MatchTable, 'counts' | 'forms'> => {
  const inSegment = segmentFinder(view)
  const columns = matches.terms.length
  const [counts, forms] = [new Uint8Array(passages * columns), new Uint8Array(passages * columns)]
  matches.terms.forEach(({ start, end, dense }, column) => {
    const put = (number: number, value: number): void => {
      counts[(number - 1) * columns + column] = value & 15
      forms[(number - 1) * columns + column] = value >> 4
    }
    const { passage, byte } = matches.postings
    for (let index = start; index < end; index += 1) {
      const number = numberOf[passage[index] as number] as number
      if (number !== 0) put(number, byte[index] as number)
    }
    if (dense === undefined) return
    for (let row = 0; row < messages.length; row += 1) {
      const message = messages[row] as number
      const { segment, messageBase, passageBase } = inSegment(message)
      const local = message - messageBase
      const last = passageBase + (segment.firstPassage[local + 1] as number)
      for (let passage = passageBase + (segment.firstPassage[local] as number); passage < last; passage += 1) {
        if (dense[passage] !== 0) put(numberOf[passage] as number, dense[passage] as number)
      }
    }
  })
  return { counts, forms }
}

/** All positions of both, ascending. `words` itself where `named` adds none. */
const mergePositions = (words: Uint32Array, named: ReadonlySet<number>): Uint32Array => {
  const others = [...named].filter((position) => !includesSorted(words, position))
  if (others.length === 0) return words
  const all = new Uint32Array(words.length + others.length)
  all.set(words)
  all.set(others, words.length)
  return all.sort()
}

/** Whether an ascending list has a number, by binary search. */
const includesSorted = (ascending: Uint32Array, wanted: number): boolean => {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return ascending[low] === wanted
}

/** Sets `candidate` to 2 for those that hold no term of the query. */
const markNamed = (rowPositions: Uint32Array, candidate: Uint8Array, words: Uint32Array): void => {
  for (let row = 0; row < candidate.length; row += 1)
    if (candidate[row] === 1 && !includesSorted(words, rowPositions[row] as number)) candidate[row] = 2
}

/**
 * Positions of the candidates and up to `REACH` neighbours on either side in the same session, ascending, each once;
 * and which are candidates. Neighbours outside of the corpus are left out.
 */
const selectRows = (
  view: View,
  { allowed }: Corpus,
  positions: Uint32Array,
  inSegment: (message: number) => ViewSegment,
) => {
  const [rowPositions, candidate] = [
    new Uint32Array(positions.length * (1 + 2 * REACH)),
    new Uint8Array(positions.length * (1 + 2 * REACH)),
  ]
  let rows = 0
  let session = 0
  const isAllowed = (position: number): boolean => {
    if (allowed === undefined) return true
    const message = view.atPosition[position] as number
    const { segment, messageBase, passageBase } = inSegment(message)
    return allowed[passageBase + (segment.firstPassage[message - messageBase] as number)] === 1
  }
  let next = 0
  for (let index = 0; index < positions.length; index += 1) {
    const position = positions[index] as number
    while ((view.sessionStart[session + 1] as number) <= position) session += 1
    const from = Math.max(position - REACH, view.sessionStart[session] as number, next)
    const following = positions[index + 1] ?? Infinity
    const to = Math.min(position + REACH, (view.sessionStart[session + 1] as number) - 1, following - 1)
    for (let neighbour = from; neighbour <= to; neighbour += 1) {
      if (neighbour !== position && !isAllowed(neighbour)) continue
      rowPositions[rows] = neighbour
      candidate[rows] = neighbour === position ? 1 : 0
      rows += 1
    }
    next = to + 1
  }
  return { rowPositions: rowPositions.subarray(0, rows), candidate: candidate.subarray(0, rows) }
}

/**
 * Counts of the sessions that have rows, and how many sessions of the corpus hold each term. The lists are in the order
 * of `sessions`, and by term.
 */
const countSessions = (
  view: View,
  corpus: Corpus,
  { terms, postings }: Matches,
  sessions: readonly number[],
  inSegment: (message: number) => ViewSegment,
): Pick<MatchTable, 'corpus' | 'sessions' | 'sessionTokens' | 'sessionCounts'> => {
  const columns = terms.length
  const rowOf = new Int32Array(view.sessions.length).fill(-1)
  sessions.forEach((session, row) => (rowOf[session] = row))
  const sessionTokens = new Float64Array(sessions.length)
  const sessionCounts = new Float64Array(sessions.length * columns)
  const { sessionOf, passageTokens } = view
  const { allowed } = corpus
  const everywhere = terms.flatMap(({ dense }, column) => (dense === undefined ? [] : [{ dense, column }]))
  sessions.forEach((session, row) => {
    eachPassage(view, session, inSegment, (passage) => {
      if (allowed !== undefined && allowed[passage] === 0) return
      sessionTokens[row] = (sessionTokens[row] as number) + (passageTokens[passage] as number)
      for (const { dense, column } of everywhere)
        sessionCounts[row * columns + column] =
          (sessionCounts[row * columns + column] as number) + ((dense[passage] as number) & 15)
    })
  })
  const seen = new Int32Array(view.sessions.length)
  const { passage, byte } = postings
  const termSessions = terms.map(({ start, end, dense }, column) => {
    if (dense !== undefined) return countSessionsWith(view, dense)
    let holding = 0
    for (let index = start; index < end; index += 1) {
      const session = sessionOf[passage[index] as number] as number
      if (seen[session] !== column + 1) {
        seen[session] = column + 1
        holding += 1
      }
      const row = rowOf[session] as number
      if (row !== -1)
        sessionCounts[row * columns + column] =
          (sessionCounts[row * columns + column] as number) + ((byte[index] as number) & 15)
    }
    return holding
  })
  return {
    corpus: {
      messages: corpus.messages,
      passages: corpus.passages,
      sessions: corpus.sessions,
      tokens: corpus.tokens,
      termPassages: terms.map(({ passages }) => passages),
      termSessions,
      termForms: terms.map(({ forms }) => forms),
    },
    sessions: sessions.length,
    sessionTokens,
    sessionCounts,
  }
}

/** Visits all passages of a session, in order. */
const eachPassage = (
  view: View,
  session: number,
  inSegment: (message: number) => ViewSegment,
  visit: (passage: number) => void,
): void => {
  for (
    let position = view.sessionStart[session] as number;
    position < (view.sessionStart[session + 1] as number);
    position += 1
  ) {
    const message = view.atPosition[position] as number
    const { segment, messageBase, passageBase } = inSegment(message)
    const end = passageBase + (segment.firstPassage[message - messageBase + 1] as number)
    for (
      let passage = passageBase + (segment.firstPassage[message - messageBase] as number);
      passage < end;
      passage += 1
    )
      visit(passage)
  }
}

/** How many sessions hold a term that most passages hold: a scan of each session soon meets one. */
const countSessionsWith = (view: View, dense: Uint8Array): number => {
  const found = new Uint8Array(view.sessions.length)
  let holding = 0
  for (const { segment, passageBase } of view.segments) {
    for (let run = 0; run < segment.runSession.length; run += 1) {
      let passage = passageBase + (segment.firstPassage[segment.runStart[run] as number] as number)
      const end = passageBase + (segment.firstPassage[segment.runStart[run + 1] as number] as number)
      const session = view.sessionOf[passage] as number
      if (found[session] === 1) continue
      while (passage < end && dense[passage] === 0) passage += 1
      if (passage === end) continue
      found[session] = 1
      holding += 1
    }
  }
  return holding
}
