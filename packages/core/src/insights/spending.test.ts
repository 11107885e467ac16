import { describe, expect, it } from '@jest/globals'
import { createInMemoryStore, createTestClock } from '../testing/index.ts'
import { blocksOf } from './blocks.ts'
import { START, book, conversation } from './conversation.fixture.ts'
import { createInsights } from './create-insights.ts'
import { budgetOf, forecastOf, medianOf, unusualDays, type DayCost } from './forecast.ts'

const USD = 1_000_000_000n
const day = (number: number, usd: number): DayCost => ({ day: number, costNano: BigInt(usd) * USD })
const HOUR = 3_600_000

describe('forecastOf', () => {
  const january = { name: '2026-01', first: 100, next: 131 }

  it('adds the mean of all days so far for each day left, days without requests included', () => {
    // 12 days are over since day 96, five of them had requests; today is the 13th.
    const days = [day(96, 6), day(98, 4), day(101, 10), day(104, 13), day(105, 3), day(108, 9)]
    const forecast = forecastOf(days, 108, january)
    expect(forecast).toMatchObject({
      month: '2026-01',
      spentNano: 35n * USD,
      daysLeft: 22,
      perDayNano: 3n * USD,
      totalNano: (35n + 66n) * USD,
    })
    if (forecast.isUncertain) throw new Error('Five days are enough.')
    expect(forecast.lowNano).toBeGreaterThanOrEqual(35n * USD)
    expect(forecast.lowNano).toBeLessThan(forecast.totalNano)
    expect(forecast.highNano).toBeGreaterThan(forecast.totalNano)
  })

  it('has no band where all days cost the same, and none left on the last day', () => {
    const same = [100, 101, 102, 103, 104].map((number) => day(number, 4))
    expect(forecastOf([...same, day(105, 1)], 105, january)).toMatchObject({
      totalNano: (21n + 25n * 4n) * USD,
      lowNano: (21n + 25n * 4n) * USD,
      highNano: (21n + 25n * 4n) * USD,
    })
    expect(forecastOf(same, 130, january)).toMatchObject({ daysLeft: 0, totalNano: 20n * USD, highNano: 20n * USD })
  })

  it('has what was spent and no figure of what comes where too few days had requests', () => {
    const none = { isUncertain: true, perDayNano: null, totalNano: null, lowNano: null, highNano: null }
    expect(forecastOf([], 120, january)).toEqual({
      ...none,
      month: '2026-01',
      spentNano: 0n,
      daysLeft: 10,
      activeDays: 0,
    })
    const four = [day(88, 70), day(101, 2), day(102, 11), day(119, 5), day(120, 300)]
    expect(forecastOf(four, 120, january)).toMatchObject({ ...none, spentNano: 318n * USD, activeDays: 4 })
    expect(forecastOf([day(87, 1), ...four], 120, january)).toMatchObject({
      isUncertain: false,
      spentNano: 318n * USD,
      perDayNano: (89n * USD + 16n) / 33n,
    })
  })

  it('says on how many days with requests it stands', () => {
    const days = [90, 95, 99, 101, 104].map((number, index) => day(number, 1 + 7 * index))
    const facts = (some: readonly DayCost[], today: number) => {
      const { activeDays, isUncertain } = forecastOf(some, today, january)
      return [activeDays, isUncertain]
    }
    expect(facts([day(120, 3)], 120)).toEqual([1, true])
    expect(facts([day(119, 9), day(120, 3)], 120)).toEqual([1, true])
    expect(facts(days.slice(0, 4), 120)).toEqual([4, true])
    expect(facts(days, 120)).toEqual([5, false])
    // Today is not over: it is none of them.
    expect(facts([...days.slice(1), day(120, 50)], 120)).toEqual([4, true])
    expect(facts([], 120)).toEqual([0, true])
  })

  it('warns before a budget is spent, and takes exactly the limit as within it', () => {
    const forecast = forecastOf(
      [100, 101, 102, 103, 104, 105].map((number) => day(number, 10)),
      105,
      january,
    )
    expect(forecast.totalNano).toBe(310n * USD)
    expect([310, 309, 60, 59].map((limit) => budgetOf(forecast, limit).state)).toEqual([
      'ok',
      'warning',
      'warning',
      'exceeded',
    ])
  })

  it('warns of no budget without a forecast, and still says when it is spent', () => {
    const forecast = forecastOf([day(100, 10), day(101, 10), day(102, 10)], 102, january)
    expect(forecast.totalNano).toBeNull()
    expect([310, 30.01, 30, 29.99, 0.01].map((limit) => budgetOf(forecast, limit).state)).toEqual([
      'ok',
      'ok',
      'ok',
      'exceeded',
      'exceeded',
    ])
  })
})

describe('unusualDays', () => {
  const usual = [4, 5, 3, 6, 4, 5].map((usd, index) => day(10 + 2 * index, usd))
  const names = (days: readonly DayCost[], from = 0) => unusualDays(days, from, String).map((found) => found.day)

  it('finds a day above three medians and all of the days before', () => {
    expect(names([...usual, day(30, 14)])).toEqual(['30'])
    expect(names([...usual, day(30, 13)])).toEqual([])
    expect(names([...usual, day(24, 20), day(30, 19)])).toEqual(['24'])
    expect(names([...usual, day(24, 20), day(30, 40)], 25)).toEqual(['30'])
  })

  it('tells nothing from few days', () => {
    expect(names([day(1, 1), day(2, 1), day(3, 1), day(4, 1), day(5, 100)])).toEqual([])
  })

  it('knows medians', () => {
    expect([medianOf([]), medianOf([7n]), medianOf([9n, 1n, 4n]), medianOf([9n, 1n, 4n, 2n])]).toEqual([0n, 7n, 4n, 3n])
  })
})

