import { expect, it } from '@jest/globals'
import { spreadLosses } from './spread.ts'

const losses = (scores: readonly number[], session = scores.map(() => 0)) => [...spreadLosses({ rows: scores.length, session: Int32Array.from(session) }, Float64Array.from(scores))]

it('leaves the first four as they are', () => {
  expect(losses([4, 5, 6, 7])).toEqual([0, 0, 0, 0])
})

it('takes off what stands beside better ones, for each of them', () => {
  const [, , , , beside = 0, far = 0, other = 0] = losses([9, 9, 9, 9, 1, 1, 1], [0, 0, 0, 0, 0, 1, 2])
  expect(beside).toBeCloseTo(0.95 ** 3 - 1)
  expect([far, other]).toEqual([0, 0])
})

it('never makes a score negative or greater, and nothing of nothing', () => {
  const scores = Array.from({ length: 400 }, (_, row) => (row * 7919) % 101)
  losses(scores).forEach((loss, row) => {
    expect(loss).toBeLessThanOrEqual(0)
    expect((scores[row] ?? 0) + loss).toBeGreaterThanOrEqual(0)
  })
  expect(losses([])).toEqual([])
})
