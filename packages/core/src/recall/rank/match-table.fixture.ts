/** Match tables of a few messages for tests, counted without an index. */
import { analyseMessage, type AnalysedMessage, type MessageToAnalyse } from '../../text-analysis/message-analysis.ts'
import { analyseQuery, chooseTerms } from '../../text-analysis/query.ts'
import type { MatchTable } from './match-table.ts'

/** A message to put into the table. */
export interface TestMessage extends Partial<Omit<MessageToAnalyse, 'texts'>> {
  readonly text: string
  /** Messages of a session must follow each other. Default 0. */
  readonly session?: number
  readonly at?: number
}

/** The table of a query: every message is a row, in the order given. */
export const matchTableOf = (query: string, entries: readonly TestMessage[]): MatchTable => {
  const messages = entries.map(({ text, session = 0, at = NaN, ...rest }) => ({
    session,
    at,
    ...analyseMessage({ role: 'user', kind: 'text', ...rest, texts: [text] }),
  }))
  const passages = messages.flatMap((message) => message.passages.map((passage) => ({ message, ...passage })))
  const countOf = (passage: AnalysedMessage['passages'][number], hash: number): number =>
    passage.counts[passage.hashes.indexOf(hash)] ?? 0
  const holding = (hash: number) => passages.filter((passage) => countOf(passage, hash) > 0)
  const terms = chooseTerms(analyseQuery(query), ({ hash }) => holding(hash).length)
  const numbers = [...new Set(messages.map(({ session }) => session))]
  const ofSession = (number: number) => passages.filter(({ message }) => message.session === number)
  return {
    terms,
    corpus: {
      messages: messages.length,
      passages: passages.length,
      sessions: numbers.length,
      tokens: passages.reduce((sum, { tokens }) => sum + tokens, 0),
      termPassages: terms.map(({ hash }) => holding(hash).length),
      termSessions: terms.map(({ hash }) => new Set(holding(hash).map(({ message }) => message.session)).size),
      termForms: terms.map(
        ({ hash, form }) =>
          holding(hash).filter((passage) => form === 0 || ((countOf(passage, hash) >> 4) & form) !== 0).length,
      ),
    },
    rows: messages.length,
    candidate: Uint8Array.from(messages, (message) =>
      message.passages.some((passage) => terms.some(({ hash }) => countOf(passage, hash) > 0)) ? 1 : 0,
    ),
    session: Int32Array.from(messages, ({ session }) => numbers.indexOf(session)),
    follows: Uint8Array.from(messages, ({ session }, row) => (messages[row - 1]?.session === session ? 1 : 0)),
    at: Float64Array.from(messages, ({ at }) => at),
    flags: Uint16Array.from(messages, ({ flags }) => flags),
    author: Uint32Array.from(messages, ({ author }) => author),
    firstPassage: Int32Array.from([
      0,
      ...messages.map((_, row) =>
        messages.slice(0, row + 1).reduce((sum, message) => sum + message.passages.length, 0),
      ),
    ]),
    passageTokens: Uint16Array.from(passages, ({ tokens }) => tokens),
    counts: Uint8Array.from(passages.flatMap((passage) => terms.map(({ hash }) => countOf(passage, hash) & 15))),
    forms: Uint8Array.from(passages.flatMap((passage) => terms.map(({ hash }) => countOf(passage, hash) >> 4))),
    sessions: numbers.length,
    sessionTokens: Float64Array.from(numbers, (number) =>
      ofSession(number).reduce((sum, { tokens }) => sum + tokens, 0),
    ),
    sessionCounts: Float64Array.from(
      numbers.flatMap((number) =>
        terms.map(({ hash }) => ofSession(number).reduce((sum, passage) => sum + (countOf(passage, hash) & 15), 0)),
      ),
    ),
  }
}
