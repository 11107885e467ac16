import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createInMemoryStore, createTestClock } from '../testing/index.ts'
import { READ, WRITE, WRITE_1H, MINUTE, START, book, conversation, type Step } from './conversation.fixture.ts'
import { createInsights } from './create-insights.ts'
import type { LeakKind, LeakQuery } from './leaks.ts'

const storeWith = async (sessions: Readonly<Record<string, readonly Step[]>>, workspace = '/work/app') => {
  const store = createInMemoryStore()
  for (const [name, steps] of Object.entries(sessions))
    await store.sessions.append(
      { id: `test:${name}`, agent: 'test', externalId: name, workspace },
      0,
      conversation(name, steps),
    )
  return store
}

const insightsOf = (store: Awaited<ReturnType<typeof storeWith>>, onPriceBook = () => undefined) =>
  createInsights({
    ...store,
    priceBook: () => {
      onPriceBook()
      return Promise.resolve(book)
    },
    clock: createTestClock(START),
  })

/** Nano-USD by kind, of those that cost anything. */
const costs = async (steps: readonly Step[], query: LeakQuery = {}): Promise<Partial<Record<LeakKind, number>>> => {
  const { leaks } = await insightsOf(await storeWith({ s: steps })).leaks(query)
  return Object.fromEntries(
    leaks.filter(({ costNano }) => costNano > 0n).map(({ kind, costNano }) => [kind, Number(costNano)]),
  )
}

/** The causes of what broke the cache between two requests, with what each cost, nano-USD. */
const breakCauses = async (between: readonly Step[], second: Partial<Step> = {}) => {
  const insights = insightsOf(
    await storeWith({
      s: [
        { usage: { cacheWrite5mTokens: 30_000 }, says: 'ok', mode: 'act' },
        ...between.map((step) => ({ after: 0.1, ...step })),
        { usage: { cacheWrite5mTokens: 31_000 }, says: 'ok', mode: 'act', ...second },
      ],
    }),
  )
  const { leaks } = await insights.leaks()
  const leak = leaks.find(({ kind }) => kind === 'cache-break')
  expect(leak?.costNano).toBe(BigInt(30_000 * (WRITE - READ)))
  expect(leak?.causes.map(({ costNano }) => costNano)).toEqual([leak?.costNano])
  expect(leak?.examples.map(({ cause }) => cause)).toEqual(leak?.causes.map(({ cause }) => cause))
  return leak?.causes.map(({ cause, requests, examples }) => [cause, requests, examples.length])
}

const read = (id: string, path: string) => ({ id, name: 'Read', input: { file_path: path } })
const lines = (first: number, count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `${first + index}→${word} ${'x'.repeat(50)}`).join('\n')

