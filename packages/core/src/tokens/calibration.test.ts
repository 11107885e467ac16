import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createCalibration, learnRatio } from './calibration.ts'
import { requestCharacters } from './content-characters.ts'
import { estimateTokens } from './estimate.ts'

describe('the learned ratio', () => {
  it("moves a fifth of the way to the provider's count, starting at 2.5", () => {
    const calibration = createCalibration()
    expect(calibration.ratio('m')).toBe(2.5)
    expect(calibration.observe({ model: 'm', characters: 4000, promptTokens: 1000 })).toBe(true)
    expect(calibration.ratio('m')).toBeCloseTo(0.8 * 2.5 + 0.2 * 4, 12)
    calibration.observe({ model: 'm', characters: 3000, promptTokens: 1000 })
    expect(calibration.ratio('m')).toBeCloseTo(0.8 * 2.8 + 0.2 * 3, 12)
    expect(calibration.ratio('other')).toBe(2.5)
  })

  it("starts at the model's default, and stays between 1.5 and 5", () => {
    const calibration = createCalibration(undefined, (model) => (model === 'odd' ? 9 : 3.3))
    expect([calibration.ratio('m'), calibration.ratio('odd')]).toEqual([3.3, 5])
    for (let count = 0; count < 50; count += 1) {
      calibration.observe({ model: 'dense', characters: 100, promptTokens: 100 })
      calibration.observe({ model: 'thin', characters: 1900, promptTokens: 100 })
    }
    expect([calibration.ratio('dense'), calibration.ratio('thin')]).toEqual([1.5, 5])
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double(), fc.double(), fc.double())), (seen) => {
        const tried = createCalibration()
        for (const [characters, promptTokens, attachmentTokens] of seen)
          tried.observe({ model: 'm', characters, promptTokens, attachmentTokens })
        expect(tried.ratio('m')).toBeGreaterThanOrEqual(1.5)
        expect(tried.ratio('m')).toBeLessThanOrEqual(5)
      }),
    )
  })

  it('ignores requests without evidence', () => {
    const useless = [
      { characters: 4000, promptTokens: 0 },
      { characters: 0, promptTokens: 1000 },
      { characters: 4000, promptTokens: -5 },
      { characters: Number.NaN, promptTokens: 1000 },
      { characters: 4000, promptTokens: Infinity },
      { characters: 100, promptTokens: 100_000 },
      { characters: 1_000_000, promptTokens: 1000 },
      { characters: 4000, promptTokens: 1000, attachmentTokens: 1600 },
    ]
    const calibration = createCalibration()
    for (const observation of useless) {
      expect(learnRatio(2.5, observation)).toBeUndefined()
      expect(calibration.observe({ model: 'm', ...observation })).toBe(false)
    }
    expect(calibration.state()).toEqual({ ratios: {} })
  })

  it('leaves out the tokens of images, which have no characters', () => {
    expect(learnRatio(2.5, { characters: 4000, promptTokens: 2600, attachmentTokens: 1600 })).toBeCloseTo(2.8, 12)
  })

  it('counts the characters of tool schemas, since their tokens are counted', () => {
    const truth = 3.2
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'x'.repeat(6400) }] }]
    const tools = [{ name: 'edit', description: 'd'.repeat(1196), inputSchema: { description: 's'.repeat(8382) } }]
    const characters = requestCharacters({ messages, tools })
    const promptTokens = Math.round(characters / truth)
    const [ours, clio] = [createCalibration(), createCalibration()]
    for (let count = 0; count < 60; count += 1) {
      ours.observe({ model: 'm', characters, promptTokens })
      clio.observe({ model: 'm', characters: requestCharacters({ messages }), promptTokens })
    }
    expect(ours.ratio('m')).toBeCloseTo(truth, 3)
    // Without them the ratio falls to the bound, and twice as many tokens are expected as there are.
    expect(clio.ratio('m')).toBe(1.5)
    const expected = (ratio: number): number => estimateTokens(messages, { charsPerToken: ratio })
    expect([expected(truth), Math.abs(expected(ours.ratio('m')) - 2004) <= 1, expected(clio.ratio('m'))]).toEqual([
      2004,
      true,
      4271,
    ])
  })

  it('is restored from its state, and from the usable part of a damaged one', () => {
    const calibration = createCalibration()
    for (const model of ['m', '__proto__', 'constructor'])
      calibration.observe({ model, characters: 4000, promptTokens: 1000 })
    const restored = createCalibration(JSON.parse(JSON.stringify(calibration.state())))
    expect(['m', '__proto__', 'constructor', 'new'].map(restored.ratio)).toEqual([2.8, 2.8, 2.8, 2.5])
    expect(restored.state()).toEqual(calibration.state())
    for (const damaged of [null, 5, 'x', [], {}, { ratios: null }, { ratios: [1] }, { ratios: { m: 'x', n: null } }])
      expect(createCalibration(damaged).ratio('m')).toBe(2.5)
    expect(createCalibration({ ratios: { m: 99, n: 'x' } }).state()).toEqual({ ratios: { m: 5 } })
  })
})
