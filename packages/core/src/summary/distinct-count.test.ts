import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { SAMPLE_SIZE, distinctCount, distinctSample, uniteSamples } from './distinct-count.ts'

const keys = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `src/file-${from + index}.ts`)

it('is exact below the size of the sample', () => {
  expect(distinctCount(distinctSample([...keys(0, 100), ...keys(50, 120)]))).toBe(120)
})

it.each([200, 1000, 20_000])('is close enough for %d distinct values', (count) => {
  const estimate = distinctCount(distinctSample(keys(0, count)))
  expect(Math.abs(estimate - count) / count).toBeLessThan(0.2)
})

it('samples merge to the sample of the union, in any order', () => {
  const some = fc.array(fc.nat(1000).map(String), { maxLength: 300, size: 'max' })
  fc.assert(
    fc.property(some, some, some, (a, b, c) => {
      const whole = distinctSample([...a, ...b, ...c])
      expect(whole.length).toBeLessThanOrEqual(SAMPLE_SIZE)
      expect(uniteSamples(uniteSamples(distinctSample(a), distinctSample(b)), distinctSample(c))).toEqual(whole)
      expect(uniteSamples(distinctSample(c), uniteSamples(distinctSample(b), distinctSample(a)))).toEqual(whole)
    }),
  )
})
