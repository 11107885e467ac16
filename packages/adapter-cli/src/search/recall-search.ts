/** One search, by message or by session, and its results as `cairn recall --json` prints them. */
import { createMarker, snippetFor } from '@cairn/core'
import type { Engine, Marker, RankerName, Role, ScoreExplanation, SearchFilter, SearchHit } from '@cairn/core'
import type { RecallGrouping } from './recall-queries.ts'

/** The conditions of a search. By session, `branch` only prefers sessions of that branch. */
export interface RecallFilter extends SearchFilter {
  /** Leaves out other branches, by message and by session. Not together with `branch`. */
  readonly onlyBranch?: string
}

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
 * Searches the store, by message or by session; the best first. Of a session the `hit` is its best message. Empty when
 * nothing matches.
 */
export const search = async (
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

const withRole = (role: Role | undefined): { readonly role?: Role } => (role === undefined ? {} : { role })

/** A result's fields; those of the message are null where none was found. */
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
    ...(explain ? { explain: explanation } : {}),
  }
}

/** All results of a query for `--json`, in their order; with `explain` why each was found. */
export const resultsJson = (
  found: readonly Found[],
  query: string,
  by: RecallGrouping,
  explain: boolean,
): readonly Record<string, unknown>[] => {
  const marker = createMarker(query)
  return found.map((each) => resultJson(each, marker, by, explain))
}
