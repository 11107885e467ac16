/**
 * Re-ranks hits by the cosine similarity of their embeddings to that of the query. Runs only when the caller provides an
 * embedder.
 */
import { assertLimit, assertObject } from '../input.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { SearchHit, SearchIndex, SearchQuery } from '../ports/search-index.ts'

/** How many of the best hits are re-ranked. */
const CANDIDATES = 50
/** The share of similarity in the new score; the rest is the index's score divided by the highest. */
const NEARNESS_SHARE = 0.4
const TEXT_CHARACTERS = 4000
const DEFAULT_LIMIT = 10

/**
 * Searches and re-ranks the best 50 hits; others follow below them. The text of a hit is embedded up to 4,000
 * characters. Best first; as found if no hit has a score.
 * @throws CairnError `invalid-input`; and what the embedder throws
 */
export const rerankedSearch = async (
  search: Pick<SearchIndex, 'search'>,
  embedder: Embedder,
  query: SearchQuery,
): Promise<readonly SearchHit[]> => {
  assertObject(query, 'What is searched for')
  assertLimit(query.limit, 'The number of hits', 0)
  const limit = query.limit ?? DEFAULT_LIMIT
  const hits = await search.search({ ...query, limit: Math.max(limit, CANDIDATES) })
  const candidates = hits.slice(0, CANDIDATES)
  const highest = candidates[0]?.score ?? 0
  if (highest <= 0) return hits.slice(0, limit)
  const [asked, ...vectors] = await embedder.embed(
    [query.text, ...candidates.map(({ text }) => text)].map((text) => text.slice(0, TEXT_CHARACTERS)),
  )
  const reranked = candidates.map((hit, index) => {
    const nearness = NEARNESS_SHARE * cosine(asked, vectors[index])
    const kept = ((1 - NEARNESS_SHARE) * hit.score) / highest
    return {
      ...hit,
      score: kept + nearness,
      explanation: {
        ...hit.explanation,
        parts: [
          { name: hit.explanation.ranker, value: kept },
          { name: 'nearness', value: nearness },
        ],
      },
    }
  })
  reranked.sort((left, right) => right.score - left.score)
  // The other hits stay below, on the same scale.
  const rest = hits.slice(CANDIDATES).map((hit) => ({
    ...hit,
    score: Math.min((hit.score / highest) * (1 - NEARNESS_SHARE), reranked.at(-1)?.score ?? 0),
  }))
  return [...reranked, ...rest].slice(0, limit)
}

/** Cosine similarity of unit vectors; 0 where one is missing. */
const cosine = (left: Float32Array | undefined, right: Float32Array | undefined): number =>
  left === undefined || right === undefined
    ? 0
    : left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0)