describe('leaks', () => {
  it('put what is written again after a pause down to the pause, and to nothing shorter than the lifetime', async () => {
    const turn = (after: number, cached: number, written: number, field = 'cacheWrite5mTokens'): Step => ({
      usage: { cacheReadTokens: cached, [field]: written },
      after,
      says: 'ok',
    })
    const base = [{ user: 'go' }, turn(1, 0, 30_000)]
    const written = 30_000 * (WRITE - READ)
    expect((await costs([...base, turn(6, 0, 31_000)])).pause).toBeCloseTo(written, -1)
    const early = await costs([...base, turn(4, 0, 31_000)])
    expect([early.pause, early['cache-break']]).toEqual([undefined, written])
    // A write for an hour is kept that long, also when later ones are for five minutes.
    const hour = [{ user: 'go' }, turn(1, 0, 30_000, 'cacheWrite1hTokens')]
    expect((await costs([...hour, turn(59, 0, 31_000)])).pause).toBe(undefined)
    expect((await costs([...hour, turn(61, 0, 31_000, 'cacheWrite1hTokens')])).pause).toBe(30_000 * (WRITE_1H - READ))
  })

  it('call a pause with another model, and a small rewrite, by their names', async () => {
    const first: Step = { usage: { cacheWrite5mTokens: 30_000 }, says: 'ok' }
    const other = await costs([first, { usage: { cacheWrite5mTokens: 31_000 }, model: 'other', after: 9, says: 'ok' }])
    expect(other.pause).toBe(undefined)
    expect(other['cache-break']).toBe(30_000 * (WRITE - READ))
    const small = await costs([
      first,
      { usage: { cacheReadTokens: 28_500, cacheWrite5mTokens: 2_000 }, after: 9, says: 'ok' },
    ])
    expect([small.pause, small['cache-break']]).toEqual([undefined, undefined])
  })

  it('name what broke the cache where the log tells it', async () => {
    const skill = { meta: 'Base directory for this skill: /home/me/.claude/skills/review' }
    expect(await breakCauses([{ clears: true }])).toEqual([['cleared-results', 1, 1]])
    expect(await breakCauses([], { model: 'other' })).toEqual([['model', 1, 1]])
    expect(await breakCauses([skill])).toEqual([['skill', 1, 1]])
    // What clears results explains more than a skill.
    expect(await breakCauses([skill, { clears: true }])).toEqual([['cleared-results', 1, 1]])
    expect(await breakCauses([{ meta: '<command-name>/exit</command-name>' }, { user: 'go on' }])).toEqual([
      ['restart', 1, 1],
    ])
    expect(await breakCauses([{ user: '<command-name>/mcp</command-name>' }])).toEqual([['tools', 1, 1]])
    expect(await breakCauses([{ notice: '<command-name>/mcp</command-name>\n<command-args></command-args>' }])).toEqual(
      [['tools', 1, 1]],
    )
    expect(await breakCauses([], { mode: 'plan' })).toEqual([['mode', 1, 1]])
    const unknown = [['unknown', 1, 1]]
    expect(await breakCauses([{ user: 'Base directory for this skill: is what I said' }])).toEqual(unknown)
    expect(await breakCauses([{ user: '<command-name>/review</command-name>' }])).toEqual(unknown)
    // What came before the request that still found the cache, and a mode that is not known, are no cause.
    expect(await breakCauses([], { mode: undefined })).toEqual(unknown)
  })

  /** The cause of a break between two requests of which the second still reads part of the cache. */
  const partCause = async (steps: readonly Step[]) => {
    const { leaks } = await insightsOf(await storeWith({ s: steps.map((step) => ({ after: 0.1, ...step })) })).leaks()
    const leak = leaks.find(({ kind }) => kind === 'cache-break')
    expect(leak?.causes.reduce((sum, { costNano }) => sum + costNano, 0n)).toBe(leak?.costNano)
    return leak?.causes.map(({ cause, certainty, requests }) => [cause, certainty, requests])
  }
  const whole: Step = { usage: { cacheReadTokens: 9_000, cacheWrite5mTokens: 21_000 }, says: 'ok' }
  const part: Step = { usage: { cacheReadTokens: 9_000, cacheWrite5mTokens: 22_000 }, says: 'ok' }

  it('name what broke the cache by the tokens of both requests', async () => {
    const dropped = [['dropped', 'likely', 1]]
    expect(await partCause([whole, { user: 'go on' }, part])).toEqual(dropped)
    expect(await partCause([whole, { failure: 'api error: 529 Overloaded' }, part])).toEqual([
      ['provider-error', 'likely', 1],
    ])
    expect(await partCause([whole, { notice: 'api error: is what I said' }, part])).toEqual(dropped)
    // All that was in the cache was found.
    const unwritten: Step = {
      usage: { cacheReadTokens: 4_000, cacheWrite5mTokens: 5_000, inputTokens: 21_000 },
      says: 'ok',
    }
    expect(await partCause([unwritten, { meta: 'Base directory for this skill: /a' }, part])).toEqual([
      ['unwritten', 'certain', 1],
    ])
    // Nor is it where no writes are recorded: all may have been cached.
    const plain: Step = { usage: { cacheReadTokens: 9_000, inputTokens: 21_000 }, says: 'ok' }
    expect(await partCause([plain, part])).toEqual(dropped)
    const short: Step = { usage: { cacheReadTokens: 9_000, cacheWrite5mTokens: 17_500 }, says: 'ok' }
    expect(await partCause([whole, short])).toEqual([['shortened', 'certain', 1]])
    expect(await partCause([whole, { notice: 'Session resumed' }, short])).toEqual([['restart', 'likely', 1]])
    const nearly: Step = { usage: { cacheReadTokens: 9_000, cacheWrite5mTokens: 18_500 }, says: 'ok' }
    expect(await partCause([whole, nearly])).toEqual(dropped)
  })

  it('tell that reasoning was left out by an input that a prompt made smaller', async () => {
    const less: Step = { usage: { cacheReadTokens: 9_000, cacheWrite5mTokens: 20_500 }, says: 'ok', thinks: true }
    const reasoned: Step = { ...whole, usage: { ...whole.usage, outputTokens: 90, reasoningTokens: 70 } }
    const [dropped, reasoning] = [[['dropped', 'likely', 1]], [['reasoning', 'likely', 1]]]
    const go = { user: 'go', thinking: 'high' }
    expect(await partCause([go, { ...whole, thinks: true }, go, less])).toEqual(reasoning)
    expect(await partCause([go, reasoned, go, less])).toEqual(reasoning)
    expect(await partCause([go, whole, go, less])).toEqual(dropped)
    expect(await partCause([go, reasoned, less])).toEqual(dropped)
    expect(await partCause([go, reasoned, go, part])).toEqual(dropped)
  })

  it('tell that thinking was switched by the prompts, and by the replies where these say nothing', async () => {
    const [dropped, thinking] = [[['dropped', 'likely', 1]], [['thinking', 'likely', 1]]]
    const high = { user: 'go', thinking: 'high' }
    expect(await partCause([{ meta: 'a command' }, whole, high, part])).toEqual(thinking)
    expect(await partCause([high, whole, { meta: 'a command' }, part])).toEqual(thinking)
    expect(await partCause([high, whole, { user: 'go', thinking: 'off' }, part])).toEqual(thinking)
    expect(await partCause([high, { ...whole, thinks: true }, high, part])).toEqual(dropped)
    // It thought, whatever the prompt did not say.
    expect(await partCause([{ meta: 'a command' }, { ...whole, thinks: true }, high, part])).toEqual(dropped)
    const [go, thinks] = [{ user: 'go' }, { thinks: true } as const]
    expect(await partCause([go, whole, go, { ...part, ...thinks }])).toEqual(thinking)
    expect(await partCause([go, { ...whole, ...thinks }, go, part])).toEqual(thinking)
    expect(await partCause([go, whole, { ...part, ...thinks }])).toEqual(dropped)
    // A turn that had some reasoning had it on.
    const next: Step = { usage: { cacheReadTokens: 30_000, cacheWrite5mTokens: 100 }, says: 'ok' }
    expect(await partCause([go, { ...whole, ...thinks }, next, go, { ...part, ...thinks }])).toEqual(dropped)
    expect(await partCause([go, { ...whole, ...thinks }, go, part, { ...next, ...thinks }])).toEqual(dropped)
  })

  it('add up over the causes of a broken cache, also in a part of the time', async () => {
    const lost = (more: Partial<Step>): Step => ({ usage: { cacheWrite5mTokens: 31_000 }, says: 'ok', ...more })
    const insights = insightsOf(
      await storeWith({
        s: [lost({}), { clears: true }, lost({}), lost({ model: 'other' }), { clears: true }, lost({ model: 'other' })],
      }),
    )
    const causes = async (query: LeakQuery) => {
      const leak = (await insights.leaks(query)).leaks.find(({ kind }) => kind === 'cache-break')
      expect(leak?.causes.reduce((sum, { costNano }) => sum + costNano, 0n)).toBe(leak?.costNano)
      return leak?.causes.map(({ cause, requests }) => [cause, requests])
    }
    expect(await causes({})).toEqual([
      ['cleared-results', 2],
      ['model', 1],
    ])
    expect(await causes({ since: START + 4 * MINUTE })).toEqual([
      ['model', 1],
      ['cleared-results', 1],
    ])
  })

  it('find a read of lines that are known, and only that', async () => {
    const steps = (second: string): readonly Step[] => [
      { user: 'go' },
      { usage: { cacheWrite5mTokens: 20_000 }, calls: [read('c1', '/a.ts')] },
      { result: ['c1', lines(1, 10, 'one')] },
      { usage: { cacheReadTokens: 20_000, cacheWrite5mTokens: 300 }, calls: [read('c2', '/a.ts')] },
      { result: ['c2', second] },
      { usage: { cacheReadTokens: 20_300, cacheWrite5mTokens: 300 }, says: 'done' },
    ]
    const text = lines(3, 4, 'one')
    const found = await costs(steps(text))
    expect(found['re-read']).toBeCloseTo(20_000 * READ + 300 * WRITE + (text.length / 2.7) * WRITE, -1)
    expect((await costs(steps(lines(3, 9, 'one'))))['re-read']).toBe(undefined)
    expect((await costs(steps(lines(3, 4, 'two'))))['re-read']).toBe(undefined)
    expect((await costs(steps('no numbers')))['re-read']).toBe(undefined)
  })

  it('find the replies of requests that the log notes after them', async () => {
    const result = (id: string): Step => ({ result: [id, lines(1, 10, 'one')] })
    const noted = (cached: number): Step => ({ noted: true, usage: { cacheReadTokens: cached } })
    const { leaks } = await insightsOf(
      await storeWith({
        s: [
          { user: 'x'.repeat(2_700) },
          { says: 'let me see', after: 1 },
          { calls: [read('c1', '/a.ts')] },
          result('c1'),
          noted(20_000),
          { says: 'once more' },
          { calls: [read('c2', '/a.ts')] },
          result('c2'),
          noted(21_000),
          { user: 'y'.repeat(2_700) },
          { says: 'done' },
          noted(22_000),
        ],
      }),
    ).leaks()
    const of = (kind: LeakKind) => leaks.find((leak) => leak.kind === kind)
    // The case begins at its request's first message.
    expect(of('re-read')).toMatchObject({ examples: [{ seq: 5, request: 2 }] })
    // The first text alone came before the first request.
    expect(Number(of('prefix')?.costNano)).toBe(2 * 19_000 * READ)
  })

  it('carry a result until the last request that names what it brought', async () => {
    const text = `theIdentifier ${'word '.repeat(540)}`
    const steps = (says: readonly string[]): readonly Step[] => [
      { user: 'go' },
      { usage: { cacheWrite5mTokens: 20_000 }, calls: [{ id: 'c1', name: 'Bash', input: { command: 'make' } }] },
      { result: ['c1', text] },
      ...says.map((words): Step => ({ usage: { cacheReadTokens: 20_000, cacheWrite5mTokens: 1_000 }, says: words })),
    ]
    const tokens = text.length / 2.7
    expect((await costs(steps(['a', 'theIdentifier', 'b', 'c'])))['unused-results']).toBeCloseTo(2 * tokens * READ, -1)
    expect((await costs(steps(['a', 'b', 'c', 'theIdentifier'])))['unused-results']).toBe(undefined)
    expect((await costs(steps(['a', 'b', 'c'])))['unused-results']).toBeCloseTo(2 * tokens * READ, -1)
  })

  it('tell refused calls, interruptions, subagents, long contexts and the prefix', async () => {
    const found = await costs([
      { user: 'x'.repeat(2_700) },
      {
        usage: { cacheWrite5mTokens: 41_000 },
        calls: [
          { id: 'c1', name: 'Bash', input: {} },
          { id: 'c2', name: 'Bash', input: { command: 'rm' } },
        ],
      },
      { result: ['c1', 'fine'] },
      { result: ['c2', "The user doesn't want to proceed with this tool use.", true] },
      { user: '[Request interrupted by user for tool use]' },
      { usage: { cacheReadTokens: 120_000 }, says: 'ok' },
      { usage: { inputTokens: 700, outputTokens: 10 }, subagent: 'a1', says: 'ok' },
    ])
    expect(found['rejected-calls']).toBe((41_000 * WRITE) / 2)
    expect(found.interrupted).toBe(41_000 * WRITE)
    expect(found.subagents).toBe(700 * 10_000 + 10 * 50_000)
    expect(found['long-context']).toBe(20_000 * READ)
    // The subagent's own prefix is its whole first input, which was not read.
    expect(found.prefix).toBe(40_000 * WRITE + 40_000 * READ + 700 * 10_000)
  })

  it('put the first input after a compaction, and reads of known files near it, down to it', async () => {
    const text = lines(1, 20, 'one')
    const tokens = text.length / 2.7
    const found = await costs([
      { user: 'go' },
      { usage: { cacheWrite5mTokens: 90_000 }, calls: [read('c1', '/a.ts')] },
      { result: ['c1', text] },
      { usage: { cacheReadTokens: 90_000 }, says: 'ok' },
      { compaction: true },
      {
        usage: { cacheReadTokens: 15_000, cacheWrite5mTokens: 9_000 },
        calls: [read('c2', '/a.ts'), read('c3', '/b.ts')],
      },
      { result: ['c2', text] },
      { result: ['c3', text] },
      { usage: { cacheReadTokens: 24_000, cacheWrite5mTokens: 500 }, says: 'ok' },
      { usage: { cacheReadTokens: 24_500 }, says: 'ok' },
    ])
    // Of 24,000 tokens all 15,000 that were there before were read: nothing of the 9,000 is left out of the round trip.
    const trip = (15_000 * READ + 9_000 * WRITE - 9_000 * (WRITE - READ)) / 2
    expect(found.compaction).toBeCloseTo(9_000 * WRITE + trip + tokens * (WRITE + READ), -1)
    expect(found['cache-break']).toBe(undefined)
  })

  it('cost nothing for requests without a price, and follow a recorded cost', async () => {
    const steps: readonly Step[] = [
      { usage: { cacheWrite5mTokens: 30_000 }, model: 'nobody-knows', says: 'ok' },
      { usage: { cacheWrite5mTokens: 31_000 }, model: 'nobody-knows', after: 9, says: 'ok' },
    ]
    expect(await costs(steps)).toEqual({})
    const store = await storeWith({})
    const writes = conversation('r', [
      { usage: { cacheWrite5mTokens: 30_000 }, says: 'ok' },
      { usage: { cacheWrite5mTokens: 30_000 }, after: 9, says: 'ok' },
    ]).map((write) =>
      write.request === undefined
        ? write
        : { ...write, request: { ...write.request, costState: 'recorded' as const, costNano: 30_000n * 6_250n } },
    )
    await store.sessions.append({ id: 'test:r', agent: 'test', externalId: 'r' }, 0, writes)
    const { leaks } = await insightsOf(store).leaks()
    expect(leaks.find(({ kind }) => kind === 'pause')?.costNano).toBe(30_000n * 5_750n)
  })
})

