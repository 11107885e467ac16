/** Reads the postings of a query's terms from the pages of a view, narrowed to a corpus. */
import { chooseTerms, type QueryTerm } from '../../text-analysis/query.ts'
import type { Corpus } from './corpus.ts'
import { countDenseForms, readPostings, type Postings } from './postings.ts'
import type { Scratch } from './scratch.ts'
import { DENSE_HEADER, findTerm, isDense, pageRange } from './segment.ts'
import type { View, ViewSegment } from './view.ts'

/** Reads pages by id; rejects with {@link SegmentRemovedError} when one is missing. */
export type ReadPages = (ids: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array>>

/** A segment was merged into a larger one meanwhile: open the index again. */
export class SegmentRemovedError extends Error {}

/** A term's postings: from `start` to before `end` in the shared list; or `dense`, a byte for every passage of the view. */
interface TermMatches {
  readonly term: QueryTerm
  readonly start: number
  readonly end: number
  readonly dense: Uint8Array | undefined
  /** How many passages hold it, and how many in the form of the query. */
  readonly passages: number
  readonly forms: number
}

/** The postings of all terms of a query. */
export interface Matches {
  readonly terms: readonly TermMatches[]
  readonly postings: Postings
}

/** How many pages are read at once. */
const PAGES_PER_READ = 1_024
/** With more messages, terms in a quarter of all passages count only for messages that other terms find. */
const LARGE = 50_000
const COMMON_SHARE = 1 / 4
/** Provided that the other terms find so many passages. */
const ENOUGH = 5_000

interface TermLocation {
  readonly in: ViewSegment
  readonly number: number
}

interface Lookup {
  readonly term: QueryTerm
  readonly locations: readonly TermLocation[]
  /** Passages that hold it, in the whole view. */
  readonly passages: number
}

/**
 * Reads the postings of the terms in the corpus, the rarest first. Words that it does not hold stay, with no passages;
 * joined terms that it does not hold are left out, and of a query with too many terms all but the rarest of the view.
 * The postings are in `scratch`, which is cleared first, and valid until it is cleared again. Rejects when `read` does.
 */
export const matchTerms = async (
  view: View,
  corpus: Corpus,
  candidates: readonly QueryTerm[],
  read: ReadPages,
  scratch: Scratch,
): Promise<Matches> => {
  scratch.clear()
  const found = locateTerms(view, candidates)
  const splitIntoPassages = new Map(found.map(({ term, passages }) => [term, passages]))
  const chosen = new Set(chooseTerms(candidates, (term) => splitIntoPassages.get(term) ?? 0))
  const lookups = found
    .filter(({ term }) => chosen.has(term))
    .sort((left, right) => left.passages - right.passages || left.term.hash - right.term.hash)

  const matches: TermMatches[] = []
  let rare = 0
  for (const group of groupByPages(lookups)) {
    const pages = await read(group.flatMap(({ locations }) => locations.flatMap(pageIds)))
    for (const lookup of group) {
      const isCommon = corpus.messages > LARGE && lookup.passages > view.passages * COMMON_SHARE && rare >= ENOUGH
      matches.push(
        isCommon ? readDenseTerm(view, corpus, lookup, pages, scratch) : readTerm(corpus, lookup, pages, scratch),
      )
      if (!isCommon) rare += lookup.passages
    }
  }
  // Joined terms that the corpus does not hold are dropped.
  const terms = matches
    .filter(({ term, passages }) => passages > 0 || term.kind !== 'joined')
    .sort((left, right) => left.passages - right.passages || left.term.hash - right.term.hash)
  return { terms, postings: scratch.postings }
}

/**
 * Where the terms stand in the view, and in how many passages; terms that nowhere stand have no places. A word's stems
 * count with it: a passage of several counts several times.
 */
const locateTerms = (view: View, terms: readonly QueryTerm[]): readonly Lookup[] =>
  terms.map((term) => {
    const locations: TermLocation[] = []
    let passages = 0
    for (const part of view.segments)
      for (const hash of [term.hash, ...(term.stems ?? [])]) {
        const number = findTerm(part.segment, hash)
        if (number === -1) continue
        locations.push({ in: part, number })
        passages += part.segment.termPassages[number] as number
      }
    return { term, locations, passages }
  })

/**
 * The terms in their order, in groups that need at most `PAGES_PER_READ` pages each; a term that needs more has a group
 * of its own.
 */
const groupByPages = (lookups: readonly Lookup[]): readonly (readonly Lookup[])[] => {
  const groups: Lookup[][] = []
  let pages = Infinity
  for (const lookup of lookups) {
    const pageCount = lookup.locations.reduce(
      (sum, { in: { segment }, number }) => sum + (pageRange(segment, number)[1] - pageRange(segment, number)[0] + 1),
      0,
    )
    if (pages + pageCount > PAGES_PER_READ) {
      groups.push([])
      pages = 0
    }
    groups.at(-1)?.push(lookup)
    pages += pageCount
  }
  return groups
}

/** The ids of the pages that hold a term's postings; none where they are in memory. */
const pageIds = ({ in: { segment, firstPage, postings }, number }: TermLocation): readonly number[] => {
  if (postings !== undefined) return []
  const [first, last] = pageRange(segment, number)
  return Array.from({ length: last - first + 1 }, (_, index) => firstPage + first + index)
}

/**
 * The bytes of a term's postings, valid until the next call; copied together when they span pages.
 * @throws SegmentRemovedError if a page is gone
 */
const postingBytesAt = (
  { in: { segment, firstPage, postings }, number }: TermLocation,
  pages: ReadonlyMap<number, Uint8Array>,
  scratch: Scratch,
): Uint8Array => {
  const [start, end] = [segment.termOffset[number] as number, segment.termOffset[number + 1] as number]
  if (postings !== undefined) return postings.subarray(start, end)
  const [first, last] = pageRange(segment, number)
  const page = (index: number): Uint8Array => {
    const bytes = pages.get(firstPage + index)
    if (bytes === undefined) throw new SegmentRemovedError()
    return bytes
  }
  const from = start - first * segment.pageBytes
  if (first === last) return page(first).subarray(from, end - first * segment.pageBytes)
  const whole = scratch.joined(end - start)
  for (let index = first; index <= last; index += 1) {
    const base = index * segment.pageBytes
    const bytes = page(index)
    whole.set(bytes.subarray(Math.max(0, start - base), Math.min(bytes.length, end - base)), Math.max(0, base - start))
  }
  return whole
}

/**
 * Reads a term's passages into the scratch buffer, without those that aren't allowed. `start` and `end` are their range
 * there; `forms` counts those that have the word as the query does. `pages`: the postings read from the store.
 */
const readTerm = (
  { allowed }: Corpus,
  { term, locations }: Lookup,
  pages: ReadonlyMap<number, Uint8Array>,
  scratch: Scratch,
): TermMatches => {
  const { postings } = scratch
  const start = postings.length
  for (const location of locations) {
    const { segment, passageBase } = location.in
    readPostings(
      postingBytesAt(location, pages, scratch),
      segment.termPassages[location.number] as number,
      segment.passages,
      passageBase,
      postings,
    )
  }
  if (term.stems !== undefined && locations.length > 1) mergeRepeated(postings, start)
  const { passage, byte } = postings
  let end = start
  let forms = 0
  const form = term.form << 4
  for (let index = start; index < postings.length; index += 1) {
    const at = passage[index] as number
    if (allowed !== undefined && allowed[at] === 0) continue
    const value = byte[index] as number
    passage[end] = at
    byte[end] = value
    end += 1
    if ((value & form) !== 0) forms += 1
  }
  postings.length = end
  return { term, start, end, dense: undefined, passages: end - start, forms }
}

/**
 * Reads a term that at least a quarter of the passages hold, as a byte for every passage of the view; 0 for those that
 * are not allowed. `pages`: the postings read from the store.
 */
const readDenseTerm = (
  view: View,
  { allowed }: Corpus,
  { term, locations, passages: everywhere }: Lookup,
  pages: ReadonlyMap<number, Uint8Array>,
  scratch: Scratch,
): TermMatches => {
  const dense = scratch.bytes(view.passages)
  const { postings } = scratch
  const start = postings.length
  const form = term.form << 4
  let forms = 0
  for (const location of locations) {
    const { segment, passageBase } = location.in
    const bytes = postingBytesAt(location, pages, scratch)
    const count = segment.termPassages[location.number] as number
    if (isDense(count, segment.passages) && term.stems === undefined) {
      dense.set(bytes.subarray(DENSE_HEADER), passageBase)
      forms += countDenseForms(bytes, term.form)
      continue
    }
    readPostings(bytes, count, segment.passages, passageBase, postings)
    for (let index = start; index < postings.length; index += 1) {
      const value = postings.byte[index] as number
      const at = postings.passage[index] as number
      dense[at] = bothCounts(dense[at] as number, value)
      if ((value & form) !== 0) forms += 1
    }
    postings.length = start
  }
  if (allowed === undefined && term.stems === undefined)
    return { term, start, end: start, dense, passages: everywhere, forms }
  let passages = 0
  forms = 0
  for (let passage = 0; passage < dense.length; passage += 1) {
    const value = dense[passage] as number
    if (value === 0) continue
    if (allowed !== undefined && allowed[passage] === 0) {
      dense[passage] = 0
      continue
    }
    passages += 1
    if ((value & form) !== 0) forms += 1
  }
  return { term, start, end: start, dense, passages, forms }
}

/** The byte of a passage that holds a word (or 0) and its stem: the higher count, the forms of both. */
const bothCounts = (left: number, right: number): number => Math.max(left & 15, right & 15) | ((left | right) & 0xf0)

/** Puts the postings from `start` on, which are those of a word and of its stems, in order, each passage once. */
const mergeRepeated = (postings: Postings, start: number): void => {
  const passages = postings.passage.slice(start, postings.length)
  const bytes = postings.byte.slice(start, postings.length)
  const order = Array.from(passages.keys()).sort(
    (left, right) => (passages[left] as number) - (passages[right] as number),
  )
  let end = start
  for (const index of order) {
    const [passage, value] = [passages[index] as number, bytes[index] as number]
    if (end > start && postings.passage[end - 1] === passage) {
      postings.byte[end - 1] = bothCounts(postings.byte[end - 1] as number, value)
      continue
    }
    postings.passage[end] = passage
    postings.byte[end] = value
    end += 1
  }
  postings.length = end
}
