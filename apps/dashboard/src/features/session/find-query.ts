/** Finds entries of one session by what they say. */
import type { SearchIndex } from '@cairn/core'

/** More than these nobody goes through one by one. */
const MOST_FOUND = 200

/**
 * Returns the numbers of the entries that contain all words, and what is quoted just so, in the order of the log; of
 * many, the `MOST_FOUND` that match best. Empty for an empty text. Rejects as the search does.
 * @param isAny some of the words suffice
 */
export const findInSession = async (
  search: Pick<SearchIndex, 'search'>,
  id: string,
  text: string,
  isAny = false,
): Promise<readonly number[]> => {
  if (text.trim() === '') return []
  const hits = await search.search({ text, sessionId: id, limit: MOST_FOUND, allWords: !isAny })
  return [...new Set(hits.map(({ seq }) => seq))].sort((left, right) => left - right)
}
