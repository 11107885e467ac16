import { createRateLimiter } from './rate-limit.ts'

describe('a rate limit', () => {
  it('grants a burst at once, then so many a second, each name on its own', () => {
    let now = 0
    const limiter = createRateLimiter({ perSecond: 2, burst: 3 }, () => now)
    const taken = (name: string, times: number): number =>
      Array.from({ length: times }, () => limiter.take(name)).filter(Boolean).length
    expect(taken('a', 10)).toBe(3)
    expect(taken('b', 10)).toBe(3)
    now = 1_000
    expect(taken('a', 10)).toBe(2)
    now = 1_000_000
    expect(taken('a', 10)).toBe(3)
  })

  it('takes nothing for what it refuses, so that trying goes on to be free', () => {
    let now = 0
    const limiter = createRateLimiter({ perSecond: 1, burst: 5 }, () => now)
    expect(limiter.take('a', 6)).toBe(false)
    expect(limiter.take('a', 5)).toBe(true)
    for (let times = 0; times < 100; times += 1) expect(limiter.take('a')).toBe(false)
    now = 1_000
    expect(limiter.take('a')).toBe(true)
  })

  it('drains what there is, and no more', () => {
    let now = 0
    const limiter = createRateLimiter({ perSecond: 1, burst: 5 }, () => now)
    limiter.drain('a', 100)
    expect(limiter.take('a')).toBe(false)
    now = 1_000
    expect(limiter.take('a')).toBe(true)
  })

  it('forgets who asked longest ago, so that names can’t fill the memory', () => {
    const limiter = createRateLimiter({ perSecond: 0.001, burst: 1 }, () => 0)
    expect(limiter.take('first')).toBe(true)
    expect(limiter.take('first')).toBe(false)
    for (let name = 0; name < 20_000; name += 1) limiter.take(`name ${name}`)
    expect(limiter.take('first')).toBe(true)
    expect(limiter.take('name 19999')).toBe(false)
  })
})
