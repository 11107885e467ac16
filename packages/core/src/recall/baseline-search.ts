/** Search by the baseline rankers, which read every text for every query. For comparison only. */
import type {
  RankerName,
  ScoreExplanation,
  SearchHit,
  SearchQuery,
  SessionHit,
  SessionSearchQuery,
} from '../ports/search-index.ts'
import { findMarks } from '../text-analysis/marks.ts'
import { searchableText } from '../text-analysis/message-text.ts'
import { analyseQuery } from '../text-analysis/query.ts'
import { BASELINES } from './baselines/index.ts'
import { corpusLimits, messageMask, messagePosition } from './conditions.ts'
import { toSearchHit, loadHits } from './hits.ts'
import { selectCorpus } from './index/corpus.ts'
import { takeBest } from './result-order.ts'
import type { IndexedSession, RecallIndex, RecallSource } from './recall-source.ts'

type Ranker = Exclude<RankerName, 'cairn'>

const DEFAULT_HITS = 10

/**
 * Messages by a baseline ranker, best first, at most the query's limit; only those that match are among them. Rejects
 * as the source does.
 */
export const baselineMessages = async (
  source: RecallSource,
  query: SearchQuery,
  ranker: Ranker,
): Promise<readonly SearchHit[]> => {
  const index = await source.open(query)
  const { found } = await scoreAll(source, index, query, ranker)
  return loadHits(source, found, query.limit ?? DEFAULT_HITS)
}

/**
 * Sessions by a baseline ranker, best first; a session has the score of its best message. `hits` counts the messages
 * that match. Rejects as the source does. At most `limit` (default {@link DEFAULT_HITS}).
 */
export const baselineSessions = async (
  source: RecallSource,
  query: SessionSearchQuery,
  ranker: Ranker,
): Promise<readonly SessionHit[]> => {
  const index = await source.open({ workspace: query.workspace, agent: query.agent, branch: query.onlyBranch })
  const { found, known } = await scoreAll(source, index, query, ranker)
  const idOf = (session: number): string => known.get(session)?.id ?? ''
  const sessions = new Map<number, { best: (typeof found)[number]; hits: number }>()
  for (const one of takeBest(found, found.length, idOf)) {
    const earlier = sessions.get(one.session)
    if (earlier === undefined) sessions.set(one.session, { best: one, hits: 1 })
    else earlier.hits += 1
  }
  const chosen = [...sessions.values()].slice(0, query.limit ?? DEFAULT_HITS)
  const entries = await source.messages(chosen.map(({ best }) => best))
  return chosen.flatMap(({ best, hits }, position): SessionHit[] => {
    const entry = entries[position]
    if (entry === undefined) return []
    const explanation = best.explanation()
    return [
      {
        sessionId: idOf(best.session),
        score: best.score,
        best: toSearchHit(idOf(best.session), entry, best.score, explanation),
        hits,
        explanation,
      },
    ]
  })
}

/**
 * Scores every message that fits the query's conditions by a simple ranker, as a baseline to compare with. Slow: it
 * reads all texts. Only those with a score above 0, in the order of the view; `known` are their sessions.
 */
const scoreAll = async (
  source: RecallSource,
  index: RecallIndex,
  query: Pick<SearchQuery, 'text' | 'role' | 'author' | 'file' | 'since' | 'until'>,
  ranker: Ranker,
) => {
  const { view } = index
  const { allowed } = selectCorpus(view, corpusLimits(query, index))
  const wanted = messageMask(view, query, index)
  const positions = view.segments.flatMap(({ segment, messageBase, passageBase }) =>
    Array.from({ length: segment.messages }, (_, message) => message)
      .filter(
        (message) =>
          allowed?.[passageBase + (segment.firstPassage[message] ?? 0)] !== 0 && wanted?.[messageBase + message] !== 0,
      )
      .map((message) => messagePosition(view, messageBase + message)),
  )
  const known: ReadonlyMap<number, IndexedSession> = await source.sessions([
    ...new Set(positions.map(({ session }) => session)),
  ])
  const messages = (await source.messages(positions)).flatMap((entry, index) => {
    const position = positions[index]
    return entry === undefined || position === undefined
      ? []
      : [
          {
            position,
            role: entry.role,
            text: searchableText(entry.content),
            title: known.get(position.session)?.title ?? undefined,
          },
        ]
  })
  const scores = BASELINES[ranker](query.text, messages)
  const found = messages
    .map(({ position, text }, row) => {
      const value = scores[row] ?? 0
      return {
        ...position,
        score: value,
        explanation: (): ScoreExplanation => ({
          ranker,
          parts: [{ name: ranker, value }],
          terms: termsIn(text, query.text),
        }),
      }
    })
    .filter(({ score: value }) => value > 0)
  return { found, known }
}

/** Which words of the query a text holds by the terms of the index, whatever the baseline matched. */
const termsIn = (text: string, query: string): ScoreExplanation['terms'] => {
  const words = analyseQuery(query).filter(({ kind }) => kind === 'word')
  const held = new Set(findMarks(text, new Set(words.map(({ hash }) => hash))).map(({ hash }) => hash))
  return words.map(({ text: word, hash }) => ({ text: word, found: held.has(hash) }))
}
