/** What programs measure of a store, and the budget that its caches keep within. */
import { describe, expect, it } from '@jest/globals'
import { MemoryBudget } from '@cairn/core'
import type { EntryWrite, HealthSample, Store } from '@cairn/core'
import { openStore } from '../open-store.ts'
import { temporaryStores } from '../testing/temporary-stores.ts'
import { budgetBytesOf, defaultBudgetBytes } from './process-budget.ts'

const MEGABYTE = 1024 * 1024
const { newAddress } = temporaryStores()

const WORDS = ['walrus', 'otter', 'zebra', 'heron', 'badger', 'lynx', 'osprey']
const write = (session: number, index: number): EntryWrite => ({
  entry: {
    kind: 'message',
    id: `m${index}`,
    at: 1_700_000_000_000 + index,
    role: 'user',
    content: [
      {
        type: 'text',
        text: `${WORDS[(session * 3 + index) % WORDS.length]} ${session} ${index} ${`text ${session} ${index} `.repeat(20 + 9 * index)}`,
      },
    ],
  },
})

const fill = async (store: Store, sessions: number): Promise<void> => {
  for (let session = 0; session < sessions; session += 1) {
    const facts = {
      id: `cairn:${session}`,
      agent: 'cairn',
      externalId: `${session}`,
      workspace: `/work/${session % 3}`,
    }
    await store.sessions.append(
      facts,
      0,
      Array.from({ length: 12 }, (_, index) => write(session, index)),
    )
  }
}

const answersOf = async (store: Store, sessions: number) => {
  const answers: unknown[] = []
  for (const round of [1, 2])
    for (const word of WORDS) {
      answers.push(round, await store.search.search({ text: word, limit: 5 }))
      answers.push(await store.search.search({ text: word, workspace: '/work/1', limit: 5 }))
    }
  for (let session = 0; session < sessions; session += 1) answers.push(await store.sessions.read(`cairn:${session}`))
  return answers
}

const countOf = (samples: readonly HealthSample[], what: 'writes' | 'batches'): number =>
  samples.reduce((sum, sample) => sum + Object.values(sample[what]).reduce((count, each) => count + each, 0), 0)

describe.each(newAddress)('the health of a store on %s', (_, newStore) => {
  it('counts the writes of all programs, and is there for the next one', async () => {
    const address = await newStore()
    const [first, second] = [await openStore(address), await openStore(address)]
    await fill(first, 5)
    const now = Math.floor(Date.now() / 900_000) - 1
    // Not stored yet, and known to this program.
    expect(countOf(await first.health.since(now), 'writes')).toBe(5)
    expect(countOf(await second.health.since(now), 'writes')).toBe(0)
    await second.sessions.append({ id: 'cairn:x', agent: 'cairn', externalId: 'x' }, 0, [write(9, 1)])
    await Promise.all([first.close(), second.close()])
    const third = await openStore(address)
    expect(countOf(await third.health.since(now), 'writes')).toBe(6)
    await third.purge()
    expect(countOf(await third.health.since(now), 'writes')).toBeLessThanOrEqual(1)
    await third.close()
  })

  it('says what each table takes', async () => {
    const store = await openStore(await newStore())
    await fill(store, 20)
    const sizes = await store.health.tableSizes()
    const names = sizes.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['entry', 'pack', 'search_tail', 'session', 'clean_up']))
    expect(new Set(names).size).toBe(names.length)
    expect(sizes.map(({ bytes }) => bytes)).toEqual(sizes.map(({ bytes }) => bytes).sort((left, right) => right - left))
    const sum = sizes.reduce((all, { bytes }) => all + bytes, 0)
    expect(sum).toBeGreaterThan(50_000)
    expect(sum).toBeLessThanOrEqual((await store.statistics()).totalBytes)
    await store.close()
  })

  it('is not written by a program that only reads', async () => {
    const address = await newStore()
    const writer = await openStore(address)
    await fill(writer, 2)
    await writer.close()
    const before = await openStore(address)
    const stored = await before.health.since(0)
    let changes = 0
    const stop = before.onChange(() => (changes += 1))
    const reader = await openStore(address)
    await reader.search.search({ text: 'walrus' })
    await reader.sessions.read('cairn:0')
    await reader.close()
    stop()
    expect((await before.health.since(0)).map(({ writes, caches }) => [writes, Object.keys(caches)])).toEqual(
      stored.map(({ writes, caches }) => [writes, Object.keys(caches)]),
    )
    expect(changes).toBeLessThanOrEqual(1)
    await before.close()
  })

  it.each([
    ['no', 0],
    ['too little', 40_000],
  ])('does not depend on its caches: %s memory gives the same answers', async (_name, bytes) => {
    const address = await newStore()
    const indexSizes = { tailMessages: 8, tailBytes: 10_000, merge: 4, largestBytes: MEGABYTE }
    const usual = await openStore(address, { indexSizes })
    await fill(usual, 15)
    await usual.close()
    const large = new MemoryBudget(64 * MEGABYTE)
    const small = new MemoryBudget(bytes)
    const [rich, poor] = [
      await openStore(address, { memoryBudget: large }),
      await openStore(address, { memoryBudget: small }),
    ]
    expect(await answersOf(poor, 15)).toEqual(await answersOf(rich, 15))
    expect(small.figures.usedBytes).toBeLessThanOrEqual(bytes)
    const given = (budget: MemoryBudget, what: 'hits' | 'evictions' | 'refusals'): number =>
      budget.figures.caches.reduce((sum, cache) => sum + cache[what], 0)
    expect(given(small, 'evictions') + given(small, 'refusals')).toBeGreaterThan(0)
    expect(given(large, 'evictions') + given(large, 'refusals')).toBe(0)
    expect(given(large, 'hits')).toBeGreaterThan(given(small, 'hits'))
    await Promise.all([rich.close(), poor.close()])
    expect([large.figures.usedBytes, small.figures.usedBytes]).toEqual([0, 0])
  })
})

describe('the budget of a process', () => {
  it('is a part of the memory that the machine or container has, within limits', () => {
    const gigabyte = 1024 * MEGABYTE
    expect([64, 4, 0.5].map((size) => defaultBudgetBytes(size * gigabyte, 0) / MEGABYTE)).toEqual([256, 128, 32])
    expect(defaultBudgetBytes(64 * gigabyte, 2 * gigabyte) / MEGABYTE).toBe(64)
    // What Node says where there is no limit.
    expect(defaultBudgetBytes(4 * gigabyte, 2 ** 64) / MEGABYTE).toBe(128)
  })

  it('is the number of megabytes in CAIRN_MEMORY_MB, which is refused when it is none', () => {
    expect([budgetBytesOf('48'), budgetBytesOf('0'), budgetBytesOf('')]).toEqual([
      48 * MEGABYTE,
      0,
      defaultBudgetBytes(),
    ])
    for (const value of ['-1', '1.5', '1e3', 'much', '99999'])
      expect(() => budgetBytesOf(value)).toThrow(`CAIRN_MEMORY_MB is '${value}'; it takes whole megabytes`)
  })
})
