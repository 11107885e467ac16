import { createInMemoryStore } from '@cairn/core/testing'
import { fillStore } from '../../../e2e/synthetic-usage.ts'
import type { SelectionInput } from '../selection/selection-input.ts'
import { outsideUsage } from './outside-query.ts'

const NOW = Date.parse('2026-05-05T12:00:00Z')
const MONTH: SelectionInput = { period: '30d', timeZone: 'UTC', filter: {} }

describe('what a period leaves out', () => {
  it('is counted before and after it, with the same filters', async () => {
    const store = createInMemoryStore()
    await fillStore(store, 800, NOW)
    await fillStore(store, 8, Date.parse('2099-12-05T00:00:00Z'), 'later')
    const requests = async (since: string | undefined, until: string, model?: string): Promise<number> => {
      const { total } = await store.usage.report({
        by: 'day',
        ...(since === undefined ? {} : { since: Date.parse(since) }),
        until: Date.parse(until),
        ...(model === undefined ? {} : { filter: { model } }),
      })
      return total.requests
    }
    const outside = (selection: SelectionInput) => outsideUsage(store.usage, selection, NOW)
    const older = await requests(undefined, '2026-04-06')
    expect(older).toBeGreaterThan(100)
    expect(await outside(MONTH)).toEqual({ before: older, after: 0, text: `${older} requests before Apr 6, 2026` })
    const model = 'gpt-5.1-codex'
    expect(await outside({ ...MONTH, filter: { model } })).toMatchObject({
      before: await requests(undefined, '2026-04-06', model),
    })
    const between = await outside({ ...MONTH, from: '2026-04-10', to: '2026-04-20' })
    expect(between).toMatchObject({
      before: await requests(undefined, '2026-04-10'),
      after: await requests('2026-04-21', '2026-05-06'),
    })
    expect(between.text).toMatch(/^\d+ requests before Apr 10, 2026, \d+ requests after Apr 20, 2026$/)
    expect(await outside({ ...MONTH, to: '2026-04-20' })).toMatchObject({ before: 0 })
  })

  it('is nothing where all is shown, or there is no more', async () => {
    const store = createInMemoryStore()
    const nothing = { before: 0, after: 0, text: null }
    expect(await outsideUsage(store.usage, MONTH, NOW)).toEqual(nothing)
    await fillStore(store, 300, NOW)
    expect(await outsideUsage(store.usage, { ...MONTH, period: 'all' }, NOW)).toEqual(nothing)
  })
})
