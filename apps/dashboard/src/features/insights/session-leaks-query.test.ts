import { describe, expect, it } from '@jest/globals'
import type { LeakReport } from '@cairn/core/insights'
import { emptyTotals } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { LONG_SESSION, addLongSession } from '../../../e2e/sample-session.ts'
import { createSessionLeaks } from './session-leaks-query.ts'

const setup = async (entries: number) => {
  const store = createInMemoryStore()
  await addLongSession(store, entries, Date.parse('2026-05-05T12:00:00Z'))
  let [time, finds] = [0, 0]
  const insights = {
    leaks: async (): Promise<LeakReport> => {
      finds += 1
      time += 700
      return { total: { ...emptyTotals, requests: finds }, leakedNano: 0n, leaks: [] }
    },
  }
  const leaksOf = createSessionLeaks(() => time)
  const grow = () =>
    store.sessions.append({ id: LONG_SESSION, agent: 'claude-code', externalId: 'long/../session?#1' }, 'end', [
      { entry: { kind: 'notice', at: null, level: 'info', text: 'more' } },
    ])
  return {
    grow,
    pass: (ms: number) => (time += ms),
    finds: () => finds,
    ask: async () => (await leaksOf(store.sessions, insights, LONG_SESSION)).againInMs,
  }
}

describe('the leaks of a session', () => {
  it('of a long one are found again only after a while, and say when', async () => {
    const { ask, grow, pass, finds } = await setup(2_000)
    expect(await ask()).toBeNull()
    await grow()
    // Twenty times what it took.
    expect(await ask()).toBe(14_000)
    pass(13_999)
    expect(await ask()).toBe(1)
    expect(finds()).toBe(1)
    pass(1)
    expect(await ask()).toBeNull()
    expect(finds()).toBe(2)
  })

  it('of one that has not grown are asked for at once', async () => {
    const { ask, finds } = await setup(2_000)
    expect([await ask(), await ask()]).toEqual([null, null])
    // What the engine found in it stays in its memory.
    expect(finds()).toBe(2)
  })

  it('of a short one are found at each write', async () => {
    const { ask, grow, finds } = await setup(200)
    await ask()
    await grow()
    expect(await ask()).toBeNull()
    expect(finds()).toBe(2)
  })
})
