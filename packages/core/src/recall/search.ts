/** Search over a store's index: which messages, sessions and files a question is about, ranked. */
import type { MessageEntry } from '../session-log.ts'
import type { FileTouch, ScoreExplanation, SearchHit, SearchIndex, SearchQuery, SessionHit, SessionSearchQuery, TouchQuery } from '../ports/search-index.ts'
import { searchedText } from '../text-analysis/message-text.ts'
import { analyseQuery } from '../text-analysis/query.ts'
import { buildMatchTable } from './index/build-table.ts'
import { buildSessionTable } from './index/build-session-table.ts'
import { chooseCandidates, scoreMessages, scorePassages } from './index/candidates.ts'
import { corpusOf } from './index/corpus.ts'
import { FILE_OPERATIONS } from './index/document.ts'
import { Scratch } from './index/scratch.ts'
import { matchTerms, SegmentGone } from './index/term-matches.ts'
import { keepTouching, touchesOf } from './index/touches.ts'
import { segmentOf, type View } from './index/view.ts'
import { queryFacts } from './rank/query-facts.ts'
import { rankMessages } from './rank/rank-messages.ts'
import { rankSessions } from './rank/rank-sessions.ts'
import { firstOf, type Ranked } from './order.ts'
import type { MessagePlace, RecallIndex, RecallSource } from './recall-source.ts'
import { ROLE_BITS } from '../text-analysis/message-analysis.ts'

const DEFAULT_HITS = 10
const DEFAULT_TOUCHES = 1_000
/** Messages that are ranked exactly. */
const CANDIDATES = 1_000
/** Times that a changing index is looked at again. */
const ATTEMPTS = 5

export interface SearchOptions {
  /** For measurements: how many messages the second stage sees. */
  readonly candidates?: number
}

