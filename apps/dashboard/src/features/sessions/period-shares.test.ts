import { addTotals, emptyTotals } from '@cairn/core'
import { createInMemoryStore, recordedReply } from '@cairn/core/testing'
import { fillStore } from '../../../e2e/synthetic-usage.ts'
import { ORDERS } from '../../components/sorting.ts'
import type { SelectionInput } from '../selection/selection-input.ts'
import { selectedUsage } from '../selection/selection-input.ts'
import { sessionQuery } from './list-query.ts'
import { isNarrowed, sharedPage } from './period-shares.ts'
import { sharedRow } from './session-row.ts'

const NOW = Date.parse('2026-05-05T12:00:00Z')
const ALL: SelectionInput = { period: 'all', timeZone: 'UTC', filter: {} }
const month: SelectionInput = { ...ALL, period: '30d' }

const filled = async () => {
  const store = createInMemoryStore()
  await fillStore(store, 1_600, NOW)
  return store
}

describe('the list of sessions', () => {
  it('shows what each used within the period and filters, as usage by session sums it', async () => {
    const store = await filled()
    for (const selection of [
      ALL,
      month,
      { ...month, filter: { model: 'claude-opus-4-5' } },
      { ...ALL, from: '2026-04-02', to: '2026-04-03' },
    ]) {
      const { sessions, shares, total } = await sharedPage(
        store,
        { selection, sort: 'updated', order: 'descending', text: '' },
        1,
        NOW,
      )
      const report = await store.usage.report({ ...selectedUsage(selection, NOW).query, by: 'session' })
      expect(sessions.length).toBeGreaterThan(0)
      for (const { id } of sessions)
        expect([id, shares.get(id)?.costNano]).toEqual([id, report.rows.find(({ key }) => key === id)?.costNano])
      expect(total).toEqual(report.total)
    }
  })

  it('shares less than the whole where a session began before the period', async () => {
    const store = createInMemoryStore()
    const day = (date: string): number => Date.parse(`${date}T12:00:00Z`)
    await store.sessions.append({ id: 's', agent: 'a', externalId: 's', workspace: '/w', title: 'Long' }, 0, [
      recordedReply('1', day('2026-01-01'), 90_000_000_000n),
      recordedReply('2', day('2026-05-01'), 10_000_000_000n),
    ])
    const { sessions, shares } = await sharedPage(
      store,
      { selection: month, sort: 'updated', order: 'descending', text: '' },
      1,
      NOW,
    )
    const [session] = sessions
    if (session === undefined) throw new Error('it is listed')
    expect(sharedRow(session, shares.get('s'))).toMatchObject({
      cost: { text: '$100.00' },
      share: { cost: { text: '$10.00' }, requests: { text: '1' } },
    })
    expect(sharedRow(session, undefined).share.cost).toMatchObject({ text: '–', isIncomplete: false })
  })

  it('of a branch has every session that cost something on it, also those that went on elsewhere', async () => {
    const store = createInMemoryStore()
    const at = Date.parse('2026-05-01T12:00:00Z')
    const append = async (id: string, branch: string, seq: number, cost: bigint): Promise<void> => {
      await store.sessions.append({ id, agent: 'a', externalId: id, workspace: '/w', branch }, seq, [
        recordedReply(`${id}-${seq}`, at + seq, cost),
      ])
    }
    await append('both', 'main', 0, 90_000_000_000n)
    await append('both', 'fix', 1, 10_000_000_000n)
    await append('main', 'main', 0, 20_000_000_000n)
    await append('fix', 'fix', 0, 30_000_000_000n)
    for (const sort of ['updated', 'cost'] as const)
      for (const order of ORDERS) {
        const selection = { ...month, filter: { branch: 'main' } }
        const { sessions, shares, count } = await sharedPage(store, { selection, sort, order, text: '' }, 1, NOW)
        expect([count, sessions.map(({ id }) => id).toSorted()]).toEqual([2, ['both', 'main']])
        expect(shares.get('both')?.costNano).toBe(90_000_000_000n)
        if (sort === 'cost' && order === 'descending') expect(sessions[0]).toMatchObject({ id: 'both', branch: 'fix' })
      }
  })

  it('by cost goes by what is shown, in both directions, each session once', async () => {
    const store = await filled()
    for (const selection of [
      month,
      { ...month, filter: { branch: 'main' } },
      { ...ALL, filter: { model: 'gpt-5.1-codex' } },
    ]) {
      for (const order of ORDERS) {
        const ids: string[] = []
        const costs: number[] = []
        for (let page = 1; ; page += 1) {
          const found = await sharedPage(store, { selection, sort: 'cost', order, text: '' }, page, NOW)
          if (found.page < page) break
          ids.push(...found.sessions.map(({ id }) => id))
          costs.push(
            ...found.sessions.flatMap(({ id }) => {
              const share = found.shares.get(id)
              return share === undefined || share.unpricedRequests === share.requests ? [] : [Number(share.costNano)]
            }),
          )
        }
        const { total } = await store.sessions.list({
          ...sessionQuery({ selection, sort: 'cost', order, text: '' }, NOW),
          limit: 1,
        })
        expect([new Set(ids).size, ids.length]).toEqual([total, total])
        expect(costs).toEqual(costs.toSorted((left, right) => (order === 'ascending' ? left - right : right - left)))
      }
    }
  })

  it('by cost per request and by subagents is in the order of these sums, with those that have none last', async () => {
    const store = createInMemoryStore()
    const add = async (id: string, costs: readonly (readonly [cost: bigint, subagent?: string])[]): Promise<void> => {
      const writes = costs.map(([cost, subagent], index) => {
        const write = recordedReply(`${id}-${index}`, Date.parse('2026-05-01T12:00:00Z') + index, cost)
        if (write.request === undefined) throw new Error('it has a request')
        return subagent === undefined ? write : { ...write, request: { ...write.request, subagent } }
      })
      await store.sessions.append({ id, agent: 'a', externalId: id, workspace: '/w' }, 0, writes)
    }
    await add('plain', [[6_000_000_000n], [2_000_000_000n]])
    await add('helped', [[1_000_000_000n], [300_000_000n, 'explore'], [20_000_000n, 'test'], [80_000_000n, 'explore']])
    await add('delegated', [[50_000_000n, 'review']])
    await add('silent', [])
    const order = async (sort: 'perRequest' | 'subagents', way: (typeof ORDERS)[number], selection = ALL) => {
      const found = await sharedPage(store, { selection, sort, order: way, text: '' }, 1, NOW)
      return found.sessions.map(({ id }) => id)
    }
    for (const selection of [ALL, month]) {
      expect((await order('perRequest', 'descending', selection)).slice(0, 3)).toEqual(['plain', 'helped', 'delegated'])
      expect((await order('perRequest', 'ascending', selection)).slice(0, 3)).toEqual(['delegated', 'helped', 'plain'])
      expect((await order('subagents', 'descending', selection)).slice(0, 2)).toEqual(['helped', 'delegated'])
      expect((await order('subagents', 'ascending', selection)).slice(0, 2)).toEqual(['delegated', 'helped'])
    }
    const { sessions, shares, subagents } = await sharedPage(
      store,
      { selection: ALL, sort: 'subagents', order: 'descending', text: '' },
      1,
      NOW,
    )
    const [first] = sessions
    if (first === undefined) throw new Error('it is listed')
    expect(sharedRow(first, shares.get('helped'), subagents.get('helped')).share).toMatchObject({
      perRequest: { text: '$0.3500' },
      subagents: { text: '2, $0.4000', notes: ['3 requests of 2 subagents, in the cost of the session.'] },
    })
    expect(sharedRow(first, shares.get('plain'), subagents.get('plain')).share.subagents.text).toBe('–')
  })

  it('by cost has the sessions of the list, also where a request has another time than its reply', async () => {
    const store = createInMemoryStore()
    const day = (date: string): number => Date.parse(`${date}T12:00:00Z`)
    const add = async (id: string, writes: Parameters<typeof store.sessions.append>[2]): Promise<void> => {
      await store.sessions.append({ id, agent: 'a', externalId: id, workspace: '/w' }, 0, writes)
    }
    const replay = recordedReply('1', day('2026-01-01'), 90_000_000_000n)
    if (replay.request === undefined) throw new Error('it has a request')
    await add('replayed', [{ ...replay, request: { ...replay.request, at: day('2026-05-01') } }])
    await add('worked', [recordedReply('2', day('2026-05-02'), 7_000_000_000n)])
    const { request: _none, ...silent } = recordedReply('3', day('2026-05-03'), 0n)
    await add('silent', [silent])
    const found = await sharedPage(store, { selection: month, sort: 'cost', order: 'descending', text: '' }, 1, NOW)
    expect([found.count, found.sessions.map(({ id }) => id)]).toEqual([2, ['worked', 'silent']])
  })

  it('has the total of the search, and its last page when a later one is requested', async () => {
    const store = await filled()
    const found = await sharedPage(
      store,
      { selection: ALL, sort: 'cost', order: 'descending', text: 'BASKET' },
      999,
      NOW,
    )
    const { sessions } = await store.sessions.list({ text: 'basket', limit: 10_000 })
    expect([found.count, found.page]).toEqual([sessions.length, Math.ceil(sessions.length / 50)])
    const { rows } = await store.usage.report({ by: 'session' })
    const wanted = new Set(sessions.map(({ id }) => id))
    expect(found.total).toEqual(
      rows.filter(({ key }) => wanted.has(key)).reduce((sum, row) => addTotals(sum, row), emptyTotals),
    )
    expect(
      (await sharedPage(store, { selection: ALL, sort: 'updated', order: 'descending', text: '' }, 999, NOW)).sessions
        .length,
    ).toBeGreaterThan(0)
    expect([isNarrowed(ALL), isNarrowed(month), isNarrowed({ ...ALL, filter: { agent: 'codex' } })]).toEqual([
      false,
      true,
      true,
    ])
  })
})
