/**
 * The part of a text to show for a search: where most words of the query are close together, with these words marked.
 * Words match as in the search: by their stems, within identifiers, and joined to one word.
 */
import { findMarks } from '../text-analysis/marks.ts'
import { analyseQuery } from '../text-analysis/query.ts'
import { quotedPhrases, wordsPattern } from './quoted-phrases.ts'

/** Longest snippet, in characters. */
export const SNIPPET_LENGTH = 240
/** Characters before the first hit, which give it some context. */
const LEAD = 40
/** Hits that are looked at in one text; more would hardly change which part is best. */
const HITS_LOOKED_AT = 2000
/** Characters that are looked at in one step; a longer text is looked at in steps until one has a hit. */
const TEXT_LOOKED_AT = 200_000
/** Characters of a text that are looked at, at most. */
const MOST_LOOKED_AT = 8_000_000
/** How far before a step a space is looked for, in characters, so that no word is cut. */
const LONGEST_WORD = 200
/** Characters of the source for each character of a snippet: enough even when many are spaces. */
const SOURCE_PER_SNIPPET = 4

/** A range of code units; `end` is not included. */
interface Highlight {
  readonly start: number
  readonly end: number
}

interface Hit extends Highlight {
  readonly hash: number
}

/** Words that say little about what is looked for: not marked when the query has others. */
const COMMON = new Set(
  'a about after all also an and any are as at be because been before but by can could did do does for from had has have how i if in into is it its just me my no not of on or our out shall should so some than that the their them then there these they this to up us was we were what when where which who why will with would you your'.split(
    ' ',
  ),
)

/** The weight of a match: joined and partial ones count less than the word itself. */
const WEIGHTS = { word: 1, joined: 0.9, part: 0.5 } as const
const COMMON_WORD_WEIGHT = 0.05

/** Finds the words of one query in texts. */
export interface Marker {
  /**
   * The ranges of a text in which words of the query stand, in any form of them; in order, not overlapping. Empty when
   * there are none.
   */
  highlights(text: string): readonly Highlight[]
  /** The text, with each of these ranges replaced by what `style` returns for it. */
  mark(text: string, style: (hit: string) => string): string
  /**
   * The share of the query's words that a text holds, 0 to 1; common words count only in a query of nothing else. 0 for
   * a query without words.
   */
  coverage(text: string): number
  /**
   * The offset in a text (UTF-16 units) at which a snippet that holds most of the query should begin: where words that
   * the query quotes stand just so, otherwise where most of its words are; 0 when none is found.
   */
  bestStart(text: string): number
}

/**
 * What finds the words of a query in texts, in all their forms; the query may be any text, and one without words finds
 * nothing. Common words count only where there are no others. Of a long text the first 200,000 characters are looked
 * at, by `bestStart` more, until a hit is found.
 */
export const createMarker = (query: string): Marker => {
  const terms = analyseQuery(query)
  const words = terms.filter(({ kind }) => kind === 'word')
  const onlyCommon = words.every(({ text }) => COMMON.has(text))
  const isWanted = (text: string): boolean => onlyCommon || !COMMON.has(text)
  const weights = new Map(
    terms.map(({ hash, kind, text }) => [hash, isWanted(text) ? WEIGHTS[kind] : COMMON_WORD_WEIGHT]),
  )
  const wanted = new Set(terms.filter(({ text }) => isWanted(text)).map(({ hash }) => hash))
  const all = new Set(weights.keys())
  const phrases = quotedPhrases(query).map(({ text }) => wordsPattern(text))
  const stems = new Map(
    terms.flatMap(({ hash, stems: own = [] }) => (wanted.has(hash) ? own.map((stem) => [stem, hash] as const) : [])),
  )

  const hitsIn = (text: string, hashes: ReadonlySet<number>): readonly Hit[] =>
    hashes.size === 0
      ? []
      : findMarks(text.slice(0, TEXT_LOOKED_AT + LONGEST_WORD), hashes, stems).slice(0, HITS_LOOKED_AT)

  /** Where the wanted words are in a text, in order; of overlapping ones the first. */
  const highlights = (text: string): readonly Highlight[] => {
    const apart: Highlight[] = []
    let after = 0
    for (const { start, end } of hitsIn(text, wanted)) {
      if (start < after) continue
      apart.push({ start, end })
      after = end
    }
    return apart
  }

  return {
    highlights,
    mark: (text, style) => {
      let marked = ''
      let position = 0
      for (const { start, end } of highlights(text)) {
        marked += text.slice(position, start) + style(text.slice(start, end))
        position = end
      }
      return marked + text.slice(position)
    },
    coverage: (text) => {
      const found = new Set(hitsIn(text, wanted).map(({ hash }) => hash))
      const meant = words.filter(({ hash }) => wanted.has(hash))
      return meant.length === 0 ? 0 : meant.filter(({ hash }) => found.has(hash)).length / meant.length
    },
    /**
     * The first quoted phrase, else the best place of the first stretch with a hit; 0 if there is none in as much as is
     * looked at.
     */
    bestStart: (text) => {
      const quoted = quotedAt(text, phrases)
      if (quoted !== -1) return quoted
      /** Where common words alone are, for a text that has no others. */
      let common: number | undefined
      for (const { begin, part } of stepsOf(text)) {
        const hits = hitsIn(part, all)
        if (hits.length === 0) continue
        const meant = onlyCommon ? hits : hitsIn(part, wanted)
        // Of very many hits most are common words: they would hide where the others are.
        if (meant.length > 0) return begin + bestStart(hits.length < HITS_LOOKED_AT ? hits : meant, weights)
        common ??= begin + bestStart(hits, weights)
      }
      return common ?? 0
    },
  }
}

