/**
 * A segment: messages sorted by session and sequence number, and for each term the passages that hold it. The head (the
 * columns of the messages and the dictionary) is small and stays in memory; postings are in pages, read when needed.
 * Arrays are read with `as number`: indices come from the arrays themselves, and `?? 0` in the inner loops costs time.
 *
 * Postings of a term: for each passage the distance to the one before as LEB128 and a byte (low half: how often, high
 * half: in which forms); or, when a quarter of the passages hold it, how many hold each form (four numbers) and a byte
 * for every passage.
 */
import { ByteWriter } from './bytes.ts'

/** The head of a segment. */
export interface Segment {
  readonly messages: number
  readonly passages: number
  /** Tokens of all passages. */
  readonly tokens: number
  readonly postingBytes: number
  /** Size of a page; the last one may be shorter. */
  readonly pageBytes: number
  /** By message; at: ms or NaN. */
  readonly at: Float64Array
  readonly seq: Uint32Array
  /** Empty when no author is known. */
  readonly author: Uint32Array
  readonly flags: Uint16Array
  /** Passages of message m: firstPassage[m] … firstPassage[m + 1] − 1. */
  readonly firstPassage: Uint32Array
  readonly passageTokens: Uint16Array
  /** Messages of run r: runStart[r] … runStart[r + 1] − 1, all of the session runSession[r]. */
  readonly runSession: Uint32Array
  readonly runStart: Uint32Array
  /** By term, ascending by hash: passages that hold it; where its postings lie: termOffset[t] … termOffset[t + 1] − 1. */
  readonly termHash: Uint32Array
  readonly termPassages: Uint32Array
  readonly termOffset: Uint32Array
  /** What tools did to files, by message ascending; operations as in `FILE_OPERATIONS`. */
  readonly touchMessage: Uint32Array
  readonly touchPath: Uint32Array
  readonly touchOperation: Uint8Array
  readonly paths: readonly string[]
}

/** A segment with all its postings in memory. */
export interface SegmentWithPostings {
  readonly segment: Segment
  readonly postings: Uint8Array
}

/** Most pages of a segment: the id of a page is made of the segment's id and the number of the page. */
export const MAX_SEGMENT_PAGES = 1_024
/** A row of a page fits one page of SQLite. */
const PAGE_BYTES = 8_000
const MAGIC = 0x63_73_67_31
const HEADER_NUMBERS = 11

/**
 * The page size (bytes) for this many bytes of postings, so that a segment has no more than {@link MAX_SEGMENT_PAGES}
 * pages.
 */
export const pageBytesFor = (postingBytes: number): number =>
  Math.max(PAGE_BYTES, Math.ceil(postingBytes / (MAX_SEGMENT_PAGES - 1)))

/** True when a term's postings are a byte for every passage: it stands in a quarter of them, and there are 32 or more. */
export const isDense = (termPassages: number, passages: number): boolean =>
  passages >= 32 && termPassages * 4 >= passages

/** Bytes before those of the passages: for each form, in how many passages the term has it, four bytes each. */
export const DENSE_HEADER = 16

/** The index of a term's hash in the dictionary, by binary search; −1 when it is not there. */
export const findTerm = ({ termHash }: Pick<Segment, 'termHash'>, hash: number): number => {
  let low = 0
  let high = termHash.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = termHash[middle] ?? 0
    if (found === hash) return middle
    if (found < hash) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** The list of author hashes as given, or an empty one when no author is known. */
export const compactAuthors = (author: Uint32Array): Uint32Array =>
  author.every((hash) => hash === 0) ? new Uint32Array() : author

/**
 * The first and last page (both included, from 0) that hold a term's postings. `term` is an index of the dictionary.
 */
export const pageRange = (segment: Segment, term: number): readonly [number, number] => [
  Math.floor((segment.termOffset[term] ?? 0) / segment.pageBytes),
  Math.floor(((segment.termOffset[term + 1] ?? 1) - 1) / segment.pageBytes),
]

/** The postings of a segment cut into pages of `pageBytes`, in order; the last may be shorter. Views, not copies. */
export const splitIntoPages = ({ segment, postings }: SegmentWithPostings): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(postings.length / segment.pageBytes) }, (_, page) =>
    postings.subarray(page * segment.pageBytes, (page + 1) * segment.pageBytes),
  )

