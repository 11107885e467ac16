import { describe, expect, it } from '@jest/globals'
import { emptyTotals } from '@cairn/core'
import type { CostChange, Mover } from '@cairn/core/insights'
import { changeView } from './change-view.ts'

const USD = 1_000_000_000n
const mover = (key: string, beforeNano: bigint, nowNano: bigint): Mover => ({
  key,
  beforeNano,
  nowNano,
  changeNano: nowNano - beforeNano,
})
const none = { movers: [], others: { count: 0, changeNano: 0n } }
const change: CostChange = {
  now: { ...emptyTotals, requests: 9, costNano: 14n * USD },
  before: { ...emptyTotals, requests: 4, costNano: 5n * USD },
  changeNano: 9n * USD,
  by: {
    workspace: {
      movers: [mover('/code/shop', USD, 12n * USD), mover('unknown', 3n * USD, USD)],
      others: { count: 2, changeNano: -USD / 4n },
    },
    model: none,
    session: { movers: [mover('codex:a', 0n, 7n * USD), mover('codex:b', USD, 0n)], others: none.others },
  },
}
const found = { change, days: 7, titles: new Map([['codex:a', 'Mend the basket']]) }

describe('changeView', () => {
  it('tells the change and its movers with their names', () => {
    const view = changeView(found)
    expect(view?.sentence).toBe('+$9.00 against the 7 days before: $14.00 after $5.00.')
    expect(view?.lists.map(({ title, others }) => [title, others])).toEqual([
      ['Projects', '2 other projects: −$0.2500'],
      ['Sessions', null],
    ])
    expect(view?.lists[0]?.movers).toMatchObject([
      { label: 'shop', detail: '/code/shop', change: '+$11.00', span: 'from $1.00 to $12.00', isUp: true, share: 1 },
      { label: 'No project', change: '−$2.00', isUp: false },
    ])
    expect(view?.lists[1]?.movers.map(({ label }) => label)).toEqual(['Mend the basket', 'b'])
  })

  it('is nothing where there is nothing to compare', () => {
    expect(changeView(undefined)).toBe(null)
    expect(changeView({ ...found, change: { ...change, now: emptyTotals } })).toBe(null)
    expect(changeView({ ...found, change: { ...change, by: { workspace: none, model: none, session: none } } })).toBe(
      null,
    )
  })

  it('says so where nothing came before', () => {
    const isNew = { ...change, before: emptyTotals }
    expect(changeView({ ...found, days: 30, change: isNew })).toEqual({
      sentence: 'There was no request in the 30 days before, so there is nothing to compare with.',
      lists: [],
    })
    expect(changeView({ ...found, days: 1, change: isNew })?.sentence).toContain('no request in the day before')
  })
})