export const createSearch = (source: RecallSource, { candidates = CANDIDATES }: SearchOptions = {}): SearchIndex => {
  const scratch = new Scratch()
  let turn: Promise<unknown> = Promise.resolve()
  /** One after the other: they share the scratch. A question that met a changing index is asked again. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work()
        } catch (error) {
          if (!(error instanceof SegmentGone) || attempt === ATTEMPTS) throw error
        } finally {
          scratch.shrink()
        }
      }
    })
    turn = result.catch(() => undefined)
    return result
  }
  return {
    search: (query) => inTurn(() => searchMessages(source, scratch, query, candidates)),
    sessions: (query) => inTurn(() => searchSessions(source, scratch, query)),
    touches: (query) => inTurn(() => fileTouches(source, query)),
  }
}

/** A ranked message before its text is read. */
interface Found extends Ranked {
  readonly explanation: () => ScoreExplanation
}

const searchMessages = async (source: RecallSource, scratch: Scratch, query: SearchQuery, most: number): Promise<readonly SearchHit[]> => {
  const { limit = DEFAULT_HITS, ranker = 'cairn' } = query
  const terms = analyseQuery(query.text)
  if (terms.length === 0 || limit <= 0) return []
  const index = await source.open(query)
  const { view } = index
  const corpus = corpusOf(view, limitsOf(query, index))
  const matches = await matchTerms(view, corpus, terms, index.read, scratch)
  const scores = scoreMessages(view, scorePassages(view, corpus, matches, scratch), scratch)
  const wanted = maskOf(view, query, index)
  const { positions } = chooseCandidates(view, scores, wanted, Math.max(most, limit))
  const { table, messages } = buildMatchTable(view, corpus, matches, positions, scratch)
  const ranking = rankMessages(table, queryFacts(query.text))
  const width = table.terms.length
  const found: Found[] = []
  messages.forEach((message, row) => {
    // Also what holds no word of the query itself, but follows what asks for it.
    const score = ranking.scores[row] ?? 0
    if (score <= 0 || wanted?.[message] === 0) return
    found.push({
      ...placeOf(view, message),
      score,
      explanation: () => ({
        ranker,
        parts: ranking.explain(row),
        terms: table.terms.map(({ text }, term) => {
          let holds = false
          for (let passage = table.firstPassage[row] ?? 0; passage < (table.firstPassage[row + 1] ?? 0); passage += 1) holds ||= table.counts[passage * width + term] !== 0
          return { text, found: holds }
        }),
      }),
    })
  })
  return hitsOf(source, found, limit)
}

const searchSessions = async (source: RecallSource, scratch: Scratch, query: SessionSearchQuery): Promise<readonly SessionHit[]> => {
  const { limit = DEFAULT_HITS, ranker = 'cairn', branch, ...conditions } = query
  const terms = analyseQuery(query.text)
  if ((terms.length === 0 && branch === undefined) || limit <= 0) return []
  const index = await source.open({ workspace: conditions.workspace, agent: conditions.agent })
  const { view } = index
  const corpus = corpusOf(view, limitsOf(conditions, index))
  const matches = await matchTerms(view, corpus, terms, index.read, scratch)
  const scores = scoreMessages(view, scorePassages(view, corpus, matches, scratch), scratch)
  const wanted = maskOf(view, conditions, index)
  if (wanted !== undefined) for (let message = 0; message < scores.length; message += 1) if (wanted[message] === 0) scores[view.position[message] ?? 0] = 0
  const built = buildSessionTable(view, corpus, matches, scores)
  const facts = await source.sessions([...built.sessions])
  const table = { ...built.table, branch: Array.from(built.sessions, (session) => facts.get(session)?.branch ?? null) }
  const ranking = rankSessions(table, { ...queryFacts(query.text), branch })
  const touching = query.file === undefined ? undefined : new Set(touchesOf(view, corpus, query.file).map(({ session }) => session))
  const ranked = Array.from(built.sessions, (session, row) => ({ session, row, seq: 0, at: table.at[row] ?? Number.NaN, score: ranking.scores[row] ?? 0 }))
    .filter(({ session, score }) => score > 0 && facts.has(session) && touching?.has(session) !== false)
  const chosen = firstOf(ranked, limit, (session) => facts.get(session)?.id ?? '')
  const entries = await source.messages(chosen.flatMap(({ row }) => ((built.bestMessage[row] ?? -1) === -1 ? [] : [placeOf(view, built.bestMessage[row] ?? 0)])))
  const bySession = new Map<number, MessageEntry>()
  let next = 0
  for (const { session, row } of chosen) {
    if ((built.bestMessage[row] ?? -1) === -1) continue
    const entry = entries[next]
    next += 1
    if (entry !== undefined) bySession.set(session, entry)
  }
  return chosen.map(({ session, row, score }): SessionHit => {
    const sessionId = facts.get(session)?.id ?? ''
    const explanation = (parts: ScoreExplanation['parts'], holds: (term: number) => boolean): ScoreExplanation => ({ ranker, parts, terms: table.terms.map(({ text }, term) => ({ text, found: holds(term) })) })
    const entry = bySession.get(session)
    const best = scores[view.position[built.bestMessage[row] ?? 0] ?? 0] ?? 0
    const own = explanation(ranking.explain(row), (term) => table.fields.all.counts[row * table.terms.length + term] !== 0)
    return {
      sessionId,
      score,
      best: entry === undefined ? undefined : hitOf(sessionId, entry, best, { ...own, parts: [{ name: 'passage', value: best }] }),
      hits: built.hits[row] ?? 0,
      explanation: own,
    }
  })
}

const fileTouches = async (source: RecallSource, query: TouchQuery): Promise<readonly FileTouch[]> => {
  const index = await source.open({ workspace: query.workspace, sessionId: query.sessionId })
  const touches = touchesOf(index.view, corpusOf(index.view, limitsOf(query, index)), query.file)
  const facts = await source.sessions([...new Set(touches.map(({ session }) => session))])
  const ranked = touches.filter(({ session }) => facts.has(session)).map((touch) => ({ ...touch, score: 0 }))
  return firstOf(ranked, query.limit ?? DEFAULT_TOUCHES, (session) => facts.get(session)?.id ?? '').map(({ path, operation, session, seq, at }) => ({
    path,
    operation: FILE_OPERATIONS[operation] ?? 'mention',
    sessionId: facts.get(session)?.id ?? '',
    seq,
    at: Number.isNaN(at) ? null : at,
  }))
}

const limitsOf = ({ since, until }: Pick<SearchQuery, 'since' | 'until'>, { sessions }: RecallIndex) => ({
  ...(sessions === undefined ? {} : { sessions }),
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
})

/** Messages that role, file and branch let through; undefined: all. They only narrow what is found, not what is counted. */
const maskOf = (view: View, { role, file }: Pick<SearchQuery, 'role' | 'file'>, { onBranch }: RecallIndex): Uint8Array | undefined => {
  if (role === undefined && file === undefined && onBranch === undefined) return undefined
  const mask = new Uint8Array(view.messages)
  for (const { segment, messageBase } of view.segments) {
    for (let run = 0; run < segment.runSession.length; run += 1) {
      if (onBranch?.has(segment.runSession[run] ?? 0) === false) continue
      for (let message = segment.runStart[run] ?? 0; message < (segment.runStart[run + 1] ?? 0); message += 1) {
        if (role === undefined || ((segment.flags[message] ?? 0) & 3) === ROLE_BITS[role]) mask[messageBase + message] = 1
      }
    }
  }
  if (file !== undefined) keepTouching(view, mask, file)
  return mask
}

const placeOf = (view: View, message: number): MessagePlace & { readonly at: number } => {
  const { segment, messageBase, passageBase } = segmentOf(view, message)
  const local = message - messageBase
  return {
    session: view.sessions[view.sessionOf[passageBase + (segment.firstPassage[local] ?? 0)] ?? 0] ?? 0,
    seq: segment.seq[local] ?? 0,
    at: segment.at[local] ?? Number.NaN,
  }
}

/** The first of what was found, with their texts. What has gone since makes room for what follows. */
const hitsOf = async (source: RecallSource, found: readonly Found[], limit: number): Promise<readonly SearchHit[]> => {
  const hits: SearchHit[] = []
  let rest = found
  while (hits.length < limit && rest.length > 0) {
    const near = firstOf(rest, limit - hits.length, undefined)
    const facts = await source.sessions([...new Set(near.map(({ session }) => session))])
    const chosen = firstOf(near, limit - hits.length, (session) => facts.get(session)?.id ?? '')
    const entries = await source.messages(chosen)
    chosen.forEach(({ session, score, explanation }, index) => {
      const [entry, sessionId] = [entries[index], facts.get(session)?.id]
      if (entry !== undefined && sessionId !== undefined) hits.push(hitOf(sessionId, entry, score, explanation()))
    })
    if (hits.length < limit) {
      const seen = new Set(chosen)
      rest = rest.filter((one) => !seen.has(one))
    }
  }
  return hits
}

const hitOf = (sessionId: string, entry: MessageEntry, score: number, explanation: ScoreExplanation): SearchHit => ({
  sessionId,
  seq: entry.seq,
  messageId: entry.id,
  externalId: entry.id,
  at: entry.at,
  role: entry.role,
  score,
  text: searchedText(entry.content),
  explanation,
})
