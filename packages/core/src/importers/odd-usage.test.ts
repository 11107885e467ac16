/** Requests whose numbers can't be right: the messages are kept, the rest counts, and what does not is named. */
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const AT = '2026-01-01T00:00:00Z'
const COST = 'a cost that is no amount from $0 to $1,000,000; the tokens count by their prices'
const COUNT = 'a token count that is no whole number; it counts as 0, or is rounded down'

const pi = (id: string, usage: object): string =>
  JSON.stringify({
    type: 'message',
    id,
    timestamp: AT,
    message: { role: 'assistant', model: 'm', content: [{ type: 'text', text: `reply ${id}` }], usage },
  })
const piFile = (...usages: readonly object[]): string =>
  [
    JSON.stringify({ type: 'session', version: 3, id: 'p', timestamp: AT, cwd: '/w' }),
    ...usages.map((usage, index) => pi(`r${index}`, usage)),
  ]
    .map((line) => `${line}\n`)
    .join('')

it.each([
  [1e308, COST],
  [1e15, COST],
  [1_000_001, COST],
  [-3, COST],
  ['0.5', COST],
  [1_000_000, undefined],
  [0, undefined],
  [null, undefined],
])('a cost of %j keeps the reply and its tokens', async (total, reason) => {
  const file = bench.write('p.jsonl', piFile({ input: 10, output: 5, cost: { total } }))
  const report = await bench.import()
  expect(report.skipped).toEqual(reason === undefined ? [] : [{ file, line: 2, reason, count: 1 }])
  expect(await bench.texts('pi:p')).toEqual(['reply r0'])
  const { total: usage } = await bench.store.usage.report({ by: 'session' })
  expect(usage).toMatchObject({ requests: 1, inputTokens: 10, outputTokens: 5 })
  expect(usage.recordedCostNano).toBe(total === 1_000_000 ? 1_000_000_000_000_000n : 0n)
})

it.each([-1, 1.5, 1e12, '10', true])('a count of %j is named, whichever agent wrote it', async (count) => {
  const path = (name: string, lines: readonly object[]): string =>
    bench.write(name, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const ui = (told: object) => ({
    ts: 1_700_000_000_000,
    type: 'say',
    say: 'api_req_started',
    text: JSON.stringify(told),
  })
  const usage = { input_tokens: count, output_tokens: 5 }
  const files = [
    bench.write('p.jsonl', piFile({ input: count, output: 5 })),
    bench.write('roo/tasks/t/ui_messages.json', JSON.stringify([ui({ tokensIn: count, tokensOut: 5 })])),
    path('rollout-1.jsonl', [
      { timestamp: AT, type: 'session_meta', payload: { id: 'c', cwd: '/w' } },
      {
        timestamp: AT,
        type: 'event_msg',
        payload: { type: 'token_count', info: { total_token_usage: usage, last_token_usage: usage } },
      },
    ]),
    path('projects/p/5f0c1a2b-0000-4000-8000-000000000001.jsonl', [
      {
        type: 'assistant',
        uuid: 'a',
        sessionId: '5f0c1a2b-0000-4000-8000-000000000001',
        timestamp: AT,
        message: { id: 'm', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'x' }], usage },
      },
    ]),
    path('gemini.jsonl', [
      { sessionId: 'g', projectHash: 'h', startTime: AT },
      { id: 'r', timestamp: AT, type: 'gemini', content: 'x', tokens: { input: count, output: 5 }, model: 'm' },
    ]),
  ]
  bench.write('roo/tasks/t/api_conversation_history.json', '[{"role":"user","content":"hi"}]')
  const { skipped } = await bench.import()
  expect(skipped.map(({ file, reason }) => [file, reason]).sort()).toEqual(files.map((file) => [file, COUNT]).sort())
  const { total } = await bench.store.usage.report({ by: 'session' })
  expect(total).toMatchObject({ requests: 5, inputTokens: count === 1.5 ? 5 : 0, outputTokens: 25 })
})
