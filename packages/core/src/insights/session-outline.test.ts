import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { EntryWrite } from '../ports/session-storage.ts'
import { createInMemoryStore, createTestClock } from '../testing/index.ts'
import { addTotals, allInputTokens, emptyTotals } from '../usage/totals.ts'
import { MINUTE, READ, START, WRITE, book, conversation, type Step } from './conversation.fixture.ts'
import { createOutlines } from './create-outlines.ts'
import type { SessionOutline } from './outline.ts'

const ID = 'test:s'
const summary = { id: ID, agent: 'test', externalId: 's' }

const storeWith = async (writes: readonly EntryWrite[]) => {
  const store = createInMemoryStore()
  await store.sessions.append(summary, 0, writes)
  return store
}

const outlinesOf = (store: Awaited<ReturnType<typeof storeWith>>) =>
  createOutlines({ ...store, priceBook: () => Promise.resolve(book), clock: createTestClock(START) })

const outline = async (steps: readonly Step[]): Promise<SessionOutline> =>
  outlinesOf(await storeWith(conversation('s', steps)))(ID)

const reply = (read: number, written: number, more: Partial<Step> = {}): Step => ({
  usage: { cacheReadTokens: read, cacheWrite5mTokens: written, outputTokens: 7 },
  says: 'ok',
  ...more,
})

