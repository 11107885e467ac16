import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { buildSegment, moveSegmentToSession } from './build.ts'
import { decodeMessage, encodeMessage, FILE_OPERATIONS, type IndexedMessage } from './message-codec.ts'
import { mergeWithoutPauses } from './merge.ts'
import { Postings, readPostings } from './postings.ts'
import {
  decodeHead,
  encodeHead,
  findTerm,
  isDense,
  splitIntoPages,
  pageRange,
  type SegmentWithPostings,
} from './segment.ts'

/** Few hashes, so that some stand nearly everywhere. */
const anyHash = fc.oneof(fc.constantFrom(0, 7, 4_294_967_295), fc.nat({ max: 40 }), fc.nat({ max: 4_294_967_295 }))
const anyPassage = fc
  .tuple(fc.nat({ max: 65_535 }), fc.dictionary(anyHash.map(String), fc.integer({ min: 1, max: 255 }), { maxKeys: 12 }))
  .map(([tokens, terms]) => {
    const hashes = Uint32Array.from(Object.keys(terms).map(Number)).sort()
    return { tokens, hashes, counts: Uint8Array.from(hashes, (hash) => terms[String(hash)] ?? 1) }
  })
const anyMessage = fc.record({
  at: fc.oneof(fc.constant(Number.NaN), fc.nat()),
  message: fc.record({
    passages: fc.array(anyPassage, { minLength: 1, maxLength: 3 }),
    flags: fc.nat({ max: 65_535 }),
    author: fc.nat({ max: 4_294_967_295 }),
    files: fc.array(
      fc.record({ path: fc.string({ unit: 'grapheme' }), operation: fc.constantFrom(...FILE_OPERATIONS) }),
      { maxLength: 2 },
    ),
  }),
})
const anyMessages = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 30 })), {
    selector: ([session, seq]) => `${session} ${seq}`,
    maxLength: 60,
  })
  .chain((positions) =>
    fc.tuple(
      ...positions.map(([session, seq]) => anyMessage.map((rest): IndexedMessage => ({ session, seq, ...rest }))),
    ),
  )

/** Everything that a segment says, in a form that two of the same messages share. */
const contentOf = ({ segment, postings }: SegmentWithPostings) => {
  const { touchMessage, touchPath, touchOperation, paths, ...facts } = segment
  return {
    ...facts,
    postings,
    touches: Array.from(touchMessage, (message, index) => [
      message,
      paths[touchPath[index] ?? 0],
      touchOperation[index],
    ]),
    terms: Array.from(segment.termHash, (_, term) => {
      const found = new Postings(4)
      readPostings(
        postings.subarray(segment.termOffset[term], segment.termOffset[term + 1]),
        segment.termPassages[term] ?? 0,
        segment.passages,
        0,
        found,
      )
      return [...found.passage.subarray(0, found.length)].map((passage, index) => [passage, found.byte[index]])
    }),
  }
}

describe('a message in the tail', () => {
  it('is decoded as it was encoded', () => {
    fc.assert(
      fc.property(anyMessage, ({ at, message }) => {
        expect(decodeMessage(Buffer.from(encodeMessage(Number.isNaN(at) ? null : at, message)))).toEqual({
          at,
          message,
        })
      }),
    )
  })
})

describe('a segment', () => {
  it('holds every term of every passage', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const whole = buildSegment(messages)
        const ordered = [...messages].sort((left, right) => left.session - right.session || left.seq - right.seq)
        const passages = ordered.flatMap(({ message }) => message.passages)
        const { terms } = contentOf(whole)
        const expected = new Map<number, [number, number][]>()
        passages.forEach(({ hashes, counts }, passage) =>
          hashes.forEach((hash, index) =>
            expected.set(hash, [...(expected.get(hash) ?? []), [passage, counts[index] ?? 0]]),
          ),
        )
        expect(whole.segment.termHash.length).toBe(expected.size)
        for (const [hash, positions] of expected) expect(terms[findTerm(whole.segment, hash)]).toEqual(positions)
        expect(findTerm(whole.segment, 123_456_789)).toBe(
          expected.has(123_456_789) ? findTerm(whole.segment, 123_456_789) : -1,
        )
        expect([...whole.segment.seq]).toEqual(ordered.map(({ seq }) => seq))
      }),
    )
  })

  it('is read from its header and pages, whatever buffer holds them', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const whole = buildSegment(messages)
        const head = encodeHead(whole.segment)
        const shifted = new Uint8Array(head.length + 3)
        shifted.set(head, 3)
        expect(decodeHead(Buffer.from(shifted.buffer, 3))).toEqual(whole.segment)
        expect(Buffer.concat(splitIntoPages(whole))).toEqual(Buffer.from(whole.postings))
      }),
    )
  })

  it('has its postings in the pages that its dictionary names', () => {
    const passages = Array.from({ length: 3_000 }, (_, index) => ({
      tokens: 2,
      hashes: Uint32Array.of(1, 10 + index),
      counts: Uint8Array.of(17, 18),
    }))
    const whole = buildSegment([{ session: 1, seq: 0, at: 0, message: { passages, flags: 0, author: 0, files: [] } }])
    expect(isDense(whole.segment.termPassages[0] ?? 0, whole.segment.passages)).toBe(true)
    expect(splitIntoPages(whole).length).toBe(Math.ceil(whole.segment.postingBytes / whole.segment.pageBytes))
    expect(pageRange(whole.segment, findTerm(whole.segment, 3_009))).toEqual([
      splitIntoPages(whole).length - 1,
      splitIntoPages(whole).length - 1,
    ])
  })

  it('is the same whether built at once or merged from parts', () => {
    fc.assert(
      fc.property(anyMessages, fc.array(fc.nat({ max: 2 }), { minLength: 60, maxLength: 60 }), (messages, parts) => {
        const sources = [0, 1, 2].map((part) => buildSegment(messages.filter((_, index) => parts[index] === part)))
        expect(contentOf(mergeWithoutPauses(sources))).toEqual(contentOf(buildSegment(messages)))
      }),
    )
  })

  it('of one session gets its sequence numbers afterwards', () => {
    fc.assert(
      fc.property(anyMessages, fc.nat({ max: 9 }), fc.nat({ max: 1_000 }), (messages, session, from) => {
        const one = messages.filter((message) => message.session === 1)
        const positioned = moveSegmentToSession(
          buildSegment(one.map((message) => ({ ...message, session: 0 }))),
          session,
          from,
        )
        expect(positioned).toEqual(
          buildSegment(one.map((message) => ({ ...message, session, seq: from + message.seq }))),
        )
      }),
    )
  })

  it('holds nothing of a session that a merge left out', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const merged = mergeWithoutPauses([buildSegment(messages)], new Set([2]))
        expect(contentOf(merged)).toEqual(contentOf(buildSegment(messages.filter(({ session }) => session !== 2))))
      }),
    )
  })
})
