/** Finds past sessions for a request: by their files, branch, title and messages. */
import type { SearchHit, SessionHit, SessionSearchQuery } from '../ports/search-index.ts'
import { analyseQuery } from '../text-analysis/query.ts'
import { messagePosition } from './conditions.ts'
import { toSearchHit } from './hits.ts'
import { buildSessionTable } from './index/build-session-table.ts'
import { listFileTouches } from './index/touches.ts'
import type { View } from './index/view.ts'
import { literalNames, sessionsHolding } from './literal-names.ts'
import {
  DEFAULT_HITS,
  explainMessage,
  rankCandidates,
  type RankedMessages,
  type SearchResources,
} from './message-search.ts'
import { takeBest, type Ranked } from './result-order.ts'
import type { RecallSource } from './recall-source.ts'
import { rankSessions } from './rank/rank-sessions.ts'
import { termWeights } from './rank/term-weights.ts'
import { titleCoverage } from './title-coverage.ts'

/**
 * The sessions that match, best first, at most `limit` (default 10); none for a query without words that names no
 * branch. Sessions that were deleted meanwhile are left out. Rejects as the source does.
 */
// eslint-disable-next-line max-lines-per-function -- the steps of one search, in order
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
  // A condition on a file selects sessions: all their messages count.
  const ranked = await rankCandidates(
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
  const titleShare = titleCoverage(
    labels.map(({ title }) => title),
    built.table.terms,
    termWeights(built.table.terms, ranked.facts.asks),
  )
  const table = { ...built.table, branch: labels.map((label) => label.branch), titleShare }
  const ranking = rankSessions(table, { ...ranked.facts, branch })
  const sessionsTouching =
    conditions.file === undefined
      ? undefined
      : new Set(listFileTouches(view, ranked.corpus, conditions.file).map(({ session }) => session))
  const holding = await sessionsHolding(source, view, ranked, literalNames(query.text))
  // Each name that a session holds counts as much as all else can.
  const highest = ranking.scores.reduce((most, score) => Math.max(most, score), 0)
  const found: (Ranked & { readonly row: number })[] = []
  ranking.scores.forEach((own, row) => {
    const session = built.sessions[row] ?? 0
    const score = own > 0 ? own + highest * (holding.get(session)?.count ?? 0) : own
    if (score > 0 && sessionsTouching?.has(session) !== false && index.onBranch?.has(session) !== false)
      found.push({ session, row, seq: 0, at: table.at[row] ?? Number.NaN, score })
  })
  const near = takeBest(found, limit, undefined)
  const known = await source.sessions(near.map(({ session }) => session))
  const idOf = (session: number): string => known.get(session)?.id ?? ''
  const chosen = takeBest(
    near.filter(({ session }) => known.has(session)),
    limit,
    idOf,
  )
  const bestRows = chosen.map(({ session, row }) => ({
    session,
    best: holding.get(session)?.row ?? built.bestRow[row] ?? -1,
  }))
  const best = await bestHits(source, view, ranked, bestRows, idOf)
  return chosen.map(({ session, row, score }): SessionHit => ({
    sessionId: idOf(session),
    score,
    best: best.get(session),
    hits: built.hits[row] ?? 0,
    explanation: {
      ranker: 'cairn',
      parts: [
        ...ranking.explain(row),
        ...[holding.get(session)?.count ?? 0]
          .filter((count) => count > 0)
          .map((count) => ({ name: 'names as written', value: highest * count })),
      ],
      terms: table.terms.map(({ text }, term) => ({
        text,
        found: table.fields.all.counts[row * table.terms.length + term] !== 0,
      })),
    },
  }))
}

/** The best hit of each session, by number of the session; sessions without one are left out. */
const bestHits = async (
  source: RecallSource,
  view: View,
  ranked: RankedMessages,
  bestRows: readonly { readonly session: number; readonly best: number }[],
  idOf: (session: number) => string,
): Promise<ReadonlyMap<number, SearchHit>> => {
  const withBest = bestRows.filter(({ best }) => best !== -1)
  const entries = await source.messages(withBest.map(({ best }) => messagePosition(view, ranked.messages[best] ?? 0)))
  const hits = new Map<number, SearchHit>()
  for (const [index, { session, best }] of withBest.entries()) {
    const entry = entries[index]
    if (entry === undefined) continue
    const score = ranked.ranking.scores[best] ?? 0
    hits.set(session, toSearchHit(idOf(session), entry, score, explainMessage(ranked, best)))
  }
  return hits
}