/** Turns of random sizes and gaps, with results of all kinds. */
const randomSteps = fc
  .array(
    fc.record({
      cached: fc.integer({ min: 0, max: 90_000 }),
      written: fc.integer({ min: 0, max: 60_000 }),
      after: fc.integer({ min: 0, max: 90 }),
      reads: fc.array(fc.constantFrom('/a.ts', '/b.ts', '/c.ts'), { maxLength: 3 }),
      size: fc.integer({ min: 1, max: 400 }),
      refused: fc.boolean(),
      compacts: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((turns) =>
    turns.flatMap(({ cached, written, after, reads, size, refused, compacts }, turn): readonly Step[] => [
      ...(compacts === 0 ? [{ compaction: true } as const] : []),
      {
        usage: { cacheReadTokens: cached, cacheWrite5mTokens: written, outputTokens: turn },
        after,
        calls: reads.map((path, index) => read(`c${turn}-${index}`, path)),
      },
      ...reads.map((path, index): Step => {
        const id = `c${turn}-${index}`
        return refused && index === 0
          ? { result: [id, 'The user rejected this call.', true] }
          : { result: [id, lines(1, size, `name_${path.slice(1, 2)}_value`)] }
      }),
    ]),
  )

describe('reports of leaks', () => {
  it('add up to no more than the total, and over parts of the time to the whole', () =>
    fc.assert(
      fc.asyncProperty(randomSteps, fc.integer({ min: 0, max: 600 }), async (steps, minute) => {
        const insights = insightsOf(await storeWith({ s: steps, t: steps.slice(1) }))
        const whole = await insights.leaks()
        expect(whole.leakedNano).toBeLessThanOrEqual(whole.total.costNano + 10n)
        const cut = START + minute * MINUTE
        const [before, after] = [await insights.leaks({ until: cut }), await insights.leaks({ since: cut })]
        for (const { kind, costNano, requests } of whole.leaks) {
          const parts = [before, after].map(({ leaks }) => leaks.find((leak) => leak.kind === kind))
          expect(parts.reduce((sum, part) => sum + (part?.costNano ?? 0n), 0n)).toBe(costNano)
          expect(parts.reduce((sum, part) => sum + (part?.requests ?? 0), 0)).toBe(requests)
        }
      }),
      { numRuns: 60 },
    ))

  const pause: readonly Step[] = [
    { usage: { cacheWrite5mTokens: 30_000 }, says: 'ok' },
    { usage: { cacheWrite5mTokens: 31_000 }, after: 9, says: 'ok' },
  ]

  it('are of the project, session and time that are asked for, and name the dearest cases', async () => {
    const store = await storeWith({ a: pause, b: [...pause, { usage: { cacheWrite5mTokens: 90_000 }, after: 9 }] })
    await store.sessions.append(
      { id: 'test:c', agent: 'test', externalId: 'c', workspace: '/work/tool' },
      0,
      conversation('c', pause),
    )
    const insights = insightsOf(store)
    const pauses = async (query: LeakQuery) => {
      const { total, leaks } = await insights.leaks(query)
      const leak = leaks.find(({ kind }) => kind === 'pause')
      return [total.requests, leak?.requests, leak?.examples.map(({ sessionId }) => sessionId)]
    }
    expect(await pauses({})).toEqual([7, 4, ['test:b', 'test:b', 'test:a', 'test:c']])
    expect(await pauses({ workspace: 'tool' })).toEqual([2, 1, ['test:c']])
    expect(await pauses({ workspace: '/work/app' })).toEqual([5, 3, ['test:b', 'test:b', 'test:a']])
    expect(await pauses({ sessionId: 'test:a' })).toEqual([2, 1, ['test:a']])
    expect(await pauses({ since: START + 15 * MINUTE })).toEqual([1, 1, ['test:b']])
    expect(await pauses({ workspace: 'none' })).toEqual([0, 0, []])
    await expect(insights.leaks({ since: Number.NaN })).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('look at a long session once, until it grows or its requests are priced', async () => {
    const switched: Step = { usage: { cacheWrite5mTokens: 31_000 }, model: 'other', says: 'ok' }
    const long = [...pause, switched, ...Array.from({ length: 110 }, (): Step => ({ user: 'more' }))]
    const store = await storeWith({ a: long })
    let loads = 0
    const ask = () =>
      insightsOf(store, () => {
        loads += 1
        return undefined
      }).leaks()
    const first = await ask()
    expect(await ask()).toEqual(first)
    expect(first.leaks.find(({ kind }) => kind === 'cache-break')?.causes.map(({ cause }) => cause)).toEqual(['model'])
    expect(loads).toBe(1)
    await store.sessions.append(
      { id: 'test:a', agent: 'test', externalId: 'a' },
      long.length,
      conversation('more', [{ usage: { cacheWrite5mTokens: 32_000 }, after: 30, says: 'ok' }]),
    )
    expect((await ask()).leakedNano).toBeGreaterThan(first.leakedNano)
    expect(loads).toBe(2)
    // What was kept and can't be understood is found again.
    const scope = { tier: 'session', sessionId: 'test:a' } as const
    const [key = ''] = (await store.state.all(scope)).keys()
    await store.state.set(scope, new Map([[key, 'damaged']]))
    expect((await ask()).total.requests).toBe(4)
    expect(loads).toBe(3)
  })
})
