/** Builds the table that sessions are ranked by, from all messages of a corpus. */
import { BEST_OF_FILE, BEST_OF_SESSION, type FileFacts, type SessionTable } from '../rank/session-table.ts'
import type { Corpus } from './corpus.ts'
import { FILE_OPERATIONS } from './message-codec.ts'
import type { Scratch } from './scratch.ts'
import { NOT_RESULT_PART, USER_PART, sessionColumns, type SessionColumns } from './session-columns.ts'
import type { Matches } from './term-matches.ts'
import { segmentFinder, type View } from './view.ts'

/** The table without branches and titles, which the store adds. */
export interface BuiltSessionTable {
  readonly table: Omit<SessionTable, 'branch' | 'titleShare'>
  /** By row of the table: the session's number in the store. */
  readonly sessions: Uint32Array
  /** By row: the index of its best message among the ranked ones, −1 for none; and how many messages match. */
  readonly bestRow: Int32Array
  readonly hits: Uint32Array
}

const EDIT = FILE_OPERATIONS.indexOf('edit')

/** The ranked messages, by number in storage order, with their scores. */
export interface RankedRows {
  readonly messages: Uint32Array
  readonly ranking: { readonly scores: Float64Array }
}

/**
 * Builds the table of a query over sessions, a row for each session of the corpus. `scores`: rough scores by position
 * of the message, 0 where no term matches.
 */
export const buildSessionTable = (
  view: View,
  corpus: Corpus,
  matches: Matches,
  scores: Float32Array,
  ranked: RankedRows,
  scratch: Scratch,
): BuiltSessionTable => {
  const columns = sessionColumns(view, corpus)
  const { rowOf, sessions, at } = columns
  const counted = countFields(view, matches, columns, scratch)
  const best = new Float32Array(sessions.length * BEST_OF_SESSION)
  const hits = new Uint32Array(sessions.length)
  for (let session = 0; session < rowOf.length; session += 1) {
    const row = rowOf[session] as number
    if (row === -1) continue
    const end = view.sessionStart[session + 1] as number
    let matching = 0
    for (let position = view.sessionStart[session] as number; position < end; position += 1)
      if (scores[position] !== 0) matching += 1
    hits[row] = matching
  }
  const bestRow = keepRanked(view, rowOf, ranked, best)
  const table = {
    terms: matches.terms.map(({ term }) => term),
    sessions: sessions.length,
    at,
    fields: counted,
    best,
    files: filesOf(view, corpus, rowOf, scores),
  }
  return { table, sessions: sessions.map((session) => view.sessions[session] as number), bestRow, hits }
}

/**
 * Puts the best scores of each session into `best`, descending. Returns by row of the session table the index of the
 * session's best message among the ranked ones, −1 where none has a score above 0.
 */
const keepRanked = (
  view: View,
  rowOf: Int32Array,
  { messages, ranking }: RankedRows,
  best: Float32Array,
): Int32Array => {
  const bestRow = new Int32Array(best.length / BEST_OF_SESSION).fill(-1)
  const highest = new Float64Array(bestRow.length)
  const inSegment = segmentFinder(view)
  messages.forEach((message, slot) => {
    const score = ranking.scores[slot] ?? 0
    const { segment, messageBase, passageBase } = inSegment(message)
    const row = rowOf[
      view.sessionOf[passageBase + (segment.firstPassage[message - messageBase] as number)] as number
    ] as number
    if (score <= 0 || row === -1) return
    if (score > (highest[row] as number)) {
      highest[row] = score
      bestRow[row] = slot
    }
    keepBest(best, row * BEST_OF_SESSION, BEST_OF_SESSION, score)
  })
  return bestRow
}

/** Inserts a score into `best`, sorted descending from `from` on, when it is high enough. */
const keepBest = (best: Float32Array, from: number, size: number, score: number): void => {
  let slot = from + size - 1
  if (score <= (best[slot] as number)) return
  for (; slot > from && (best[slot - 1] as number) < score; slot -= 1) best[slot] = best[slot - 1] as number
  best[slot] = score
}

/**
 * Counts the terms of each session by field, in a row for each session and a column for each term; and how many
 * sessions have each term.
 */
const countFields = (
  view: View,
  { terms, postings }: Matches,
  { rowOf, sessions, tokens, parts }: SessionColumns,
  scratch: Scratch,
): SessionTable['fields'] => {
  const columns = terms.length
  /** A field's counts, zeros at first: a row for each session, a column for each term. */
  const field = (name: keyof SessionTable['fields']) => ({
    counts: scratch.floats(sessions.length * columns),
    tokens: tokens[name],
    termSessions: new Uint32Array(columns),
  })
  const fields = { all: field('all'), user: field('user'), withoutResults: field('withoutResults') }
  const { all, user, withoutResults } = fields
  terms.forEach(({ start, end, dense }, column) => {
    const add = (
      to: { readonly counts: Float32Array; readonly termSessions: Uint32Array },
      cell: number,
      times: number,
    ): void => {
      if (to.counts[cell] === 0) to.termSessions[column] = (to.termSessions[column] as number) + 1
      to.counts[cell] = (to.counts[cell] as number) + times
    }
    /** Counts a term of a passage in all fields that the passage belongs to. */
    const count = (passage: number, times: number): void => {
      const cell = (rowOf[view.sessionOf[passage] as number] as number) * columns + column
      const part = parts[passage] as number
      add(all, cell, times)
      if ((part & USER_PART) !== 0) add(user, cell, times)
      if ((part & NOT_RESULT_PART) !== 0) add(withoutResults, cell, times)
    }
    for (let index = start; index < end; index += 1)
      count(postings.passage[index] as number, (postings.byte[index] as number) & 15)
    if (dense !== undefined)
      for (let passage = 0; passage < dense.length; passage += 1)
        if (dense[passage] !== 0) count(passage, (dense[passage] as number) & 15)
  })
  return fields
}

/**
 * All files that messages of the corpus touched, sorted by path. With the sessions (rows) that edited or touched each;
 * the best scores are those of edits.
 */
const filesOf = (view: View, { allowed }: Corpus, rowOf: Int32Array, scores: Float32Array): readonly FileFacts[] => {
  const files = new Map<
    string,
    { readonly edited: Set<number>; readonly touched: Set<number>; readonly best: Float32Array }
  >()
  for (const { segment, messageBase, passageBase } of view.segments) {
    segment.touchMessage.forEach((message, index) => {
      const passage = passageBase + (segment.firstPassage[message] as number)
      if (allowed !== undefined && allowed[passage] === 0) return
      const path = segment.paths[segment.touchPath[index] as number] ?? ''
      let file = files.get(path)
      if (file === undefined)
        files.set(path, (file = { edited: new Set(), touched: new Set(), best: new Float32Array(BEST_OF_FILE) }))
      const row = rowOf[view.sessionOf[passage] as number] as number
      file.touched.add(row)
      if (segment.touchOperation[index] !== EDIT) return
      file.edited.add(row)
      keepBest(file.best, 0, BEST_OF_FILE, scores[view.position[messageBase + message] as number] as number)
    })
  }
  return [...files]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, { edited, touched, best }]) => ({
      path,
      editedBy: Int32Array.from(edited).sort(),
      touchedBy: Int32Array.from(touched).sort(),
      editScores: best.filter((score) => score > 0),
    }))
}
