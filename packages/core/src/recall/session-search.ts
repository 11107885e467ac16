/** Past sessions for a request: by their files, their branch, what was said in them, and their best messages. */
import type { SessionHit, SessionSearchQuery } from '../ports/search-index.ts'
import { analyseQuery } from '../text-analysis/query.ts'
import { placeOf } from './conditions.ts'
import { hitOf } from './hits.ts'
import { buildSessionTable } from './index/build-session-table.ts'
import { touchesOf } from './index/touches.ts'
import { DEFAULT_HITS, explanationOf, rankedMessages, type SearchResources } from './message-search.ts'
import { firstOf, type Ranked } from './order.ts'
import { rankSessions } from './rank/rank-sessions.ts'
import { termWeights } from './rank/term-weights.ts'
import { titleShares } from './title-share.ts'

export const searchSessions = async (
  resources: SearchResources,
  query: SessionSearchQuery,
): Promise<readonly SessionHit[]> => {
  const { source } = resources
  const { limit = DEFAULT_HITS, branch, onlyBranch, workspace, agent, ...conditions } = query
  const terms = analyseQuery(query.text)
  if ((terms.length === 0 && branch === undefined) || limit <= 0) return []
  const index = await source.open({ workspace, agent, branch: onlyBranch })
  const { view } = index
  // Of a file's sessions all messages count: it only says which sessions are shown.
  const ranked = await rankedMessages(
    resources,
    index,
    terms,
    {
      text: query.text,
      ...(query.since === undefined ? {} : { since: query.since }),
      ...(query.until === undefined ? {} : { until: query.until }),
    },
    limit,
  )
  const built = buildSessionTable(view, ranked.corpus, ranked.matches, ranked.rough, ranked, resources.scratch)
  const labels = await source.labels(built.sessions)
  const titleShare = titleShares(
    labels.map(({ title }) => title),
    built.table.terms,
    termWeights(built.table.terms, ranked.facts.asks),
  )
  const table = { ...built.table, branch: labels.map((label) => label.branch), titleShare }
  const ranking = rankSessions(table, { ...ranked.facts, branch })
  const touching =
    conditions.file === undefined
      ? undefined
      : new Set(touchesOf(view, ranked.corpus, conditions.file).map(({ session }) => session))
  const found: (Ranked & { readonly row: number })[] = []
  ranking.scores.forEach((score, row) => {
    const session = built.sessions[row] ?? 0
    if (score > 0 && touching?.has(session) !== false && index.onBranch?.has(session) !== false)
      found.push({ session, row, seq: 0, at: table.at[row] ?? Number.NaN, score })
  })
  const near = firstOf(found, limit, undefined)
  const known = await source.sessions(near.map(({ session }) => session))
  const idOf = (session: number): string => known.get(session)?.id ?? ''
  const chosen = firstOf(
    near.filter(({ session }) => known.has(session)),
    limit,
    idOf,
  )
  const bestRow = (row: number): number => built.bestRow[row] ?? -1
  const withBest = chosen.filter(({ row }) => bestRow(row) !== -1)
  const entries = await source.messages(withBest.map(({ row }) => placeOf(view, ranked.messages[bestRow(row)] ?? 0)))
  const best = new Map(
    withBest.flatMap(({ session, row }, place) => {
      const entry = entries[place]
      return entry === undefined
        ? []
        : [
            [
              session,
              hitOf(
                idOf(session),
                entry,
                ranked.ranking.scores[bestRow(row)] ?? 0,
                explanationOf(ranked, bestRow(row)),
              ),
            ] as const,
          ]
    }),
  )
  return chosen.map(({ session, row, score }): SessionHit => ({
    sessionId: idOf(session),
    score,
    best: best.get(session),
    hits: built.hits[row] ?? 0,
    explanation: {
      ranker: 'cairn',
      parts: ranking.explain(row),
      terms: table.terms.map(({ text }, term) => ({
        text,
        found: table.fields.all.counts[row * table.terms.length + term] !== 0,
      })),
    },
  }))
}
