/** Where the terms of a query stand: read from the pages of a view, narrowed to a corpus, counted. */
import { chooseTerms, type QueryTerm } from '../../text-analysis/query.ts'
import type { Corpus } from './corpus.ts'
import { denseForms, readPostings, type Postings } from './postings.ts'
import type { Scratch } from './scratch.ts'
import { DENSE_HEADER, findTerm, isDense, pagesOf } from './segment.ts'
import type { View, ViewSegment } from './view.ts'

/** Pages by id. One that is not there any more rejects with {@link SegmentGone}. */
export type ReadPages = (ids: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array>>

/** Another process has put the segment into a larger one: look again. */
export class SegmentGone extends Error {}

/** A term's postings: places start … end of the common list; or a byte for every passage of the view. */
export interface TermMatches {
  readonly term: QueryTerm
  readonly start: number
  readonly end: number
  readonly dense: Uint8Array | undefined
  /** Passages that hold it, and that hold it in the form of the query. */
  readonly passages: number
  readonly forms: number
}

export interface Matches {
  readonly terms: readonly TermMatches[]
  readonly postings: Postings
}

/** Pages that are read at one go. */
const PAGES_PER_READ = 1_024
/** Above so many messages, words that stand in a quarter of all passages only count for messages that others have found. */
const LARGE = 50_000
const COMMON_SHARE = 1 / 4
/** Others find at least so many passages. */
const ENOUGH = 5_000

interface Place {
  readonly in: ViewSegment
  readonly number: number
}

interface Lookup {
  readonly term: QueryTerm
  readonly places: readonly Place[]
  /** Passages that hold it, in the whole view. */
  readonly passages: number
}

/** The query's terms as the corpus has them, the rarest first. */
export const matchTerms = async (
  view: View,
  corpus: Corpus,
  candidates: readonly QueryTerm[],
  read: ReadPages,
  scratch: Scratch,
): Promise<Matches> => {
  scratch.clear()
  const found = lookUp(view, candidates)
  const passagesOf = new Map(found.map(({ term, passages }) => [term, passages]))
  const chosen = new Set(chooseTerms(candidates, (term) => passagesOf.get(term) ?? 0))
  const lookups = found
    .filter(({ term }) => chosen.has(term))
    .sort((left, right) => left.passages - right.passages || left.term.hash - right.term.hash)

  const matches: TermMatches[] = []
  let rare = 0
  for (const group of groupsOf(lookups)) {
    const pages = await read(group.flatMap(({ places }) => places.flatMap(pageIds)))
    for (const lookup of group) {
      const isCommon = corpus.messages > LARGE && lookup.passages > view.passages * COMMON_SHARE && rare >= ENOUGH
      matches.push(
        isCommon ? readCommon(view, corpus, lookup, pages, scratch) : readTerm(corpus, lookup, pages, scratch),
      )
      if (!isCommon) rare += lookup.passages
    }
  }
  // What the corpus does not hold, the query does not join.
  const terms = matches
    .filter(({ term, passages }) => passages > 0 || term.kind !== 'joined')
    .sort((left, right) => left.passages - right.passages || left.term.hash - right.term.hash)
  return { terms, postings: scratch.postings }
}

const lookUp = (view: View, terms: readonly QueryTerm[]): readonly Lookup[] =>
  terms.map((term) => {
    const places: Place[] = []
    let passages = 0
    for (const part of view.segments) {
      const number = findTerm(part.segment, term.hash)
      if (number === -1) continue
      places.push({ in: part, number })
      passages += part.segment.termPassages[number] as number
    }
    return { term, places, passages }
  })

/** Terms whose pages are read together. */
const groupsOf = (lookups: readonly Lookup[]): readonly (readonly Lookup[])[] => {
  const groups: Lookup[][] = []
  let pages = Infinity
  for (const lookup of lookups) {
    const own = lookup.places.reduce(
      (sum, { in: { segment }, number }) => sum + (pagesOf(segment, number)[1] - pagesOf(segment, number)[0] + 1),
      0,
    )
    if (pages + own > PAGES_PER_READ) {
      groups.push([])
      pages = 0
    }
    groups.at(-1)?.push(lookup)
    pages += own
  }
  return groups
}

const pageIds = ({ in: { segment, firstPage, postings }, number }: Place): readonly number[] => {
  if (postings !== undefined) return []
  const [first, last] = pagesOf(segment, number)
  return Array.from({ length: last - first + 1 }, (_, index) => firstPage + first + index)
}

/** A term's bytes, valid until the next call; put together when they lie on several pages. */
const bytesOf = (
  { in: { segment, firstPage, postings }, number }: Place,
  pages: ReadonlyMap<number, Uint8Array>,
  scratch: Scratch,
): Uint8Array => {
  const [start, end] = [segment.termOffset[number] as number, segment.termOffset[number + 1] as number]
  if (postings !== undefined) return postings.subarray(start, end)
  const [first, last] = pagesOf(segment, number)
  const page = (index: number): Uint8Array => {
    const bytes = pages.get(firstPage + index)
    if (bytes === undefined) throw new SegmentGone()
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

const readTerm = (
  { allowed }: Corpus,
  { term, places }: Lookup,
  pages: ReadonlyMap<number, Uint8Array>,
  scratch: Scratch,
): TermMatches => {
  const { postings } = scratch
  const start = postings.length
  for (const place of places) {
    const { segment, passageBase } = place.in
    readPostings(
      bytesOf(place, pages, scratch),
      segment.termPassages[place.number] as number,
      segment.passages,
      passageBase,
      postings,
    )
  }
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

/** A word that is nearly everywhere. */
const readCommon = (
  view: View,
  { allowed }: Corpus,
  { term, places, passages: everywhere }: Lookup,
  pages: ReadonlyMap<number, Uint8Array>,
  scratch: Scratch,
): TermMatches => {
  const dense = scratch.bytes(view.passages)
  const { postings } = scratch
  const start = postings.length
  const form = term.form << 4
  let forms = 0
  for (const place of places) {
    const { segment, passageBase } = place.in
    const bytes = bytesOf(place, pages, scratch)
    const count = segment.termPassages[place.number] as number
    if (isDense(count, segment.passages)) {
      dense.set(bytes.subarray(DENSE_HEADER), passageBase)
      forms += denseForms(bytes, term.form)
      continue
    }
    readPostings(bytes, count, segment.passages, passageBase, postings)
    for (let index = start; index < postings.length; index += 1) {
      const value = postings.byte[index] as number
      dense[postings.passage[index] as number] = value
      if ((value & form) !== 0) forms += 1
    }
    postings.length = start
  }
  if (allowed === undefined) return { term, start, end: start, dense, passages: everywhere, forms }
  let passages = 0
  forms = 0
  for (let passage = 0; passage < dense.length; passage += 1) {
    const value = dense[passage] as number
    if (value === 0) continue
    if (allowed[passage] === 0) {
      dense[passage] = 0
      continue
    }
    passages += 1
    if ((value & form) !== 0) forms += 1
  }
  return { term, start, end: start, dense, passages, forms }
}
