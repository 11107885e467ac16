import { markNear, nextMark, stepPath } from './line-positions.ts'

describe('positions in a line chart', () => {
  it('are level within a step', () => {
    expect(stepPath([1, 3], 10, 5, (value) => 100 - value)).toBe('M10.00 99.00H15.00V97.00H20.00')
    expect(stepPath([], 10, 5, (value) => value)).toBe('')
  })

  it('snap the pointer to the nearest mark within reach', () => {
    expect(markNear([3, 10, 12], 10.8, 2)).toBe(10)
    expect(markNear([3, 10, 12], 11.2, 2)).toBe(12)
    expect(markNear([3, 10, 12], 6, 2)).toBeUndefined()
    expect(markNear([], 6, 100)).toBeUndefined()
  })

  it('lead from mark to mark, and not beyond the last', () => {
    expect([
      nextMark([3, 10], 3, 1),
      nextMark([3, 10], 10, 1),
      nextMark([3, 10], 10, -1),
      nextMark([3, 10], 3, -1),
    ]).toEqual([10, undefined, 3, undefined])
  })
})
