/** The part of a message to show for a search: where most of the query's words stand close together. */

/** Longest snippet, in characters. */
export const SNIPPET_LENGTH = 240
/** What may stand before the first hit, so that it has some context. */
const LEAD = 40
/** More hits than this in one message do not change where the best place is. */
const HITS_LOOKED_AT = 2000

export interface Hit {
  readonly start: number
  readonly end: number
}

/** The words of a query, lower case. */
export const queryWords = (query: string): readonly string[] => [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])]

const expressionOf = (words: readonly string[]): RegExp | undefined => {
  if (words.length === 0) return undefined
  const longestFirst = words.toSorted((left, right) => right.length - left.length)
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${longestFirst.join('|')})(?![\\p{L}\\p{N}_])`, 'giu')
}

/** Where words of the query stand in a text. */
export const hitsIn = (text: string, words: readonly string[]): readonly Hit[] => {
  const expression = expressionOf(words)
  if (expression === undefined) return []
  const hits: Hit[] = []
  for (const match of text.matchAll(expression)) {
    hits.push({ start: match.index, end: match.index + match[0].length })
    if (hits.length === HITS_LOOKED_AT) break
  }
  return hits
}

/** The start of the window that holds the most different words, and then the most hits. */
const bestStart = (text: string, hits: readonly Hit[]): number => {
  let best = { start: 0, score: -1 }
  for (const [index, first] of hits.entries()) {
    const words = new Set<string>()
    let count = 0
    for (let next = index; next < hits.length; next++) {
      const hit = hits[next]
      if (hit === undefined || hit.end - first.start > SNIPPET_LENGTH - LEAD) break
      words.add(text.slice(hit.start, hit.end).toLowerCase())
      count++
    }
    const score = words.size * 1000 + count
    if (score > best.score) best = { start: first.start, score }
  }
  return Math.max(0, best.start - LEAD)
}

/** A cut never falls into a surrogate pair, nor, where avoidable, into a word. */
const wordStart = (text: string, position: number): number => {
  if (position === 0) return 0
  const space = text.slice(position, position + LEAD).search(/\s/)
  return space < 0 ? position : position + space + 1
}

/** At most 240 characters around the best place, on one line; `…` stands where text was left out. */
export const snippetOf = (text: string, query: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= SNIPPET_LENGTH) return line
  const start = wordStart(line, bestStart(line, hitsIn(line, queryWords(query))))
  const isWhole = line.length - start < SNIPPET_LENGTH
  const room = SNIPPET_LENGTH - (start > 0 ? 1 : 0) - (isWhole ? 0 : 1)
  const part = line.slice(start, start + room)
  return `${start > 0 ? '…' : ''}${part.isWellFormed() ? part : part.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')}${isWhole ? '' : '…'}`
}

/** The text with the query's words marked by `mark`. */
export const markHits = (text: string, query: string, mark: (hit: string) => string): string => {
  let marked = ''
  let position = 0
  for (const { start, end } of hitsIn(text, queryWords(query))) {
    marked += text.slice(position, start) + mark(text.slice(start, end))
    position = end
  }
  return marked + text.slice(position)
}
