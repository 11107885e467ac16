import { describe, expect, it } from '@jest/globals'
import { fittingCount, isPruningDue, keptByAgeAndCount } from './pruning.ts'

const DAY = 86_400_000
const NOW = 1_000 * DAY
const aged = (...days: readonly number[]) => days.map((age) => ({ at: NOW - age * DAY }))
const limits = { maximumAgeDays: 30, maximumCount: 3, maximumBytes: 100 }

describe('Pruning', () => {
  it('keeps what age and count allow, and the newest always', () => {
    expect(keptByAgeAndCount(aged(1, 5, 29, 30, 31), limits, NOW)).toEqual(aged(1, 5, 29))
    expect(keptByAgeAndCount(aged(30, 31), limits, NOW)).toEqual(aged(30))
    expect(keptByAgeAndCount(aged(400, 500), limits, NOW)).toEqual(aged(400))
    expect(keptByAgeAndCount([], limits, NOW)).toEqual([])
  })

  it.each([
    [[10, 20, 30], 100, 3],
    [[10, 60, 101], 100, 2],
    [[500, 600, 700], 100, 1],
    [[10, 20, 30, 40, 50, 60, 70, 101, 200, 300], 100, 7],
    [[], 100, 0],
  ])('of snapshots that take %j together keeps those that fit into %i', async (taken, maximum, expected) => {
    expect(await fittingCount(taken.length, maximum, async (newest) => taken[newest - 1] ?? 0)).toBe(expected)
  })

  it('asks for few sizes, whatever the count', async () => {
    let asked = 0
    const bytesOf = async (newest: number): Promise<number> => {
      asked += 1
      return newest
    }
    expect(await fittingCount(500, 123, bytesOf)).toBe(123)
    expect(asked).toBeLessThan(12)
  })

  it('is due well beyond the limits only', () => {
    const isDue = (newestFirst: readonly { readonly at: number }[], bytesOnDisk = 0): boolean =>
      isPruningDue({ newestFirst, bytesOnDisk }, { ...limits, maximumCount: 12 }, NOW)
    const many = (count: number) => aged(...Array.from({ length: count }, (_, index) => index / 2))
    expect([isDue(many(13)), isDue(many(14))]).toEqual([false, true])
    expect([isDue(aged(32)), isDue(aged(34)), isDue([])]).toEqual([false, true, false])
    expect([isDue(many(10), 110), isDue(many(10), 111), isDue(many(9), 1_000)]).toEqual([false, true, false])
  })
})
