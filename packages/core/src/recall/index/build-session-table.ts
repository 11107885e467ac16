/** Builds the table that sessions are ranked by, from all messages of a corpus. */
import { KIND_BITS, ROLE_BITS } from '../../text-analysis/message-analysis.ts'
import {
  BEST_OF_FILE,
  BEST_OF_SESSION,
  type FieldCounts,
  type FileFacts,
  type SessionTable,
} from '../rank/session-table.ts'
import type { Corpus } from './corpus.ts'
import { FILE_OPERATIONS } from './message-codec.ts'
import type { Scratch } from './scratch.ts'
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

const USER = 1
const NOT_RESULT = 2
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
  const { rowOf, sessions, at } = rowsOf(view, corpus)
  const counted = countFields(view, corpus, matches, rowOf, sessions.length, scratch)
  const best = new Float32Array(sessions.length * BEST_OF_SESSION)
  const hits = new Uint32Array(sessions.length)
  for (const { segment, messageBase, passageBase } of view.segments) {
    for (let message = 0; message < segment.messages; message += 1) {
      const score = scores[view.position[messageBase + message] as number] as number
      if (score === 0) continue
      const row = rowOf[view.sessionOf[passageBase + (segment.firstPassage[message] as number)] as number] as number
      if (row === -1) continue
      hits[row] = (hits[row] as number) + 1
    }
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
  return { table, sessions: Uint32Array.from(sessions, (session) => view.sessions[session] as number), bestRow, hits }
}

/** Keeps the best scores of each session in `best`; returns the index of each session's best message. */
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

/** The sessions (indices of the view) with a message in the corpus, and the time of its last one. */
const rowsOf = (view: View, { allowed }: Corpus) => {
  const last = new Float64Array(view.sessions.length).fill(-Infinity)
  const present = new Uint8Array(view.sessions.length)
  for (const { segment, passageBase } of view.segments) {
    for (let message = 0; message < segment.messages; message += 1) {
      const passage = passageBase + (segment.firstPassage[message] as number)
      if (allowed !== undefined && allowed[passage] === 0) continue
      const session = view.sessionOf[passage] as number
      const at = segment.at[message] as number
      present[session] = 1
      if (at > (last[session] as number)) last[session] = at
    }
  }
  const rowOf = new Int32Array(view.sessions.length).fill(-1)
  const sessions: number[] = []
  present.forEach((one, session) => {
    if (one === 1) rowOf[session] = sessions.push(session) - 1
  })
  return {
    rowOf,
    sessions,
    at: Float64Array.from(sessions, (session) =>
      last[session] === -Infinity ? Number.NaN : (last[session] as number),
    ),
  }
}

/** Counts the terms of each session by field. */
const countFields = (
  view: View,
  { allowed }: Corpus,
  { terms, postings }: Matches,
  rowOf: Int32Array,
  rows: number,
  scratch: Scratch,
): SessionTable['fields'] => {
  const columns = terms.length
  const field = () => ({
    counts: scratch.floats(rows * columns),
    tokens: new Float64Array(rows),
    termSessions: new Uint32Array(columns),
  })
  const fields = { all: field(), user: field(), withoutResults: field() }
  const { all, user, withoutResults } = fields
  /** By passage, which fields beside `all` it belongs to. */
  const parts = scratch.bytes(view.passages)
  countTokens(view, allowed, rowOf, fields, parts)
  terms.forEach(({ start, end, dense }, column) => {
    const add = (
      to: { readonly counts: Float32Array; readonly termSessions: Uint32Array },
      cell: number,
      times: number,
    ): void => {
      if (to.counts[cell] === 0) to.termSessions[column] = (to.termSessions[column] as number) + 1
      to.counts[cell] = (to.counts[cell] as number) + times
    }
    const count = (passage: number, times: number): void => {
      const cell = (rowOf[view.sessionOf[passage] as number] as number) * columns + column
      const part = parts[passage] as number
      add(all, cell, times)
      if ((part & USER) !== 0) add(user, cell, times)
      if ((part & NOT_RESULT) !== 0) add(withoutResults, cell, times)
    }
    for (let index = start; index < end; index += 1)
      count(postings.passage[index] as number, (postings.byte[index] as number) & 15)
    if (dense !== undefined)
      for (let passage = 0; passage < dense.length; passage += 1)
        if (dense[passage] !== 0) count(passage, (dense[passage] as number) & 15)
  })
  return fields
}

/** Sums the tokens of each session by field; sets in `parts`, by passage, the fields beside `all` that it belongs to. */
const countTokens = (
  view: View,
  allowed: Uint8Array | undefined,
  rowOf: Int32Array,
  { all, user, withoutResults }: Readonly<Record<'all' | 'user' | 'withoutResults', Pick<FieldCounts, 'tokens'>>>,
  parts: Uint8Array,
): void => {
  for (const { segment, passageBase } of view.segments) {
    for (let message = 0; message < segment.messages; message += 1) {
      const flags = segment.flags[message] as number
      const kind = (flags >> 2) & 3
      const part =
        ((flags & 3) === ROLE_BITS.user && kind === KIND_BITS.text ? USER : 0) |
        (kind === KIND_BITS.result ? 0 : NOT_RESULT)
      for (
        let passage = passageBase + (segment.firstPassage[message] as number);
        passage < passageBase + (segment.firstPassage[message + 1] as number);
        passage += 1
      ) {
        parts[passage] = part
        if (allowed !== undefined && allowed[passage] === 0) continue
        const row = rowOf[view.sessionOf[passage] as number] as number
        const tokens = view.passageTokens[passage] as number
        all.tokens[row] = (all.tokens[row] as number) + tokens
        if ((part & USER) !== 0) user.tokens[row] = (user.tokens[row] as number) + tokens
        if ((part & NOT_RESULT) !== 0) withoutResults.tokens[row] = (withoutResults.tokens[row] as number) + tokens
      }
    }
  }
}

/** All files that messages of the corpus touched, sorted by path. */
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
