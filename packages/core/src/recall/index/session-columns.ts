/**
 * What a corpus says of its sessions whatever the query: which have messages in it, when the last was, and how long they
 * are. Of a view without conditions it is kept as long as the view.
 */
import { KIND_BITS, ROLE_BITS } from '../../text-analysis/message-analysis.ts'
import type { SessionField } from '../rank/session-table.ts'
import type { Corpus } from './corpus.ts'
import type { View } from './view.ts'

/** Bits of `parts`: the fields, beside `all`, that a passage belongs to. */
export const USER_PART = 1
export const NOT_RESULT_PART = 2

/** Columns by row, which is a session with a message in the corpus, in the order of the view. */
export interface SessionColumns {
  /** By session of the view: its row, −1 for none; and the reverse. */
  readonly rowOf: Int32Array
  readonly sessions: Uint32Array
  /** Time of its last message, ms; NaN when none is known. */
  readonly at: Float64Array
  readonly tokens: Readonly<Record<SessionField, Float64Array>>
  /** By passage of the view: {@link USER_PART} and {@link NOT_RESULT_PART}. */
  readonly parts: Uint8Array
}

const columnsByView = new WeakMap<View, SessionColumns>()

/** The columns of a corpus of the view. They must not be changed. Those of a whole view are made once. */
export const sessionColumns = (view: View, corpus: Corpus): SessionColumns => {
  if (corpus.allowed !== undefined) return makeColumns(view, corpus.allowed)
  const known = columnsByView.get(view) ?? makeColumns(view, undefined)
  columnsByView.set(view, known)
  return known
}

/**
 * Per session: its tokens in all, of the user's, and without tools' results; only of allowed passages. `parts` tells
 * each passage's kind. A row for each session of the corpus.
 */
const makeColumns = (view: View, allowed: Uint8Array | undefined): SessionColumns => {
  const { rowOf, sessions, at } = rowsOf(view, allowed)
  const rows = sessions.length
  const tokens = { all: new Float64Array(rows), user: new Float64Array(rows), withoutResults: new Float64Array(rows) }
  const parts = new Uint8Array(view.passages)
  for (const { segment, passageBase } of view.segments) {
    for (let message = 0; message < segment.messages; message += 1) {
      const flags = segment.flags[message] as number
      const kind = (flags >> 2) & 3
      const part =
        ((flags & 3) === ROLE_BITS.user && kind === KIND_BITS.text ? USER_PART : 0) |
        (kind === KIND_BITS.result ? 0 : NOT_RESULT_PART)
      for (
        let passage = passageBase + (segment.firstPassage[message] as number);
        passage < passageBase + (segment.firstPassage[message + 1] as number);
        passage += 1
      ) {
        parts[passage] = part
        if (allowed !== undefined && allowed[passage] === 0) continue
        const row = rowOf[view.sessionOf[passage] as number] as number
        const length = view.passageTokens[passage] as number
        tokens.all[row] = (tokens.all[row] as number) + length
        if ((part & USER_PART) !== 0) tokens.user[row] = (tokens.user[row] as number) + length
        if ((part & NOT_RESULT_PART) !== 0) tokens.withoutResults[row] = (tokens.withoutResults[row] as number) + length
      }
    }
  }
  return { rowOf, sessions, at, tokens, parts }
}

/**
 * The sessions (indices of the view) with a message in the corpus, and the time of its last one. NaN where none of its
 * messages has a time.
 */
const rowsOf = (view: View, allowed: Uint8Array | undefined): Pick<SessionColumns, 'rowOf' | 'sessions' | 'at'> => {
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
    sessions: Uint32Array.from(sessions),
    at: Float64Array.from(sessions, (session) =>
      last[session] === -Infinity ? Number.NaN : (last[session] as number),
    ),
  }
}
