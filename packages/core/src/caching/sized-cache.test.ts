import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { MemoryBudget } from './memory-budget.ts'
import { SizedCache } from './sized-cache.ts'

const cacheIn = (
  budget: MemoryBudget,
  name: string,
  mostBytes = 1_000,
  removed: string[] = [],
  onceBytes = mostBytes,
) =>
  new SizedCache<string, string>({
    name,
    budget,
    mostBytes,
    onceBytes,
    sizeOf: (text) => text.length,
    onRemove: (text) => removed.push(text),
  })

const figuresOf = (budget: MemoryBudget) =>
  Object.fromEntries(
    budget.figures.caches.map(({ name, entries, bytes, evictions, refusals }) => [
      name,
      { entries, bytes, evictions, refusals },
    ]),
  )

describe('caches that share a budget', () => {
  it('keep within it: what was used least recently goes, whichever of them holds it', () => {
    const budget = new MemoryBudget(10)
    const removed: string[] = []
    const packs = cacheIn(budget, 'packs', 100, removed)
    const pages = cacheIn(budget, 'pages', 100, removed)
    packs.set('a', 'aaaa')
    pages.set('b', 'bbb')
    packs.set('c', 'cc')
    expect(packs.get('a')).toBe('aaaa')
    // Needs 5 of 10, of which 9 are used: b goes first, then c.
    pages.set('d', 'ddddd')
    expect(removed).toEqual(['bbb', 'cc'])
    expect([packs.get('a'), pages.get('b'), packs.get('c'), pages.get('d')]).toEqual([
      'aaaa',
      undefined,
      undefined,
      'ddddd',
    ])
    expect(budget.figures.usedBytes).toBe(9)
    expect(figuresOf(budget)).toEqual({
      packs: { entries: 1, bytes: 4, evictions: 1, refusals: 0 },
      pages: { entries: 1, bytes: 5, evictions: 1, refusals: 0 },
    })
  })

  it('keep within their own limits', () => {
    const budget = new MemoryBudget(100)
    const small = cacheIn(budget, 'small', 6)
    for (const text of ['aaa', 'bb', 'cc']) small.set(text, text)
    expect([small.get('aaa'), small.get('bb'), small.get('cc')]).toEqual([undefined, 'bb', 'cc'])
  })

  it('refuse what is larger than a limit, and keep the rest', () => {
    const budget = new MemoryBudget(20)
    const cache = cacheIn(budget, 'c', 8)
    cache.set('a', 'aaa')
    expect(cache.set('b', 'b'.repeat(9))).toBe(false)
    expect(cacheIn(budget, 'large', 99).set('x', 'x'.repeat(21))).toBe(false)
    expect([cache.get('a'), cache.get('b')]).toEqual(['aaa', undefined])
    expect(figuresOf(budget)['c']).toEqual({ entries: 1, bytes: 3, evictions: 0, refusals: 1 })
  })

  it('lets an earlier value of a key go, also where the new one is refused', () => {
    const cache = cacheIn(new MemoryBudget(20), 'c', 8)
    cache.set('a', 'old')
    cache.set('a', 'x'.repeat(9))
    expect(cache.get('a')).toBe(undefined)
  })

  it('give everything back when they are closed, and their figures stay', () => {
    const budget = new MemoryBudget(20)
    for (const round of [1, 2]) {
      const cache = cacheIn(budget, 'c')
      cache.set('a', 'aaaa')
      cache.get('a')
      cache.get('z')
      cache.countShared()
      cache.close()
      cache.close()
      expect(budget.figures).toEqual({
        totalBytes: 20,
        usedBytes: 0,
        caches: [
          {
            name: 'c',
            entries: 0,
            bytes: 0,
            hits: round,
            misses: round,
            repeats: 0,
            shared: round,
            promotions: round,
            evictions: 0,
            refusals: 0,
          },
        ],
      })
    }
  })

  it('tell what they could not keep from what was never asked for before', () => {
    const budget = new MemoryBudget(20)
    const cache = cacheIn(budget, 'c', 8)
    for (const key of ['a', 'b', 'c']) {
      cache.get(key)
      cache.set(key, `${key}xx`)
    }
    cache.set('large', 'x'.repeat(9))
    for (const key of ['a', 'b', 'c', 'large', 'never']) cache.get(key)
    cache.delete('b')
    cache.get('b')
    const [figures] = budget.figures.caches
    expect(figures).toMatchObject({ hits: 2, misses: 7, repeats: 2 })
  })

  it('hold what is used again, however much is read once in the meantime', () => {
    const removed: string[] = []
    const cache = cacheIn(new MemoryBudget(100), 'c', 20, removed, 8)
    cache.set('a', 'aaaaa')
    expect(cache.get('a')).toBe('aaaaa')
    for (let index = 0; index < 40; index += 1) cache.set(`once ${index}`, `${index}`.padEnd(3))
    // Of what was used once there are two of 3 bytes: 8 is the limit.
    expect(cache.figures).toMatchObject({ entries: 3, bytes: 11, promotions: 1, evictions: 38 })
    expect(cache.get('a')).toBe('aaaaa')
    expect(removed.includes('aaaaa')).toBe(false)
  })

  it('promote nothing where first uses have no limit of their own', () => {
    const cache = new SizedCache<string, string>({
      name: 'c',
      budget: new MemoryBudget(100),
      mostBytes: 6,
      sizeOf: (text) => text.length,
    })
    for (const key of ['a', 'b', 'c', 'a']) {
      cache.set(key, `${key}xx`)
      expect(cache.get(key)).toBe(`${key}xx`)
    }
    // The last one had to go before, and is held again beside the newest of the others.
    expect(cache.figures).toMatchObject({ entries: 2, bytes: 6, promotions: 0, evictions: 2 })
    expect([cache.get('b'), cache.get('c')]).toEqual([undefined, 'cxx'])
  })

  it('promote at once what had to go and is read again, also what is too large for a first use', () => {
    const cache = cacheIn(new MemoryBudget(100), 'c', 20, [], 8)
    expect(cache.set('large', 'l'.repeat(12))).toBe(false)
    expect(cache.get('large')).toBe(undefined)
    expect(cache.set('large', 'l'.repeat(12))).toBe(true)
    for (const key of ['a', 'b', 'c']) cache.set(key, `${key}xx`)
    expect([cache.get('a'), cache.get('large')]).toEqual([undefined, 'l'.repeat(12)])
    cache.set('a', 'axx')
    // For it went b, the oldest of all.
    expect(cache.figures).toMatchObject({ entries: 3, bytes: 18, promotions: 2, evictions: 2, repeats: 2 })
    expect(['large', 'a', 'b', 'c'].map((key) => cache.get(key)?.length)).toEqual([12, 3, undefined, 3])
  })

  it('promote nothing of one pass after another over more than they hold', () => {
    const cache = cacheIn(new MemoryBudget(1_000), 'c', 20, [], 8)
    for (let pass = 0; pass < 3; pass += 1)
      for (let index = 0; index < 12; index += 1)
        if (cache.get(`${index}`) === undefined) cache.set(`${index}`, `${index}`.padEnd(4))
    expect(cache.figures).toMatchObject({ bytes: 8, promotions: 0, hits: 0, misses: 36, repeats: 24 })
    // Not more than they hold: from the second pass on it is there.
    const small = cacheIn(new MemoryBudget(1_000), 'small', 20, [], 8)
    for (let pass = 0; pass < 3; pass += 1)
      for (let index = 0; index < 4; index += 1)
        if (small.get(`${index}`) === undefined) small.set(`${index}`, `${index}`.padEnd(4))
    expect(small.figures).toMatchObject({ bytes: 16, promotions: 4, hits: 6, misses: 6, repeats: 2 })
  })

  it('demote what was promoted when that is what was used least recently', () => {
    const cache = cacheIn(new MemoryBudget(100), 'c', 12, [], 6)
    for (const key of ['a', 'b']) {
      cache.set(key, `${key}xxxx`)
      cache.get(key)
    }
    cache.set('c', 'cxxx')
    expect(['a', 'b', 'c'].map((key) => cache.get(key)?.length)).toEqual([undefined, 5, 4])
    // In its place again after it was replaced.
    cache.set('b', 'b')
    cache.set('d', 'dxxxxx')
    cache.set('e', 'exxxxx')
    expect(['b', 'c', 'd', 'e'].map((key) => cache.get(key)?.length)).toEqual([1, 4, undefined, 6])
  })

  it('hold nothing where the budget is nothing', () => {
    const cache = cacheIn(new MemoryBudget(0), 'c')
    expect(cache.set('a', 'a')).toBe(false)
    expect(() => new MemoryBudget(-1)).toThrow(RangeError)
    expect(() => new MemoryBudget(Number.NaN)).toThrow(RangeError)
  })

  it('never exceed it, and count what they hold, whatever is done with them', () => {
    const step = fc.record({
      cache: fc.nat(2),
      key: fc.nat(9),
      size: fc.nat(40),
      what: fc.constantFrom('set', 'get', 'delete'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.nat(60), (steps, total) => {
        const budget = new MemoryBudget(total)
        const caches = [10, 25, 1_000].map((most, index) => cacheIn(budget, `c${index}`, most, [], most / (index + 1)))
        for (const { cache: number, key, size, what } of steps) {
          const cache = caches[number]
          if (what === 'set') cache?.set(`${key}`, 'x'.repeat(size))
          else if (what === 'get') cache?.get(`${key}`)
          else cache?.delete(`${key}`)
          const { usedBytes, caches: figures } = budget.figures
          expect(usedBytes).toBeLessThanOrEqual(total)
          expect(usedBytes).toBe(figures.reduce((sum, { bytes }) => sum + bytes, 0))
        }
      }),
    )
  })
})