/**
 * The head as bytes, of the machine's byte order (little-endian on all that we run on). The reverse is {@link
 * decodeHead}.
 */
export const encodeHead = (segment: Segment): Uint8Array => {
  const paths = new TextEncoder().encode(JSON.stringify(segment.paths))
  const header = Float64Array.of(
    MAGIC,
    segment.messages,
    segment.passages,
    segment.tokens,
    segment.postingBytes,
    segment.pageBytes,
    segment.runSession.length,
    segment.termHash.length,
    segment.touchMessage.length,
    paths.length,
    segment.author.length,
  )
  const writer = new ByteWriter(
    header.byteLength + segment.messages * 24 + segment.termHash.length * 12 + paths.length + 256,
  )
  writer.array(header)
  // From the widest to the narrowest, so that each is aligned.
  writer.array(segment.at)
  for (const values of [segment.seq, segment.author, segment.firstPassage, segment.runSession, segment.runStart])
    writer.array(values)
  for (const values of [
    segment.termHash,
    segment.termPassages,
    segment.termOffset,
    segment.touchMessage,
    segment.touchPath,
  ])
    writer.array(values)
  writer.array(segment.flags)
  writer.array(segment.passageTokens)
  writer.array(segment.touchOperation)
  writer.array(paths)
  return writer.copy()
}

/** A buffer that typed arrays can view from offset 0: that of the bytes if they fill it, else a copy. */
const alignedBuffer = (bytes: Uint8Array): ArrayBuffer =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? bytes.buffer
    : new Uint8Array(bytes).buffer

/**
 * The segment of a head that {@link encodeHead} wrote, over the same bytes, which must not change afterwards. Only
 * the format is checked: damage is the caller's to find, by a checksum.
 * @throws RangeError for bytes of another format
 */
// eslint-disable-next-line max-lines-per-function -- the layout of the format, field by field
export const decodeHead = (bytes: Uint8Array): Segment => {
  const buffer = alignedBuffer(bytes)
  const [
    magic,
    messages = 0,
    passages = 0,
    tokens = 0,
    postingBytes = 0,
    pageBytes = 0,
    runs = 0,
    terms = 0,
    touches = 0,
    pathBytes = 0,
    authors = 0,
  ] = new Float64Array(buffer, 0, HEADER_NUMBERS)
  if (magic !== MAGIC) throw new RangeError('the search index holds a segment of another form')
  let offset = HEADER_NUMBERS * 8
  /** The next numbers of the segment, 32 bits each; the order of these calls is the form of the file. */
  const words = (count: number): Uint32Array => {
    const array = new Uint32Array(buffer, offset, count)
    offset += count * 4
    return array
  }
  const halves = (count: number): Uint16Array => {
    const array = new Uint16Array(buffer, offset, count)
    offset += count * 2
    return array
  }
  const at = new Float64Array(buffer, offset, messages)
  offset += messages * 8
  const [seq, author, firstPassage, runSession, runStart] = [
    words(messages),
    words(authors),
    words(messages + 1),
    words(runs),
    words(runs + 1),
  ]
  const [termHash, termPassages, termOffset, touchMessage, touchPath] = [
    words(terms),
    words(terms),
    words(terms + 1),
    words(touches),
    words(touches),
  ]
  const [flags, passageTokens] = [halves(messages), halves(passages)]
  const touchOperation = new Uint8Array(buffer, offset, touches)
  const paths = JSON.parse(
    new TextDecoder().decode(new Uint8Array(buffer, offset + touches, pathBytes)),
  ) as readonly string[]
  return {
    messages,
    passages,
    tokens,
    postingBytes,
    pageBytes,
    at,
    seq,
    author,
    flags,
    firstPassage,
    passageTokens,
    runSession,
    runStart,
    termHash,
    termPassages,
    termOffset,
    touchMessage,
    touchPath,
    touchOperation,
    paths,
  }
}
