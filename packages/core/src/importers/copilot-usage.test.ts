import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'
import { parseAll, parserOf, requestsOf } from '../testing/parse-lines.ts'
import { event, ID, record, reply, shutdown, start, user } from './copilot.fixture.ts'
import { copilotImporter } from './copilot.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const MODEL = 'gpt-5.4'
const session = (id: string): string => `session-state/${id}/events.jsonl`
const text = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const totals = async (by: 'session' | 'model' | 'branch' = 'session') => (await bench.store.usage.report({ by })).total
/** Imports the lines at once. */
const imported = async (lines: readonly object[]) => {
  bench.write(session(ID), text(lines))
  const report = await bench.import()
  return { report, total: await totals() }
}
const requests = (...lines: readonly object[]) =>
  requestsOf(parseAll(parserOf(copilotImporter, `/x/${session(ID)}`), lines))

describe('usage records', () => {
  it('count each request once, whether its message comes before or after it', async () => {
    const { total, report } = await imported([
      start(),
      record('chatcmpl-1', {
        inputTokens: 6004,
        cacheReadTokens: 5004,
        outputTokens: 54,
        reasoningTokens: 10,
        cost: 33,
      }),
      reply('chatcmpl-1', { content: 'one' }),
      reply('chatcmpl-2', { content: 'two', turnId: '1', outputTokens: 55 }),
      record('chatcmpl-2', { inputTokens: 6005, cacheReadTokens: 5005, outputTokens: 55 }),
      record('title', { inputTokens: 300, outputTokens: 8, model: 'known' }),
      shutdown({ [MODEL]: [2, 12_009, 10_009, 0, 109], known: [1, 300, 0, 0, 8] }),
    ])
    expect(report).toMatchObject({ requests: 3, messages: 2, skipped: [] })
    expect(total).toMatchObject({
      requests: 3,
      inputTokens: 2300,
      cacheReadTokens: 10_009,
      outputTokens: 117,
      partialRequests: 0,
      costNano: 8n,
      recordedCostNano: 0n,
      unpricedRequests: 2,
    })
  })

  it('are told apart where a server on this machine numbers its replies at random', async () => {
    const usage = (sequence: number, outputTokens: number) => ({
      inputTokens: 10,
      outputTokens,
      accounting: { sourceSessionId: ID, sequence },
    })
    const { total } = await imported([
      start(),
      record('chatcmpl-7', usage(1, 3)),
      reply('chatcmpl-7', { content: 'one' }),
      record('chatcmpl-7', usage(2, 4)),
      reply('chatcmpl-7', { content: 'two', turnId: '1' }),
    ])
    expect(total).toMatchObject({ requests: 2, inputTokens: 20, outputTokens: 7 })
  })

  it('count once where a fork has copied them', async () => {
    const other = '6a0c1a2b-0000-4000-8000-000000000002'
    const usage = { inputTokens: 10, outputTokens: 3, accounting: { sourceSessionId: ID, sequence: 1 } }
    const lines = [start(), record('chatcmpl-1', usage), reply('chatcmpl-1', { content: 'one' })]
    bench.write(session(ID), text(lines))
    const own = { inputTokens: 7, outputTokens: 2, accounting: { sourceSessionId: other, sequence: 1 } }
    bench.write(session(other), text([...lines, record('chatcmpl-9', own)]))
    await bench.import()
    expect(await totals()).toMatchObject({ requests: 2, inputTokens: 17, outputTokens: 5 })
  })

  it('have what was written to the cache by its lifetime', () => {
    const written = (usage: object) => requests(record('a', { inputTokens: 100, cacheWriteTokens: 40, ...usage }))[0]
    expect(written({})).toMatchObject({ inputTokens: 60, cacheWrite30mTokens: 40 })
    expect(written({ model: 'claude-sonnet-4.6' })).toMatchObject({ inputTokens: 60, cacheWrite5mTokens: 40 })
    expect(written({ model: 'claude-sonnet-4.6', cacheTtlSeconds: 3600 })).toMatchObject({ cacheWrite1hTokens: 40 })
    expect(written({ cacheTtlSeconds: 43_200 })).toMatchObject({ cacheWrite12hTokens: 40 })
  })

  it('name the provider of a key of the user', () => {
    const byok = { isByok: true, modelProvider: 'other', providerType: 'openai' }
    expect(requests(record('a', byok))[0]).toMatchObject({ provider: 'openai' })
    expect(requests(record('a', { modelProvider: 'azure' }))[0]).not.toHaveProperty('provider')
  })

  it('name a request of a subagent', () => {
    const [first, second] = requests(
      record('a', { interactionType: 'conversation-subagent' }),
      record('b', {}, { agentId: 'agent-7' }),
    )
    expect([first?.subagent, second?.subagent]).toEqual(['subagent', 'agent-7'])
  })

  it('are not made up by a shutdown that has more', async () => {
    const { total } = await imported([
      start(),
      record('a', { inputTokens: 10, outputTokens: 3 }),
      shutdown({ [MODEL]: [9, 9000, 0, 0, 900] }),
    ])
    expect(total).toMatchObject({ requests: 1, inputTokens: 10, outputTokens: 3 })
  })
})

