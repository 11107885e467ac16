import { labelStep, scaleTo } from './scale.ts'

describe('a scale', () => {
  it('has round ticks that reach the largest value', () => {
    expect(scaleTo(97)).toEqual({ top: 100, ticks: [0, 25, 50, 75, 100] })
    expect(scaleTo(0.0042).top).toBeGreaterThanOrEqual(0.0042)
    expect(scaleTo(1_234_567).ticks).toEqual([0, 500_000, 1_000_000, 1_500_000])
  })

  it('of nothing is still a scale', () => {
    expect(scaleTo(0)).toEqual({ top: 1, ticks: [0] })
    expect(scaleTo(Number.NaN).top).toBe(1)
  })

  it('leaves labels out where they would touch', () => {
    expect(labelStep(30, 600, 60)).toBe(3)
    expect(labelStep(5, 600, 60)).toBe(1)
    expect(labelStep(5, 10, 60)).toBe(5)
  })
})