describe('an outline', () => {
  it('tells turns apart by what a person said, with what each took', async () => {
    const { turns, total } = await outline([
      { user: '<system-reminder>be brief</system-reminder>' },
      reply(0, 1_000),
      { user: 'Fix   the\nlogin' },
      reply(1_000, 40_000, { calls: [{ id: 'c1', name: 'Bash', input: { command: 'npm test' } }], after: 2 }),
      { result: ['c1', 'it failed', true], after: 3 },
      reply(41_000, 200),
      { user: 'yes' },
      reply(41_200, 3),
    ])
    expect(turns.map(({ number, seq, text }) => [number, seq, text])).toEqual([
      [0, 0, ''],
      [1, 2, 'Fix the login'],
      [2, 6, 'yes'],
    ])
    expect(turns[1]).toMatchObject({
      at: START + 3 * MINUTE,
      durationMs: 6 * MINUTE,
      toolCalls: 1,
      errors: 1,
      peakTokens: 41_200,
      totals: { requests: 2, cacheReadTokens: 42_000, cacheWrite5mTokens: 40_200, outputTokens: 14 },
    })
    expect(turns[1]?.totals.costNano).toBe(BigInt(42_000 * READ + 40_200 * WRITE + 14 * 50_000))
    expect(turns.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12)
    expect(total.requests).toBe(4)
  })

  it('is made for who asks while an earlier call fails', async () => {
    const store = await storeWith(conversation('s', [{ user: 'one' }, reply(0, 1_000)]))
    let failures = 1
    const get: typeof store.sessions.get = (id) => {
      failures -= 1
      return failures < 0 ? store.sessions.get(id) : Promise.reject(new Error('away'))
    }
    const outlines = outlinesOf({ ...store, sessions: { ...store.sessions, get } })
    const [first, second] = await Promise.allSettled([outlines(ID), outlines(ID)])
    expect(first).toMatchObject({ status: 'rejected' })
    expect(second).toMatchObject({ status: 'fulfilled', value: { total: { requests: 1 } } })
  })

  it('reads what a session is once a call', async () => {
    const store = await storeWith(
      conversation('s', [{ user: 'one' }, reply(0, 1_000), { user: 'two' }, reply(1_000, 5)]),
    )
    let read = 0
    const get: typeof store.sessions.get = (id) => {
      read += 1
      return store.sessions.get(id)
    }
    const outlines = outlinesOf({ ...store, sessions: { ...store.sessions, get } })
    const first = await outlines(ID)
    expect([first.turns.length, read]).toEqual([2, 1])
    expect(await outlines(ID)).toBe(first)
    expect(read).toBe(2)
  })

  it('starts again with a session that was deleted and begun again', async () => {
    const before = await storeWith(conversation('s', [{ user: 'one' }, reply(0, 1_000), { user: 'two' }]))
    const after = await storeWith(conversation('s', [{ user: 'again' }]))
    let store = before
    const outlines = createOutlines({
      sessions: { get: (id) => store.sessions.get(id), read: (...given) => store.sessions.read(...given) },
      usage: { requests: (...given) => store.usage.requests(...given) },
      priceBook: () => Promise.resolve(book),
      clock: createTestClock(START),
    })
    const textsNow = async () => (await outlines(ID)).turns.map(({ text }) => text)
    expect(await textsNow()).toEqual(['one', 'two'])
    store = createInMemoryStore()
    expect(await textsNow()).toEqual([])
    store = before
    expect(await textsNow()).toEqual(['one', 'two'])
    store = after
    expect(await textsNow()).toEqual(['again'])
  })

  it('counts a subagent once, in the turn in which it began, also what it did later', async () => {
    const sub = (read: number, after: number): Step => reply(read, 10, { subagent: 'explore', after })
    const { turns } = await outline([
      { user: 'one' },
      reply(0, 1_000),
      sub(0, 0.1),
      { user: 'two' },
      reply(1_000, 50),
      sub(5_000, 1),
      { user: 'three' },
      reply(1_050, 6),
      // A transcript that was appended later; it began while the second turn was open.
      { ...reply(90_000, 1, { subagent: 'late', calls: [{ id: 'c', name: 'Read', input: {} }] }), after: -2.5 },
    ])
    expect(turns.map(({ subagents }) => subagents.map(({ name, seq }) => [name, seq]))).toEqual([
      [['explore', 2]],
      [['late', 8]],
      [],
    ])
    expect(turns.map(({ own, totals }) => [own.requests, totals.requests])).toEqual([
      [1, 3],
      [1, 2],
      [1, 1],
    ])
    const [explore, late] = turns.flatMap(({ subagents }) => subagents)
    expect(explore).toMatchObject({ totals: { requests: 2, cacheReadTokens: 5_000 } })
    expect(late).toMatchObject({ toolCalls: 1, totals: { cacheReadTokens: 90_000 } })
    // A subagent's context is its own.
    expect(turns[1]?.peakTokens).toBe(1_050)
  })

  it('marks compactions, pauses that lost the cache, other losses and changes of the model', async () => {
    const { marks, requests } = await outline([
      { user: 'go' },
      reply(0, 30_000),
      reply(0, 31_000, { after: 20 }),
      reply(0, 32_000),
      reply(32_000, 500, { model: 'other' }),
      { compaction: true },
      reply(0, 9_000, { model: 'other' }),
      { compaction: true },
    ])
    expect(
      marks.map(({ kind, before, seq, pauseMs, rewrittenTokens }) => [kind, before, seq, pauseMs, rewrittenTokens]),
    ).toEqual([
      ['pause', 1, 2, 20 * MINUTE, 30_000],
      ['cache-break', 2, 3, null, 31_000],
      ['model', 3, 4, null, 0],
      ['compaction', 4, 5, null, 9_000],
      ['compaction', 5, 7, null, 0],
    ])
    expect(marks[0]?.rewrittenNano).toBe(BigInt(30_000 * (WRITE - READ)))
    expect(requests.map(({ number, seq, turn }) => [number, seq, turn])).toEqual([
      [1, 1, 1],
      [2, 2, 1],
      [3, 3, 1],
      [4, 4, 1],
      [5, 6, 1],
    ])
  })

  it('tells what a compaction left, and clearings of old results by their own name', async () => {
    const { marks } = await outline([
      { user: 'go' },
      reply(0, 135_000),
      { clears: true },
      reply(18_591, 107_447),
      { compaction: true },
      reply(9_600, 16_569),
      { compaction: true },
    ])
    expect(
      marks.map(({ kind, rewrittenTokens, tokensBefore, tokensAfter }) => [
        kind,
        rewrittenTokens,
        tokensBefore,
        tokensAfter,
      ]),
    ).toEqual([
      ['cleared-results', 107_447, 135_000, 126_038],
      ['compaction', 16_569, 126_038, 26_169],
      ['compaction', 0, 26_169, null],
    ])
    const logged = conversation('s', [reply(0, 230_000), { compaction: true }, reply(0, 26_000)]).map(
      ({ entry, ...write }): EntryWrite => ({
        ...write,
        entry: entry.kind === 'compaction' ? { ...entry, tokensBefore: 237_823 } : entry,
      }),
    )
    expect((await outlinesOf(await storeWith(logged))(ID)).marks).toMatchObject([
      { tokensBefore: 237_823, tokensAfter: 26_000 },
    ])
  })

  it('marks a compaction before the request after it, where tokens are counted after the reply', async () => {
    const counted = (input: number, after: number): readonly Step[] => [
      { says: 'let me see', after },
      { says: 'done', after: 0.1 },
      { noted: true, usage: { cacheReadTokens: input, inputTokens: 9 }, after: 0.2 },
    ]
    const { marks, requests } = await outline([
      { user: 'go' },
      ...counted(30_000, 1),
      ...counted(31_000, 2),
      { compaction: true },
      ...counted(4_000, 1),
      ...counted(5_000, 3),
      { user: 'and now?' },
      ...counted(6_000, 1),
      { compaction: true },
      // Its reply is not in the log.
      { noted: true, usage: { cacheReadTokens: 700 } },
    ])
    expect(requests.map(({ seq, turn, cacheReadTokens }) => [seq, turn, cacheReadTokens])).toEqual([
      [1, 1, 30_000],
      [4, 1, 31_000],
      [8, 1, 4_000],
      [11, 1, 5_000],
      [15, 2, 6_000],
      [null, 2, 700],
    ])
    expect(marks.map(({ kind, before, seq }) => [kind, before, seq])).toEqual([
      ['compaction', 2, 7],
      ['compaction', 5, 18],
    ])
  })

  it('marks a compaction by time where no reply is known', async () => {
    const silent = (input: number): Step => ({ noted: true, usage: { cacheReadTokens: input } })
    const { marks } = await outline([
      { user: 'go' },
      silent(50_000),
      silent(51_000),
      silent(52_000),
      { compaction: true },
      silent(2_000),
      silent(3_000),
      { compaction: true },
      silent(90),
      reply(90, 30),
    ])
    expect(marks.map(({ kind, before }) => [kind, before])).toEqual([
      ['compaction', 3],
      ['compaction', 5],
    ])
  })

  it('puts replies without a time where they are in the log', async () => {
    const writes = conversation('s', [
      { user: 'one' },
      reply(0, 1_000),
      { user: 'two' },
      reply(1_000, 20),
      reply(1_020, 3),
    ]).map((write): EntryWrite => ({
      entry: { ...write.entry, at: null },
      ...(write.request === undefined ? {} : { request: { ...write.request, at: null } }),
    }))
    const { turns, requests } = await outlinesOf(await storeWith(writes))(ID)
    expect(turns.map(({ totals, at, durationMs }) => [allInputTokens(totals), at, durationMs])).toEqual([
      [1_000, null, null],
      [2_043, null, null],
    ])
    expect(requests.map(({ seq }) => seq)).toEqual([1, 3, 4])
  })

  it('reads on where a log has grown, and has nothing of an unknown session', async () => {
    const writes = conversation('s', [{ user: 'one' }, reply(0, 1_000), { user: 'two' }, reply(1_000, 5)])
    const store = await storeWith(writes.slice(0, 3))
    const outlines = outlinesOf(store)
    const before = await outlines(ID)
    expect(before.turns.map(({ totals }) => totals.requests)).toEqual([1, 0])
    await store.sessions.append(summary, 3, writes.slice(3))
    expect((await outlines(ID)).turns.map(({ totals }) => totals.requests)).toEqual([1, 1])
    expect(await outlines(ID)).toEqual(await outlinesOf(store)(ID))
    expect(await outlines('test:nobody')).toEqual({ turns: [], total: emptyTotals, requests: [], marks: [] })
  })

  it('has turns that add up to what the store sums, to the nano-dollar, in any order of times', async () => {
    const size = fc.oneof(fc.nat(9), fc.nat(5_000), fc.nat(3_000_000))
    const after = fc.constantFrom(-90, -3, 0, 0.01, 1, 400)
    const anyStep = fc.oneof(
      fc.record({ user: fc.constantFrom('go on', 'Fix it', '<system-reminder>x</system-reminder>'), after }),
      fc.constant<Step>({ compaction: true }),
      fc.record({
        usage: fc.record({
          inputTokens: size,
          cacheReadTokens: size,
          cacheWrite5mTokens: size,
          cacheWrite1hTokens: size,
          outputTokens: size,
        }),
        model: fc.constantFrom('dear', 'other', 'unknown-model'),
        after,
      }),
      fc.record({
        usage: fc.record({ cacheReadTokens: size, outputTokens: size }),
        subagent: fc.constantFrom('a', 'b', 'c'),
        after,
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
        const store = await storeWith(conversation('s', steps))
        const { turns, total } = await outlinesOf(store)(ID)
        const { total: stored } = await store.usage.report({ by: 'session', filter: { session: ID } })
        const summed = turns.reduce((sum, turn) => addTotals(sum, turn.totals), emptyTotals)
        expect(summed).toEqual(total)
        expect({ ...summed, savedNano: 0n }).toEqual({ ...stored, savedNano: 0n })
        for (const { own, totals, subagents } of turns)
          expect(subagents.reduce((sum, part) => addTotals(sum, part.totals), own)).toEqual(totals)
        const names = turns.flatMap(({ subagents }) => subagents.map(({ name }) => name))
        expect(new Set(names).size).toBe(names.length)
      }),
      { numRuns: 300 },
    )
  })
})
