import { labelStep, labelledBars, scaleTo } from './scale.ts'

describe('a scale', () => {
  it('has round ticks that reach the largest value', () => {
    expect(scaleTo(97)).toEqual({ top: 100, ticks: [0, 25, 50, 75, 100] })
    expect(scaleTo(0.0042).top).toBeGreaterThanOrEqual(0.0042)
    expect(scaleTo(1_234_567).ticks).toEqual([0, 500_000, 1_000_000, 1_500_000])
  })

  it('of no values is still a scale', () => {
    expect(scaleTo(0)).toEqual({ top: 1, ticks: [0] })
    expect(scaleTo(Number.NaN).top).toBe(1)
  })

  it('labels what comes after a gap, and no neighbour that would touch it', () => {
    const gap = (...at: readonly number[]): boolean[] => Array.from({ length: 30 }, (_, index) => at.includes(index))
    expect(labelledBars(gap(), 10, 9)).toEqual([0, 10, 20])
    expect(labelledBars(gap(22, 29), 10, 9)).toEqual([0, 10, 22])
    expect(labelledBars(gap(29), 10, 9)).toEqual([0, 10, 20, 29])
    expect(labelledBars([], 1, 0)).toEqual([])
  })

  it('leaves labels out where they would touch', () => {
    expect(labelStep(30, 600, 60)).toBe(3)
    expect(labelStep(5, 600, 60)).toBe(1)
    expect(labelStep(5, 10, 60)).toBe(5)
  })
})
