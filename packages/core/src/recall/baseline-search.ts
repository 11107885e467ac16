/** Search by the rankers that recall is measured against: every text is read at every question, as they do. */
import type {
  RankerName,
  ScoreExplanation,
  SearchHit,
  SearchQuery,
  SessionHit,
  SessionSearchQuery,
} from '../ports/search-index.ts'
import { marksOf } from '../text-analysis/marks.ts'
import { searchedText } from '../text-analysis/message-text.ts'
import { analyseQuery } from '../text-analysis/query.ts'
import { BASELINES } from './baselines/index.ts'
import { limitsOf, maskOf, placeOf } from './conditions.ts'
import { hitOf, hitsOf } from './hits.ts'
import { corpusOf } from './index/corpus.ts'
import { firstOf } from './order.ts'
import type { IndexedSession, RecallIndex, RecallSource } from './recall-source.ts'

type Ranker = Exclude<RankerName, 'cairn'>

const DEFAULT_HITS = 10

export const baselineMessages = async (
  source: RecallSource,
  query: SearchQuery,
  ranker: Ranker,
): Promise<readonly SearchHit[]> => {
  const index = await source.open(query)
  const { found } = await score(source, index, query, ranker)
  return hitsOf(source, found, query.limit ?? DEFAULT_HITS)
}

/** A session scores as its best message. */
export const baselineSessions = async (
  source: RecallSource,
  query: SessionSearchQuery,
  ranker: Ranker,
): Promise<readonly SessionHit[]> => {
  const index = await source.open({ workspace: query.workspace, agent: query.agent, branch: query.onlyBranch })
  const { found, known } = await score(source, index, query, ranker)
  const idOf = (session: number): string => known.get(session)?.id ?? ''
  const sessions = new Map<number, { best: (typeof found)[number]; hits: number }>()
  for (const one of firstOf(found, found.length, idOf)) {
    const earlier = sessions.get(one.session)
    if (earlier === undefined) sessions.set(one.session, { best: one, hits: 1 })
    else earlier.hits += 1
  }
  const chosen = [...sessions.values()].slice(0, query.limit ?? DEFAULT_HITS)
  const entries = await source.messages(chosen.map(({ best }) => best))
  return chosen.flatMap(({ best, hits }, place): SessionHit[] => {
    const entry = entries[place]
    if (entry === undefined) return []
    const explanation = best.explanation()
    return [
      {
        sessionId: idOf(best.session),
        score: best.score,
        best: hitOf(idOf(best.session), entry, best.score, explanation),
        hits,
        explanation,
      },
    ]
  })
}

const score = async (
  source: RecallSource,
  index: RecallIndex,
  query: Pick<SearchQuery, 'text' | 'role' | 'author' | 'file' | 'since' | 'until'>,
  ranker: Ranker,
) => {
  const { view } = index
  const { allowed } = corpusOf(view, limitsOf(query, index))
  const wanted = maskOf(view, query, index)
  const places = view.segments.flatMap(({ segment, messageBase, passageBase }) =>
    Array.from({ length: segment.messages }, (_, message) => message)
      .filter(
        (message) =>
          allowed?.[passageBase + (segment.firstPassage[message] ?? 0)] !== 0 && wanted?.[messageBase + message] !== 0,
      )
      .map((message) => placeOf(view, messageBase + message)),
  )
  const known: ReadonlyMap<number, IndexedSession> = await source.sessions([
    ...new Set(places.map(({ session }) => session)),
  ])
  const messages = (await source.messages(places)).flatMap((entry, index_) => {
    const place = places[index_]
    return entry === undefined || place === undefined
      ? []
      : [
          {
            place,
            role: entry.role,
            text: searchedText(entry.content),
            title: known.get(place.session)?.title ?? undefined,
          },
        ]
  })
  const scores = BASELINES[ranker](query.text, messages)
  const found = messages
    .map(({ place, text }, row) => {
      const value = scores[row] ?? 0
      return {
        ...place,
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

/** Which words of the query a text holds, as the index knows them: the rankers compared here have ideas of their own. */
const termsIn = (text: string, query: string): ScoreExplanation['terms'] => {
  const words = analyseQuery(query).filter(({ kind }) => kind === 'word')
  const held = new Set(marksOf(text, new Set(words.map(({ hash }) => hash))).map(({ hash }) => hash))
  return words.map(({ text: word, hash }) => ({ text: word, found: held.has(hash) }))
}