describe('a session without usage records', () => {
  it('has the output of its messages, no input and no cost, as long as it has no shutdown', async () => {
    const { total } = await imported([
      start(),
      reply('a', { model: 'known', content: 'one', outputTokens: 30 }),
      reply('b', { model: 'known', content: 'two', outputTokens: 12, turnId: '1' }),
    ])
    expect(total).toMatchObject({ requests: 2, inputTokens: 0, outputTokens: 42, costNano: 0n, unpricedRequests: 2 })
  })

  it('has the totals of its shutdown, divided among its requests', async () => {
    const lines = [
      start(),
      reply('a', { model: 'known', content: 'one', outputTokens: 30 }),
      reply('b', { model: 'known', content: 'two', outputTokens: 12, turnId: '1' }),
    ]
    bench.write(session(ID), text(lines))
    await bench.import()
    bench.write(session(ID), text([...lines, shutdown({ known: [2, 15_535, 14_848, 0, 42] })]))
    expect(await bench.import()).toMatchObject({ requests: 0, messages: 0 })
    expect(await totals()).toMatchObject({
      requests: 2,
      inputTokens: 687,
      cacheReadTokens: 14_848,
      outputTokens: 42,
      costNano: 42n,
      unpricedRequests: 0,
    })
    const each = await bench.store.usage.requests(`copilot:${ID}`)
    expect(each.map(({ inputTokens, cacheReadTokens }) => [inputTokens, cacheReadTokens]).sort()).toEqual([
      [343, 7424],
      [344, 7424],
    ])
  })

  it('that was resumed counts what its last shutdown says, once', async () => {
    const { total } = await imported([
      start(),
      reply('a', { content: 'one', outputTokens: 30 }),
      shutdown({ [MODEL]: [1, 1000, 600, 0, 30] }),
      event('session.resume', { resumeTime: '2026-05-02T09:00:00Z', eventCount: 3, context: { cwd: '/code/app' } }),
      reply('b', { content: 'two', outputTokens: 12, turnId: '1' }),
      reply('c', { content: 'three', outputTokens: 5, turnId: '2' }),
      shutdown({ [MODEL]: [3, 4500, 2600, 100, 47] }),
      shutdown({ [MODEL]: [3, 4500, 2600, 100, 47] }),
    ])
    expect(total).toMatchObject({
      requests: 3,
      inputTokens: 1800,
      cacheReadTokens: 2600,
      cacheWrite30mTokens: 100,
      outputTokens: 47,
    })
  })

  it('counts the requests that no message tells of', async () => {
    const { total } = await imported([
      start(),
      reply('a', { content: 'one', outputTokens: 30 }),
      shutdown({ [MODEL]: [4, 2000, 900, 0, 100], 'gpt-5-mini': [1, 70, 0, 0, 6] }),
    ])
    expect(total).toMatchObject({ requests: 5, inputTokens: 1170, cacheReadTokens: 900, outputTokens: 106 })
  })

  it('counts a reply in several parts once', async () => {
    const part = (chunkIndex: number, content: string) =>
      reply('resp_0123456789abcdef0123', { content, chunkIndex, chunkCount: 2, outputTokens: 30 })
    const { total, report } = await imported([start(), part(0, 'one'), part(1, 'two')])
    expect(report).toMatchObject({ requests: 1, messages: 2 })
    expect(total).toMatchObject({ requests: 1, outputTokens: 30 })
  })

  it('and with them later, after an update, counts both', async () => {
    const { total } = await imported([
      start(),
      reply('a', { content: 'one', outputTokens: 30 }),
      shutdown({ [MODEL]: [1, 1000, 600, 0, 30] }),
      reply('b', { content: 'two', outputTokens: 20, turnId: '1' }),
      record('c', { inputTokens: 500, cacheReadTokens: 100, outputTokens: 12 }),
      reply('c', { content: 'three', turnId: '2' }),
      shutdown({ [MODEL]: [3, 1800, 800, 0, 62] }),
    ])
    expect(total).toMatchObject({ requests: 3, inputTokens: 1000, cacheReadTokens: 800, outputTokens: 62 })
  })

  it('starts again where a total has gone down', async () => {
    const { total } = await imported([
      start(),
      reply('a', { content: 'one', outputTokens: 30 }),
      reply('b', { content: 'two', outputTokens: 30, turnId: '1' }),
      shutdown({ [MODEL]: [2, 1000, 0, 0, 60] }),
      reply('c', { content: 'three', outputTokens: 5, turnId: '2' }),
      shutdown({ [MODEL]: [1, 400, 300, 0, 5] }),
    ])
    expect(total).toMatchObject({ requests: 3, inputTokens: 1100, cacheReadTokens: 300, outputTokens: 65 })
  })

  it('has the sums of its last shutdown, however its requests and shutdowns are spread over imports', async () => {
    const round = fc.record({
      outputs: fc.array(fc.nat(900), { maxLength: 6 }),
      unseen: fc.nat(3),
      input: fc.nat(50_000),
      read: fc.nat(50_000),
      written: fc.nat(9000),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), fc.boolean(), async (rounds, isCut) => {
        const own = createWorkbench()
        try {
          const lines: object[] = [start()]
          const sums = [0, 0, 0, 0, 0] as [number, number, number, number, number]
          for (const [index, { outputs, unseen, input, read, written }] of rounds.entries()) {
            const count = outputs.length + unseen
            if (count === 0) continue
            for (const [turn, output] of outputs.entries())
              lines.push(reply(`r${index}.${turn}`, { content: 'x', turnId: `${index}.${turn}`, outputTokens: output }))
            const hidden = unseen * 7
            const added = [count, input + read + written, read, written, hidden + outputs.reduce((a, b) => a + b, 0)]
            for (const [at, value] of added.entries()) sums[at] = (sums[at] ?? 0) + value
            lines.push(shutdown({ [MODEL]: [...sums] }))
            if (isCut) {
              own.write(session(ID), text(lines))
              await own.import()
            }
          }
          own.write(session(ID), text(lines))
          await own.import()
          const { total } = await own.store.usage.report({ by: 'session' })
          const [, all, read, written, output] = sums
          const isUsed = all + output > 0
          expect(total).toMatchObject({
            inputTokens: all - read - written,
            cacheReadTokens: read,
            cacheWrite30mTokens: written,
            outputTokens: output,
          })
          if (isUsed) expect(total.requests).toBeLessThanOrEqual(sums[0])
          expect((await own.import()).requests).toBe(0)
        } finally {
          own.end()
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('the request for a summary', () => {
  const summary = (used: object) =>
    event('session.compaction_complete', { success: true, summaryContent: 'S', compactionTokensUsed: used })

  it.each([
    ['since 1.0.102', { model: MODEL, inputTokens: 500, cacheReadTokens: 100, outputTokens: 40 }],
    ['before', { model: MODEL, input: 500, cachedInput: 100, output: 40 }],
  ])('is counted beside the totals, which do not hold it: %s', async (_when, used) => {
    const { total } = await imported([
      start(),
      record('a', { inputTokens: 1000, cacheReadTokens: 300, outputTokens: 30 }),
      reply('a', { content: 'one' }),
      summary(used),
      shutdown({ [MODEL]: [1, 1000, 300, 0, 30] }),
    ])
    expect(total).toMatchObject({ requests: 2, inputTokens: 1100, cacheReadTokens: 400, outputTokens: 70 })
  })

  it('is counted once where it has a record, and not where nothing is told of it', async () => {
    const { total } = await imported([
      start(),
      record('s', { inputTokens: 500, outputTokens: 40, interactionType: 'conversation-compaction' }),
      summary({ model: MODEL, inputTokens: 500, outputTokens: 40 }),
      summary({}),
      summary({ model: MODEL, inputTokens: 7, outputTokens: 1 }),
      event('session.compaction_complete', {
        success: false,
        error: 'empty',
        compactionTokensUsed: { model: MODEL, inputTokens: 20, outputTokens: 2 },
      }),
    ])
    expect(total).toMatchObject({ requests: 3, inputTokens: 527, outputTokens: 43 })
  })
})

describe('odd numbers', () => {
  const COUNT = 'a token count that is no whole number; it counts as 0, or is rounded down'

  it.each([-1, 1.5, 1e12, '10', true])('%j in a record, a message or a shutdown is named', async (count) => {
    const path = bench.write(
      session(ID),
      text([
        start(),
        record('a', { inputTokens: count, outputTokens: 5 }),
        reply('b', { content: 'x', outputTokens: count, model: 'm' }),
        event('session.shutdown', { modelMetrics: { other: { usage: { inputTokens: count } } } }),
        user('the end'),
      ]),
    )
    const report = await bench.import()
    expect(report.skipped).toEqual([2, 3, 4].map((line) => ({ file: path, line, reason: COUNT, count: 1 })))
    expect(report).toMatchObject({ messages: 2 })
    expect((await totals('model')).outputTokens).toBe(count === 1.5 ? 6 : 5)
  })

  it('of a shutdown are bounded', () => {
    const many = requests(start(), shutdown({ [MODEL]: [2e9, 5000, 0, 0, 3000] }))
    expect(many.length).toBeLessThanOrEqual(1000)
    expect(many.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0)).toBe(8000)
    const long = [
      start(),
      ...Array.from({ length: 2100 }, (_, turn) => reply('r', { turnId: `${turn}`, outputTokens: 1 })),
    ]
    const settled = requests(...long, shutdown({ [MODEL]: [2100, 2000, 0, 0, 2100] })).slice(2100)
    expect(settled).toHaveLength(2000)
    expect(settled.every(({ inputTokens, outputTokens }) => inputTokens === 1 && outputTokens === 1)).toBe(true)
  })
})
