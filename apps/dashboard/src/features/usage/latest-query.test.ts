import { createInMemoryStore } from '@cairn/core/testing'
import { latestUsage } from './latest-query.ts'
import type { SelectionInput } from '../selection/selection-input.ts'

const NOW = Date.parse('2026-05-05T12:00:00Z')
const DAY_MS = 86_400_000
const selection: SelectionInput = { period: '30d', timeZone: 'UTC', filter: {} }

const storeWith = async (...times: readonly (number | null)[]) => {
  const store = createInMemoryStore()
  await store.sessions.append(
    { id: 'x:1', agent: 'x', externalId: '1' },
    0,
    times.map((at, index) => ({
      entry: { kind: 'message', at, role: 'assistant', id: String(index), content: [] },
      externalId: String(index),
      request: {
        callId: String(index),
        at,
        model: `model ${index}`,
        inputTokens: 1,
        cacheReadTokens: 0,
        cacheWrite5mTokens: 0,
        cacheWrite1hTokens: 0,
        outputTokens: 1,
        costNano: 1n,
        costState: 'recorded',
      },
    })),
  )
  return store
}

describe('the latest usage', () => {
  it.each([
    [0, 'today'],
    [1, '7d'],
    [6, '7d'],
    [7, '30d'],
    [30, '90d'],
    [90, '1y'],
    [364, '1y'],
    [365, 'all'],
  ] as const)('of %i days ago is in the shortest span that holds it: %s', async (days, period) => {
    const store = await storeWith(NOW - days * DAY_MS)
    expect(await latestUsage(store.usage, selection, NOW)).toEqual({
      period,
      day: new Date(NOW - days * DAY_MS).toISOString().slice(0, 10),
    })
  })

  it('matches the filters, and ignores unknown and future times', async () => {
    const store = await storeWith(NOW - 200 * DAY_MS, NOW - 3 * DAY_MS, null, NOW + 9 * DAY_MS)
    expect((await latestUsage(store.usage, selection, NOW)).period).toBe('7d')
    const of = async (model: string) =>
      (await latestUsage(store.usage, { ...selection, filter: { model } }, NOW)).period
    expect([await of('model 0'), await of('model 2'), await of('model 3'), await of('none')]).toEqual([
      '1y',
      'all',
      'all',
      null,
    ])
  })
})
