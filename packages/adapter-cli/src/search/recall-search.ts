/** One search, by message or by session, and its results as `cairn recall --json` prints them. */
import { createMarker, phrasesNotFound, snippetFor } from '@cairn/core'
import type {
  CorrectedQuery,
  Engine,
  Marker,
  RankerName,
  Role,
  ScoreExplanation,
  SearchFilter,
  SearchHit,
} from '@cairn/core'
import { definedValues } from '../options/defined-values.ts'
import type { RecallGrouping } from './recall-queries.ts'

/** The conditions of a search. By session, `branch` only prefers sessions of that branch. */
export interface RecallFilter extends SearchFilter {
  /** Leaves out other branches, by message and by session. Not together with `branch`. */
  readonly onlyBranch?: string
}

/** A search with its conditions. */
export interface Search extends RecallFilter {
  readonly text: string
  readonly limit: number
  readonly ranker: RankerName
}

/** A message, or a session with its best message. */
export interface Found {
  readonly sessionId: string
  /** Undefined for a session that was found by its files or branch alone. */
  readonly hit: SearchHit | undefined
  readonly score: number
  /** Messages of the session that matched; 1 for a message. */
  readonly hits: number
  readonly explanation: ScoreExplanation
}

/**
 * Searches the store by message or by session, best first; the `hit` of a session is its best message. Empty if nothing
 * matches. `role`, `author` and `sessionId` hold for messages alone.
 */
const search = async (
  { role, author, sessionId, onlyBranch, ...query }: Search,
  by: RecallGrouping,
  engine: Engine,
): Promise<readonly Found[]> => {
  if (by === 'session')
    return (await engine.recall.sessions({ ...query, ...(onlyBranch === undefined ? {} : { onlyBranch }) })).map(
      ({ best, ...found }) => ({ ...found, hit: best }),
    )
  const hits = await engine.recall.messages({
    ...query,
    ...(onlyBranch === undefined ? {} : { branch: onlyBranch }),
    ...withRole(role),
    ...(author === undefined ? {} : { author }),
    ...(sessionId === undefined ? {} : { sessionId }),
  })
  return hits.map((hit) => ({ sessionId: hit.sessionId, hit, score: hit.score, hits: 1, explanation: hit.explanation }))
}

/** The condition on a role, if there is one. */
const withRole = (role: Role | undefined): { readonly role?: Role } => (role === undefined ? {} : { role })

/** What was found for a query, and the query as it was searched for. */
export interface CorrectedSearch extends CorrectedQuery {
  readonly found: readonly Found[]
  /** Quoted words of the query that no result has word for word: the results only come near them. */
  readonly notVerbatim: readonly string[]
}

/**
 * Returns the results of {@link search} for the query with typing errors corrected. The query is searched for as typed
 * with a ranker that is not ours, and if `knows` says that one of the words to correct is no error.
 */
export const correctedSearch = async (
  query: Search,
  by: RecallGrouping,
  engine: Engine,
  knows: (words: readonly string[]) => boolean = () => false,
): Promise<CorrectedSearch> => {
  const { workspace, agent, since, until, sessionId, ranker, text } = query
  const scope = definedValues({ workspace, agent, since, until, sessionId })
  const proposed = ranker === 'cairn' ? await engine.recall.correct({ text, ...scope }) : { text, corrections: [] }
  const corrected = knows(proposed.corrections.map(({ word }) => word)) ? { text, corrections: [] } : proposed
  const found = await search({ ...query, text: corrected.text }, by, engine)
  // By session, quoted words are words.
  const hits = by === 'session' || ranker !== 'cairn' ? [] : found.flatMap(({ hit }) => hit ?? [])
  return { ...corrected, found, notVerbatim: phrasesNotFound(corrected.text, hits) }
}

/** Returns how the query was read, for `--json`: `corrected` and `notVerbatim`, each absent if it does not apply. */
export const readingJson = ({
  corrections,
  notVerbatim,
}: Pick<CorrectedSearch, 'corrections' | 'notVerbatim'>): {
  readonly corrected?: CorrectedQuery['corrections']
  readonly notVerbatim?: readonly string[]
} => ({
  ...(corrections.length === 0 ? {} : { corrected: corrections }),
  ...(notVerbatim.length === 0 ? {} : { notVerbatim }),
})

/** The other messages with the text of a hit; absent if there are none. */
const repeatsJson = (hit: SearchHit | undefined): Pick<SearchHit, 'alsoIn'> =>
  hit?.alsoIn === undefined ? {} : { alsoIn: hit.alsoIn }

/**
 * Returns a result for `--json`; fields of the message are null if none was found. `explain`: with the parts of its
 * score.
 */
const resultJson = (
  { sessionId, hit, score, hits, explanation }: Found,
  marker: Marker,
  by: RecallGrouping,
  explain: boolean,
): Record<string, unknown> => {
  const { text, highlights } = snippetFor(hit?.text ?? '', marker)
  return {
    sessionId,
    messageId: hit?.messageId ?? null,
    externalId: hit?.externalId ?? null,
    at: hit?.at ?? null,
    role: hit?.role ?? null,
    author: hit?.author ?? null,
    score,
    snippet: text,
    highlights: highlights.map(({ start, end }) => [start, end]),
    ...(by === 'session' ? { hits } : {}),
    ...repeatsJson(hit),
    ...(explain ? { explain: explanation } : {}),
  }
}

/** Returns all results of a query for `--json`, in their order; with `explain`, why each was found. */
export const resultsJson = (
  found: readonly Found[],
  query: string,
  by: RecallGrouping,
  explain: boolean,
): readonly Record<string, unknown>[] => {
  const marker = createMarker(query)
  return found.map((each) => resultJson(each, marker, by, explain))
}
