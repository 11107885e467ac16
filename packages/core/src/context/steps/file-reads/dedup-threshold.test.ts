import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CLINE_DEDUP_THRESHOLD, predictDedupThreshold, type ConversationFeatures } from './dedup-threshold.ts'

const features = fc.record({
  rereadShare: fc.double({ min: 0, max: 1, noNaN: true }),
  growthPerRequest: fc.double({ min: 0, max: 50_000, noNaN: true }),
  window: fc.double({ min: 1_000, max: 1_000_000, noNaN: true }),
  writeReadRatio: fc.double({ min: 0, max: 30, noNaN: true }),
  requestsLeft: fc.double({ min: 0, max: 500, noNaN: true }),
})
/** How the threshold moves when a figure grows. */
const DIRECTIONS: readonly (readonly [keyof ConversationFeatures, 1 | -1, number])[] = [
  ['growthPerRequest', 1, 1000],
  ['writeReadRatio', 1, 2],
  ['requestsLeft', 1, 5],
  ['window', -1, 20_000],
  ['rereadShare', -1, 0.1],
]

describe('predictDedupThreshold', () => {
  const usual = { rereadShare: 0.3, growthPerRequest: 2500, window: 160_000, writeReadRatio: 12.5 }

  it("is near Cline's 30 % for typical conversations, and follows its formula", () => {
    expect(predictDedupThreshold(usual)).toBeCloseTo(CLINE_DEDUP_THRESHOLD, 1)
    // Two requests left need two requests' room.
    expect(predictDedupThreshold({ ...usual, requestsLeft: 2 })).toBeCloseTo((2 * 2500 * 0.7) / 160_000)
    // No caching to lose: room for the next request is enough.
    expect(predictDedupThreshold({ ...usual, writeReadRatio: 1 })).toBeCloseTo(2500 / 160_000)
    expect(predictDedupThreshold({ ...usual, growthPerRequest: 0 })).toBe(0)
    expect(predictDedupThreshold({ ...usual, growthPerRequest: 200_000 })).toBe(1)
  })

  it.each(DIRECTIONS)('property: %s moves it one way only, from 0 to 1', (name, direction, step) => {
    fc.assert(
      fc.property(features, (given) => {
        const before = predictDedupThreshold(given)
        const more = { ...given, [name]: name === 'rereadShare' ? Math.min(1, given[name] + step) : given[name] + step }
        const after = predictDedupThreshold(more)
        expect(before).toBeGreaterThanOrEqual(0)
        expect(before).toBeLessThanOrEqual(1)
        expect((after - before) * direction).toBeGreaterThanOrEqual(-1e-9)
      }),
    )
    // And it does move.
    const base = { ...usual, requestsLeft: name === 'requestsLeft' ? 10 : 1000 }
    const moved = predictDedupThreshold({ ...base, [name]: base[name] + step })
    expect((moved - predictDedupThreshold(base)) * direction).toBeGreaterThan(0)
  })

  it('refuses invalid numbers', () => {
    expect(() => predictDedupThreshold({ ...usual, window: 0 })).toThrow('needs window as a number of tokens above 0')
    expect(() => predictDedupThreshold({ ...usual, rereadShare: 2 })).toThrow('rereadShare as a number from 0 to 1')
    expect(() => predictDedupThreshold({ ...usual, requestsLeft: Number.NaN })).toThrow('requestsLeft')
  })
})
