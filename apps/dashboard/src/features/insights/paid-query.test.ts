import { describe, expect, it } from '@jest/globals'
import type { PaidReport, ProjectPlans } from '@cairn/core/insights'
import { createInMemoryStore } from '@cairn/core/testing'
import { createPaid } from './paid-query.ts'

const report: PaidReport = {
  rows: [],
  total: { requests: 0, unpricedRequests: 0, equivalentNano: 0n, paidNano: 0n, savedNano: 0n },
}
const discount = { provider: 'openai', percent: 10, firstDay: null, lastDay: null, agents: null }
const max = {
  provider: 'anthropic',
  name: 'Max',
  monthlyNano: 100n,
  firstDay: 1,
  lastDay: null,
  agents: null,
  people: null,
  machines: null,
}

const setup = (takesMs: number) => {
  let [time, finds] = [0, 0]
  let plans: readonly ProjectPlans[] = [{ project: null, subscriptions: [max], discounts: [] }]
  const insights = {
    paid: async () => {
      finds += 1
      time += takesMs
      return report
    },
  }
  const { usage } = createInMemoryStore()
  const paid = createPaid(
    () => plans,
    () => time,
  )
  return {
    ask: async (timeZone = 'UTC') => (await paid(usage, insights, { timeZone })).againInMs,
    askOther: async () => (await paid(createInMemoryStore().usage, insights, { timeZone: 'UTC' })).againInMs,
    finds: () => finds,
    pass: (ms: number) => (time += ms),
    set: (some: readonly ProjectPlans[]) => (plans = some),
  }
}

describe('what is paid for a selection', () => {
  it('is not looked for where nothing is set', async () => {
    const { ask, finds, set } = setup(1)
    set([])
    expect([await ask(), finds()]).toEqual([null, 0])
  })

  it('is found each time while that is quick', async () => {
    const { ask, finds } = setup(249)
    expect([await ask(), await ask(), finds()]).toEqual([null, null, 2])
  })

  it('is kept where it took long, for twenty times as long, and says when it is found again', async () => {
    const { ask, finds, pass } = setup(700)
    expect(await ask()).toBeNull()
    expect(await ask()).toBe(14_000)
    pass(13_999)
    expect([await ask(), finds()]).toEqual([1, 1])
    pass(1)
    expect([await ask(), finds()]).toEqual([null, 2])
  })

  it('is found anew for another selection, store or setting', async () => {
    const { ask, askOther, finds, set } = setup(700)
    await ask()
    expect([await ask('Asia/Tokyo'), await askOther(), finds()]).toEqual([null, null, 3])
    set([{ project: null, subscriptions: [max], discounts: [discount] }])
    expect([await ask(), finds()]).toEqual([null, 4])
  })
})
