/**
 * Re-ranks what was found by how near its meaning is to the query's. Only where somebody gives an embedder: without one
 * nothing here runs, and results are those of the index alone.
 */
import { assertLimit, assertObject } from '../input.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { SearchHit, SearchIndex, SearchQuery } from '../ports/search-index.ts'

/** So many of the best are looked at again. */
const CANDIDATES = 50
/** Of the new score, what nearness counts; the rest is the index's score, the best being 1. */
const NEARNESS_SHARE = 0.4
const TEXT_CHARACTERS = 4000
const DEFAULT_LIMIT = 10

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
  // What nobody looked at again stays behind, on the same scale.
  const rest = hits
    .slice(CANDIDATES)
    .map((hit) => ({
      ...hit,
      score: Math.min((hit.score / highest) * (1 - NEARNESS_SHARE), reranked.at(-1)?.score ?? 0),
    }))
  return [...reranked, ...rest].slice(0, limit)
}

/** Of unit vectors; 0 where one is missing. */
const cosine = (left: Float32Array | undefined, right: Float32Array | undefined): number =>
  left === undefined || right === undefined
    ? 0
    : left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0)