/** The parts of a text that are looked at one after the other, each from the beginning of a word, with its offset. */
function* stepsOf(text: string): Generator<{ readonly begin: number; readonly part: string }> {
  for (let from = 0; from < Math.min(text.length, MOST_LOOKED_AT); from += TEXT_LOOKED_AT) {
    const begin = from === 0 ? 0 : wordBefore(text, from)
    yield { begin, part: text.slice(begin, from + TEXT_LOOKED_AT) }
  }
}

/** Where the first of these patterns of quoted words that a text has stands in it; -1 for none. */
const quotedAt = (text: string, patterns: readonly RegExp[]): number => {
  if (patterns.length === 0) return -1
  const plain = withoutAccents(text.slice(0, MOST_LOOKED_AT))
  return patterns.reduce((found, pattern) => (found === -1 ? plain.search(pattern) : found), -1)
}

/** A text of the same length, in which Latin letters have no accents and apostrophes are of one kind. */
export const withoutAccents = (text: string): string =>
  text.replace(/[\u00c0-\u024f\u1e00-\u1eff‘’ʼ]/g, (character) =>
    /[‘’ʼ]/.test(character) ? "'" : character.normalize('NFKD').charAt(0),
  )

/** The start of the word that an offset is in. The offset itself if that word is longer than `LONGEST_WORD`. */
const wordBefore = (text: string, from: number): number => {
  const before = text.slice(from - LONGEST_WORD, from).search(/\s\S*$/)
  return before < 0 ? from : from - LONGEST_WORD + before
}

/**
 * The start of the best window of hits: many different words count most, words that are rare in the text more than
 * frequent ones, repeated hits little. 0 without hits. `weights`: by the hash of a word.
 */
const bestStart = (hits: readonly Hit[], weights: ReadonlyMap<number, number>): number => {
  const counts = new Map<number, number>()
  for (const { hash } of hits) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  const weightInText = (hash: number): number => (weights.get(hash) ?? 0) / (1 + Math.log(counts.get(hash) ?? 1))
  let best = { start: 0, score: -1 }
  for (const [index, first] of hits.entries()) {
    const seen = new Set<number>()
    let score = 0
    for (let next = index; next < hits.length; next++) {
      const hit = hits[next]
      if (hit === undefined || hit.end - first.start > SNIPPET_LENGTH - LEAD) break
      score += weightInText(hit.hash) * (seen.has(hit.hash) ? 0.001 : 1)
      seen.add(hit.hash)
    }
    if (score > best.score) best = { start: first.start, score }
  }
  return best.start
}

/**
 * Where a snippet begins before a hit: at the start of its sentence or line if that is near, else of a word; never
 * within a character.
 */
const cutBefore = (text: string, hit: number): number => {
  const from = Math.max(0, hit - LEAD)
  if (from === 0) return 0
  const lead = text.slice(from, hit)
  const sentence = /.*(?:\n|[.!?]\s+)/s.exec(lead)
  if (sentence !== null) return from + sentence[0].length
  const space = lead.search(/\s/)
  if (space >= 0) return from + space + 1
  return /[\udc00-\udfff]/.test(text.charAt(from)) ? from + 1 : from
}

/** At most `maxLength` characters of a line, ending at a word's end if one is near. */
const cutEnd = (line: string, maxLength: number): string => {
  const part = line.slice(0, maxLength)
  const space = part.lastIndexOf(' ')
  const whole = space > maxLength - LEAD ? part.slice(0, space) : part
  return whole.isWellFormed() ? whole : whole.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}

export interface Snippet {
  readonly text: string
  readonly highlights: readonly Highlight[]
}

/**
 * At most 240 characters of the best part of a text, on one line, with `…` where text was left out, and where its
 * matches are; the beginning where nothing matches.
 */
export const snippetFor = (text: string, marker: Marker): Snippet => {
  const oneLine = (part: string): string => part.replace(/\s+/g, ' ').trim()
  const whole = text.length <= SNIPPET_LENGTH * SOURCE_PER_SNIPPET ? oneLine(text) : undefined
  let snippet = whole
  if (whole === undefined || whole.length > SNIPPET_LENGTH) {
    const start = cutBefore(text, marker.bestStart(text))
    const before = text.slice(0, start).trim() === '' ? '' : '…'
    const source = text.slice(start, start + SNIPPET_LENGTH * SOURCE_PER_SNIPPET)
    const line = oneLine(source)
    const reachesEnd = start + source.length >= text.trimEnd().length
    const fits = line.length + before.length <= SNIPPET_LENGTH
    snippet =
      before + (fits ? line : cutEnd(line, SNIPPET_LENGTH - before.length - 1)) + (fits && reachesEnd ? '' : '…')
    // The source began with more spaces than it has characters for.
    if (snippet.length > SNIPPET_LENGTH) snippet = `${cutEnd(snippet, SNIPPET_LENGTH - 1)}…`
  }
  return { text: snippet ?? '', highlights: marker.highlights(snippet ?? '') }
}

/**
 * The best part of a text for a query, as {@link snippetFor} cuts it; its beginning where no word of the query is in
 * it.
 */
export const snippetOf = (text: string, query: string): string => snippetFor(text, createMarker(query)).text
