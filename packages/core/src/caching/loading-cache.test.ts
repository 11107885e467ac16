import { describe, expect, it } from '@jest/globals'
import { LoadingCache } from './loading-cache.ts'
import { MemoryBudget } from './memory-budget.ts'

/** A cache over texts; `asked` has the keys of each read, which waits until `answer` is called. */
const texts = (stored: Record<string, string>, budget = new MemoryBudget(1_000)) => {
  const asked: string[][] = []
  const waiting: (() => void)[] = []
  const cache = new LoadingCache<string, string, string>({
    name: 'texts',
    budget,
    mostBytes: 500,
    sizeOf: (text) => text.length,
    read: async (keys) => {
      asked.push([...keys])
      await new Promise<void>((resolve) => waiting.push(resolve))
      return new Map(keys.flatMap((key) => (stored[key] === undefined ? [] : [[key, stored[key]] as const])))
    },
    open: (text) => {
      if (text === 'damaged') throw new RangeError('damaged')
      return text.toUpperCase()
    },
  })
  const answer = (): void => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  return { cache, asked, answer, figures: () => budget.figures.caches[0] }
}

const keys = (...names: string[]): ReadonlySet<string> => new Set(names)

describe('a cache that loads', () => {
  it('reads once what many ask for at the same time, and not again', async () => {
    const { cache, asked, answer, figures } = texts({ a: 'one', b: 'two', c: 'three' })
    const answers = [cache.get(keys('a', 'b')), cache.get(keys('b', 'c')), cache.get(keys('a'))]
    answer()
    expect((await Promise.all(answers)).map((found) => [...found].sort())).toEqual([
      [
        ['a', 'ONE'],
        ['b', 'TWO'],
      ],
      [
        ['b', 'TWO'],
        ['c', 'THREE'],
      ],
      [['a', 'ONE']],
    ])
    expect((await cache.get(keys('a', 'c'))).size).toBe(2)
    expect(asked).toEqual([['a', 'b'], ['c']])
    expect(figures()).toMatchObject({ entries: 3, hits: 2, misses: 3, shared: 2, promotions: 0, bytes: 11 })
  })

  it('leaves out what there is nothing of, and asks again for it', async () => {
    const stored: Record<string, string> = { a: 'one' }
    const { cache, asked, answer } = texts(stored)
    const first = cache.get(keys('a', 'z'))
    answer()
    expect([...(await first).keys()]).toEqual(['a'])
    stored['z'] = 'late'
    const second = cache.get(keys('a', 'z'))
    answer()
    expect((await second).get('z')).toBe('LATE')
    expect(asked).toEqual([['a', 'z'], ['z']])
  })

  it('fails only for those who asked for what is damaged, and tries again', async () => {
    const stored: Record<string, string> = { good: 'good', bad: 'damaged' }
    const { cache, asked, answer } = texts(stored)
    const both = cache.get(keys('bad', 'good'))
    const good = cache.get(keys('good'))
    answer()
    await expect(both).rejects.toThrow('damaged')
    expect((await good).get('good')).toBe('GOOD')
    stored['bad'] = 'mended'
    const again = cache.get(keys('bad', 'good'))
    answer()
    expect((await again).get('bad')).toBe('MENDED')
    expect(asked).toEqual([['bad', 'good'], ['bad']])
  })

  it('keeps nothing that was on its way when it was cleared or closed', async () => {
    const budget = new MemoryBudget(1_000)
    const stored: Record<string, string> = { a: 'one' }
    const { cache, asked, answer } = texts(stored, budget)
    const before = cache.get(keys('a'))
    cache.clear()
    const after = cache.get(keys('a'))
    answer()
    expect([(await before).get('a'), (await after).get('a')]).toEqual(['ONE', 'ONE'])
    expect(asked).toEqual([['a'], ['a']])
    expect(budget.figures).toMatchObject({ usedBytes: 3, caches: [{ shared: 0, entries: 1 }] })
    cache.clear()
    const last = cache.get(keys('a'))
    cache.close()
    answer()
    expect((await last).get('a')).toBe('ONE')
    expect(budget.figures.usedBytes).toBe(0)
  })
})
