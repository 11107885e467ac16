import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BLOCK_MINIMUM, dehydrateBody, dehydrateLine, hydrateBody, hydrateLine } from './dehydrate.ts'
import { decodeReferences, encodeReferences, referencesIn } from './references.ts'
import { decodeLines, encodeLines } from './source-lines.ts'

/** Numbers texts as a pack does. */
const numbering = () => {
  const texts: string[] = []
  const keep = (text: string): number => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1)
  return { texts, keep, text: (reference: number) => texts[reference] ?? 'missing' }
}

/** Short texts, long ones, and some that look like our own marks. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u0001', '\u00015', '\u0001\u00015', '\u00011\u0002', '\ud800', '__proto__', ''),
  fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 4 }))
    .map(([text, times]) => text.repeat(Math.ceil((times * BLOCK_MINIMUM) / text.length))),
)
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(anyText, tie('value')),
  ),
})).value

/** What JSON itself makes of a value (−0 becomes 0). */
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('content without its long texts', () => {
  it('round-trips bodies', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const { keep, text } = numbering()
        const body = dehydrateBody(value, keep)
        expect(hydrateBody(body, text)).toEqual(throughJson(value))
      }),
    )
  })

  it('round-trips lines of JSON in any layout', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 1, '\t'), fc.boolean(), (value, indent, escaped) => {
        const plain = JSON.stringify(value, null, indent)
        // Some programs escape everything beyond ASCII.
        const line = escaped
          ? plain.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : plain
        const { keep, text } = numbering()
        expect(hydrateLine(dehydrateLine(line, keep), text)).toBe(line)
      }),
    )
  })

  it('is known to need every text that is asked for, before it is', () => {
    fc.assert(
      fc.property(fc.array(anyJson, { maxLength: 6 }), (values) => {
        const { keep, texts } = numbering()
        const bodies = values.map((value) => Buffer.from(dehydrateBody(value, keep)))
        const run = Buffer.from(
          encodeLines(
            values.map((value) => JSON.stringify(value)),
            keep,
          ),
        )
        for (const [index, bytes] of [...bodies, run].entries()) {
          const asked = new Set<number>()
          const text = (reference: number): string => {
            asked.add(reference)
            return texts[reference] ?? 'missing'
          }
          if (index === bodies.length) decodeLines(run, text)
          else hydrateBody(bytes.toString(), text)
          const needed = referencesIn(bytes)
          expect([...asked].filter((reference) => !needed.has(reference))).toEqual([])
        }
      }),
    )
    const { keep } = numbering()
    const body = Buffer.from(dehydrateBody(['a'.repeat(600), ['b'.repeat(700)], 'short', 'c'.repeat(600)], keep))
    expect([...referencesIn(body)]).toEqual([0, 1, 2])
    expect([...referencesIn(body.subarray(0, body.indexOf('short')))]).toEqual([0, 1])
  })

  it('keeps long texts once', () => {
    const long = 'a line of code\n'.repeat(100)
    const { texts, keep } = numbering()
    const body = dehydrateBody({ first: long, second: [long] }, keep)
    const line = dehydrateLine(JSON.stringify({ result: long, again: long }), keep)
    expect(texts).toEqual([long])
    expect(body.length + line.length).toBeLessThan(100)
  })

  it('round-trips lines of any bytes', () => {
    const anyLine = fc.oneof(
      anyJson.map((value) => JSON.stringify(value)),
      fc.uint8Array(),
    )
    fc.assert(
      fc.property(fc.array(anyLine), (lines) => {
        const { keep, text } = numbering()
        const found = decodeLines(encodeLines(lines, keep), text)
        const wanted = lines.map((line) => (typeof line === 'string' ? new TextEncoder().encode(line) : line))
        expect(found.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(
          wanted.map((bytes) => Buffer.from(bytes).toString('hex')),
        )
      }),
    )
  })
})

describe('reference lists', () => {
  it('round-trip', () => {
    const natural = fc.nat({ max: 2 ** 31 - 1 })
    const reference = fc.oneof(fc.record({ offset: natural, length: natural }), fc.record({ blockId: natural }))
    fc.assert(
      fc.property(fc.array(reference), (references) => {
        expect(decodeReferences(encodeReferences(references))).toEqual(references)
      }),
    )
  })
})
