import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { burstiness } from './burstiness.ts'

const of = (sessions: number, passages: number, holding: number): number =>
  burstiness({ sessions, termPassages: [passages], termSessions: [holding] })[0] ?? NaN

describe('burstiness', () => {
  it('separates a word of few sessions from one spread over all', () => {
    expect(of(20, 12, 3)).toBeGreaterThan(of(20, 12, 6))
    expect(of(20, 12, 3)).toBeCloseTo(Math.sqrt((20 * (1 - 0.95 ** 12)) / 3))
    expect(of(20, 12, 10)).toBe(1)
  })

  it('is neutral without evidence', () => {
    expect(of(20, 1, 1)).toBeCloseTo(1)
    expect(of(1, 400, 1)).toBe(1)
    expect(of(20, 0, 0)).toBe(1)
    expect(of(0, 0, 0)).toBe(1)
  })

  it('stays between 1 and 2', () => {
    const counts = fc.tuple(fc.nat(1000), fc.nat(100_000), fc.nat(1000))
    fc.assert(
      fc.property(counts, ([sessions, passages, holding]) => {
        const value = of(sessions, passages, Math.min(holding, sessions, passages))
        expect(value).toBeGreaterThanOrEqual(1)
        expect(value).toBeLessThanOrEqual(2)
      }),
    )
  })
})
