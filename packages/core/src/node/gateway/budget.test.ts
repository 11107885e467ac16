import { describe, expect, it } from '@jest/globals'
import { createInMemoryStore } from '../../in-memory/index.ts'
import { nanoFromUsd } from '../../money.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { createBudget, type BudgetSpan } from './budget.ts'

const NOON = Date.UTC(2026, 2, 31, 12)
const bill = (usd: number, at = NOON): RequestFact => ({
  callId: `call-${usd}-${at}`,
  at,
  model: 'm',
  inputTokens: 1,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 1,
  costNano: nanoFromUsd(usd),
  costState: 'recorded',
})

const budgetOver = (span: BudgetSpan, limitUsd: number, workspace?: string) => {
  const store = createInMemoryStore()
  let now = NOON
  const budget = createBudget({ limitUsd, span, timeZone: 'Asia/Tokyo', workspace, usage: store.usage, now: () => now })
  /** Spent by somebody else. */
  const spent = async (usd: number, at: number, folder = '/code/a'): Promise<void> => {
    const facts = { id: `pi:${folder}:${at}`, agent: 'pi', externalId: `${folder}:${at}`, workspace: folder }
    await store.sessions.append(facts, 0, [{ entry: { kind: 'model', at, model: 'm' }, request: bill(usd, at) }])
  }
  return { store, budget, spent, goTo: (at: number) => (now = at) }
}
const WRITTEN = Promise.resolve()
const NEVER = new Promise<never>(() => undefined)

describe('a budget', () => {
  it('lasts until as much is spent, whether the store has it yet or not', async () => {
    const { budget } = budgetOver('run', 1)
    budget.spend(bill(0.4), WRITTEN)
    budget.spend(bill(0.59), NEVER)
    expect(await budget.refusal()).toBeUndefined()
    budget.spend(bill(0.01), NEVER)
    expect(await budget.refusal()).toMatchObject({ status: 402, isRetryable: false })
  })

  it('of a day counts what others spend on it, where the user is', async () => {
    const { budget, spent, goTo } = budgetOver('day', 2)
    // The evening before, at noon and an hour before midnight in Tokyo.
    await spent(50, Date.UTC(2026, 2, 30, 14, 59))
    await spent(1.5, Date.UTC(2026, 2, 31, 3))
    expect(await budget.refusal()).toBeUndefined()
    await spent(0.5, Date.UTC(2026, 2, 31, 14))
    goTo(NOON + 6_000)
    expect((await budget.refusal())?.message).toMatch(/\$2\.00 of the budget of \$2\.00 for 2026-03-31 is spent/)
    goTo(Date.UTC(2026, 2, 31, 15))
    expect(await budget.refusal()).toBeUndefined()
  })

  it('of a day keeps a bill that could not be written for that day alone', async () => {
    const { budget, goTo } = budgetOver('day', 2)
    budget.spend(bill(2), Promise.reject(new Error('the disk is full')))
    expect(await budget.refusal()).toMatchObject({ status: 402 })
    goTo(NOON + 86_400_000)
    expect(await budget.refusal()).toBeUndefined()
    budget.spend(bill(1.5), NEVER)
    expect(await budget.refusal()).toBeUndefined()
    budget.spend(bill(0.5), NEVER)
    expect(await budget.refusal()).toMatchObject({ status: 402 })
  })

  it('counts a bill that is written while the store is asked', async () => {
    const store = createInMemoryStore()
    let written: () => void = () => undefined
    const usage = {
      report: async (query: Parameters<typeof store.usage.report>[0]) => {
        const report = await store.usage.report(query)
        const facts = { id: 'pi:a', agent: 'pi', externalId: 'a', workspace: '/code/a' }
        await store.sessions.append(facts, 0, [{ entry: { kind: 'model', at: NOON, model: 'm' }, request: bill(2) }])
        written()
        await new Promise(setImmediate)
        return report
      },
    }
    const budget = createBudget({
      limitUsd: 2,
      span: 'day',
      timeZone: 'UTC',
      workspace: undefined,
      usage,
      now: () => NOON,
    })
    budget.spend(bill(2), new Promise<void>((resolve) => (written = resolve)))
    expect(await budget.refusal()).toMatchObject({ status: 402 })
  })

  it('of a month is of one project where one is named', async () => {
    const { budget, spent } = budgetOver('month', 3, '/code/b')
    await spent(9, NOON - 1, '/code/a')
    expect(await budget.refusal()).toBeUndefined()
    await spent(4, NOON - 2, '/code/b')
    const again = budgetOver('month', 3, '/code/b')
    await again.spent(4, NOON - 2, '/code/b')
    expect((await again.budget.refusal())?.message).toContain('for 2026-03 for /code/b is spent')
  })

  it('counts what could not be written', async () => {
    const { budget } = budgetOver('month', 1)
    budget.spend(bill(1), Promise.reject(new Error('full')))
    await new Promise((resolve) => setImmediate(resolve))
    expect(await budget.refusal()).toBeDefined()
  })
})