describe('blocksOf', () => {
  const at = (hours: number, cost = 1n) => ({ at: START + hours * HOUR, tokens: 1_000, costNano: cost })

  it('begins at the full hour, and ends five hours later or after five hours without a request', () => {
    const found = blocksOf([at(0.5), at(4.9), at(5.1), at(11), at(17)], START + 17.5 * HOUR)
    expect(found.map(({ start, requests }) => [(start - START) / HOUR, requests])).toEqual([
      [0, 2],
      [5, 1],
      [11, 1],
      [17, 1],
    ])
    expect(found.map(({ isActive }) => isActive)).toEqual([false, false, false, true])
  })

  it('burns what was spent between the first and the last request', () => {
    const [block] = blocksOf([at(0.25, 3n * USD), at(2.25, 5n * USD)], START + 3 * HOUR)
    expect(block).toMatchObject({
      costNano: 8n * USD,
      tokens: 2_000,
      isActive: true,
      burn: { costNanoPerHour: 4n * USD, tokensPerMinute: 2_000 / 120 },
    })
    expect(blocksOf([at(0.25)], START + 6 * HOUR)).toMatchObject([{ burn: null, isActive: false }])
  })

  it('has no rate for requests less than ten minutes apart', () => {
    const burnOver = (ms: number) => {
      const requests = [at(0, 7n * USD), { ...at(0, 2n * USD), at: START + ms }]
      return blocksOf(requests, START + HOUR)[0]?.burn
    }
    expect(burnOver(1)).toBeNull()
    expect(burnOver(599_999)).toBeNull()
    expect(burnOver(600_000)).toEqual({ costNanoPerHour: 54n * USD, tokensPerMinute: 200 })
    expect(blocksOf([], START)).toEqual([])
  })
})

describe('spending', () => {
  const spending = async (daysLater = 0) => {
    const store = createInMemoryStore()
    const session = (id: string, workspace: string) => ({ id: `test:${id}`, agent: 'test', externalId: id, workspace })
    for (let index = 0; index < 12; index++)
      await store.sessions.append(
        session(`s${index}`, index === 11 ? '/work/tool' : '/work/app'),
        0,
        conversation(`s${index}`, [
          { usage: { inputTokens: index === 11 ? 900_000 : 100_000 }, after: index * 24 * 60, says: 'ok' },
        ]),
      )
    const clock = createTestClock(START + (11 + daysLater) * 24 * HOUR + HOUR)
    return createInsights({ ...store, priceBook: () => Promise.resolve(book), clock })
  }

  it('is of all projects or one, with what stands out', async () => {
    const insights = await spending()
    const all = await insights.spending({ timeZone: 'Europe/Berlin', monthlyBudgetUsd: 10 })
    // Eleven days at $1, and one at $9.
    expect(all.forecast).toMatchObject({ month: '2026-01', spentNano: 20n * USD, daysLeft: 15, totalNano: 35n * USD })
    expect(all.budget).toEqual({ limitNano: 10n * USD, state: 'exceeded' })
    expect(all.unusualDays).toEqual([{ day: '2026-01-16', costNano: 9n * USD, medianNano: USD }])
    expect(all.unusualSessions).toMatchObject([{ sessionId: 'test:s11', costNano: 9n * USD, medianNano: USD }])
    expect(all.blocks).toHaveLength(1)
    expect(all.blocks[0]?.isActive).toBe(true)
    const app = await insights.spending({ workspace: 'app' })
    expect(app.blocks).toEqual([])
    expect(app.budget).toBe(undefined)
    // One day is too few.
    const tool = await insights.spending({ workspace: 'tool', monthlyBudgetUsd: 9 })
    expect(tool.forecast).toMatchObject({ spentNano: 9n * USD, activeDays: 1, totalNano: null, highNano: null })
    expect(tool.budget).toEqual({ limitNano: 9n * USD, state: 'ok' })
    await expect(insights.spending({ monthlyBudgetUsd: 0 })).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(insights.spending({ timeZone: 'Mars' })).rejects.toMatchObject({ code: 'usage' })
  })

  it('forgets unusual days and sessions after 31 days', async () => {
    const stillThere = await (await spending(30)).spending({})
    expect([stillThere.unusualDays.length, stillThere.unusualSessions.length]).toEqual([1, 1])
    const gone = await (await spending(32)).spending({})
    expect([gone.unusualDays, gone.unusualSessions]).toEqual([[], []])
  })

  it('has budgets of all projects and of some, each as `spending` has it', async () => {
    const insights = await spending()
    const limits = [
      { project: null, limitUsd: 25 },
      { project: '/work/tool', limitUsd: 8.5 },
      { project: '/work/app', limitUsd: 400 },
      { project: '/work/none', limitUsd: 1 },
    ]
    const budgets = await insights.budgets({ limits, timeZone: 'Asia/Tokyo' })
    expect(budgets.map(({ project, state }) => [project, state])).toEqual([
      [null, 'warning'],
      ['/work/tool', 'exceeded'],
      ['/work/app', 'ok'],
      ['/work/none', 'ok'],
    ])
    for (const [index, { project, limitUsd }] of limits.entries()) {
      const one = await insights.spending({
        timeZone: 'Asia/Tokyo',
        monthlyBudgetUsd: limitUsd,
        ...(project === null ? {} : { workspace: project }),
      })
      expect(budgets[index]).toEqual({ project, forecast: one.forecast, ...one.budget })
    }
    await expect(insights.budgets({ limits: [{ project: null, limitUsd: -1 }] })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })
})
