import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { memoryEntry } from '../testing/index.ts'
import { confirmed, contradicted, defaultConfidence } from './confidence.ts'

const entry = memoryEntry('m', { confidence: 0.5, lastConfirmedAt: 100 })

describe('confidence', () => {
  it('starts higher for a discovery', () => {
    expect([defaultConfidence('discovery'), defaultConfidence('solution'), defaultConfidence('pattern')]).toEqual([
      0.8, 0.7, 0.7,
    ])
  })

  it('grows by a share of the distance to 1, and more when applied', () => {
    expect(confirmed(entry, 200, false)).toEqual({ ...entry, confidence: 0.6, confirmations: 1, lastConfirmedAt: 200 })
    expect(confirmed(entry, 200, true)).toEqual({
      ...entry,
      confidence: 0.65,
      confirmations: 1,
      applications: 1,
      lastConfirmedAt: 200,
    })
  })

  it('never moves the time of confirmation back, even when the clock does', () => {
    expect(confirmed(entry, 50, false).lastConfirmedAt).toBe(100)
  })

  it('halves on a contradiction, which does not count as a confirmation', () => {
    expect(contradicted(entry)).toEqual({ ...entry, confidence: 0.25, contradictions: 1 })
  })

  it('stays within 0 and 1 for any order of confirmations and contradictions', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(fc.constantFrom('true', 'used', 'wrong'), { maxLength: 50 }),
        (start, seen) => {
          let now = { ...entry, confidence: start }
          for (const what of seen) {
            const next = what === 'wrong' ? contradicted(now) : confirmed(now, 0, what === 'used')
            if (what === 'wrong') expect(next.confidence).toBeLessThanOrEqual(now.confidence)
            else expect(next.confidence).toBeGreaterThanOrEqual(Math.min(1, now.confidence - 1e-9))
            expect(next.confidence >= 0 && next.confidence <= 1).toBe(true)
            now = next
          }
        },
      ),
    )
  })
})
