import { visiblePosition } from './visible-position.ts'

describe('the line of the cursor while something is folded', () => {
  const seen = [
    { from: 10, to: 14 },
    { from: 30, to: 32 },
    { from: 50, to: 51 },
  ]

  it('does not change if it is visible', () => {
    expect([11, 14, 30, 50].map((cursor) => visiblePosition(cursor, seen))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('is the middle visible line if the cursor is not visible, in a fold, or at the edge', () => {
    expect([0, 20, 10, 51, 99].map((cursor) => visiblePosition(cursor, seen))).toEqual([30, 30, 30, 30, 30])
    expect(visiblePosition(0, [{ from: 4, to: 8 }])).toBe(6)
  })

  it('is none if no line is visible', () => {
    expect(visiblePosition(0, [])).toBeUndefined()
  })
})
