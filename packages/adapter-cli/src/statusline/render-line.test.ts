import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { StatusPiece } from '@cairn/core/hooks'
import { textWidth } from '../terminal/text-width.ts'
import { renderLine } from './render-line.ts'

const plain = (text: string): readonly StatusPiece[] => [{ text, tone: 'plain' }]
const LINE = [
  plain('Opus 4.5'),
  [
    { text: 'ctx ', tone: 'dim' },
    { text: '███░', tone: 'good' },
  ] as const,
  plain('$4.21'),
]

describe('a line of segments', () => {
  it.each([
    [80, 'Opus 4.5 · ctx ███░ · $4.21'],
    [27, 'Opus 4.5 · ctx ███░ · $4.21'],
    [26, 'Opus 4.5 · ctx ███░'],
    [18, 'Opus 4.5'],
    [5, 'Opus…'],
  ])('in %i columns is %s', (columns, expected) => {
    expect(renderLine(LINE, { columns, colours: false })).toBe(expected)
  })

  it('has colours that end where they began, in any width', () => {
    const segment = fc.array(
      fc.record({
        text: fc.string({ unit: 'grapheme', maxLength: 8 }),
        tone: fc.constantFrom('plain', 'dim', 'alarm'),
      }),
      { maxLength: 3 },
    ) as fc.Arbitrary<readonly StatusPiece[]>
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), fc.integer({ min: 1, max: 60 }), (segments, columns) => {
        const line = renderLine(segments, { columns, colours: true })
        // eslint-disable-next-line no-control-regex -- colours are such sequences
        const codes = line.match(/\u001b\[\d+m/g) ?? []
        expect(codes.every((code, index) => (index % 2 === 1) === (code === '\u001b[0m'))).toBe(true)
        expect(codes.length % 2).toBe(0)
        // eslint-disable-next-line no-control-regex -- colours are such sequences
        expect(textWidth(line.replace(/\u001b\[\d+m/g, ''))).toBeLessThanOrEqual(columns)
      }),
    )
  })

  it('without segments is empty', () => {
    expect(renderLine([], { columns: 80, colours: true })).toBe('')
  })
})
