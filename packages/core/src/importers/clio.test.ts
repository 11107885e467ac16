/** Session files of CLIO as its own code writes them; no real one is public. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { JSON_LEVELS } from '../json.ts'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const SESSION = '3f0c1a2b-0000-4000-8000-00000000000a'
const FILE = `app/.clio/sessions/${SESSION}.json`
const ID = `clio:${SESSION}`
const AT = 1_767_225_600

/** A message, so many seconds after the beginning. */
const message = (role: string, second: number, content: unknown, more: object = {}) => ({
  role,
  content,
  id: `${role}-${second}-4000-8000-000000000000`,
  timestamp: new Date((AT + second) * 1000).toISOString(),
  metadata: { sessionId: SESSION, source: 'primary', unix_timestamp: AT + second },
  _importance: 1.5,
  ...more,
})
const request = (second: number, prompt: unknown, completion: unknown, model = 'github_copilot/known') => ({
  timestamp: AT + second,
  model,
  multiplier: 1,
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: 0,
})
const call = (id: string, name: string, input: object) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})

const ASKED = message('user', 0, 'Fix the sums')
const REPLY = message('assistant', 2, 'I look.', {
  reasoning_content: 'The sum is off.',
  tool_calls: [call('c1', 'read_file', { path: 'sum.ts' })],
})
const RESULT = message('tool', 3, 'one\ntwo', { tool_call_id: 'c1' })
const DONE = message('assistant', 5, 'It is right now.')

interface Parts {
  readonly history?: readonly unknown[]
  readonly yarn?: readonly unknown[]
  readonly requests?: readonly unknown[]
  readonly more?: object
}
const write = ({ history = [], yarn = history, requests = [], more = {} }: Parts, file = FILE): string =>
  bench.write(
    file,
    JSON.stringify({
      history,
      stm: [],
      yarn: { [SESSION]: yarn },
      working_directory: '/code/app',
      created_at: AT,
      billing: { total_requests: requests.length, model: 'known', requests },
      session_name: 'Sums',
      ...more,
    }),
  )
const entries = () => bench.store.sessions.read(ID)
const texts = async () =>
  (await entries()).flatMap((entry) =>
    entry.kind === 'message' ? [[entry.role, entry.content[0]?.type === 'text' ? entry.content[0].text : '']] : [],
  )

describe('CLIO', () => {
  it('maps messages with their reasoning, calls and results, and requests', async () => {
    write({
      history: [ASKED, REPLY, RESULT, DONE],
      requests: [request(2, 1200, 40), request(5, 1300, 9), request(5, 0, 0)],
    })
    expect(await bench.import()).toMatchObject({ sessions: 1, messages: 4, requests: 2, skipped: [] })
    expect(await bench.store.sessions.get(ID)).toMatchObject({ workspace: '/code/app', title: 'Sums' })
    expect(await entries()).toMatchObject([
      { kind: 'message', role: 'user', at: AT * 1000, content: [{ type: 'text', text: 'Fix the sums' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'The sum is off.' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_call', id: 'c1', name: 'read_file', input: '{"path":"sum.ts"}' },
        ],
      },
      { kind: 'model', model: 'known', at: (AT + 2) * 1000 },
      { role: 'tool', content: [{ type: 'tool_result', callId: 'c1', content: [{ text: 'one\ntwo' }] }] },
      { role: 'assistant', content: [{ text: 'It is right now.' }] },
      { kind: 'model' },
    ])
    const { total } = await bench.store.usage.report({ by: 'model' })
    expect(total).toMatchObject({ requests: 2, inputTokens: 2500, cacheReadTokens: 0, outputTokens: 49, costNano: 49n })
  })

  it('has messages that were trimmed from the history, each once and in order', async () => {
    write({ history: [ASKED, DONE, message('assistant', 9, 'only here')], yarn: [ASKED, REPLY, RESULT, DONE] })
    await bench.import()
    expect(await texts()).toEqual([
      ['user', 'Fix the sums'],
      ['assistant', ''],
      ['tool', ''],
      ['assistant', 'It is right now.'],
      ['assistant', 'only here'],
    ])
  })

  it('takes in only what is new, also where the history was trimmed or repaired meanwhile', async () => {
    write({ history: [ASKED, REPLY, RESULT], requests: [request(2, 1200, 40)] })
    await bench.import()
    await bench.store.sessions.append({ id: ID, agent: 'clio', externalId: SESSION, title: 'Mine' }, 'end', [])
    write({
      history: [RESULT, DONE],
      yarn: [ASKED, REPLY, RESULT, DONE],
      requests: [request(2, 1200, 40), request(5, 1300, 9)],
    })
    expect(await bench.import()).toMatchObject({ sessions: 0, messages: 1, requests: 1 })
    expect(await bench.import()).toMatchObject({ files: 0, messages: 0, requests: 0 })
    expect(await bench.store.sessions.get(ID)).toMatchObject({ title: 'Mine' })
    const lines = await bench.source(ID)
    expect(lines).toHaveLength(6)
    expect((await texts()).length).toBe(4)
  })

  it('tells what its program wrote, and a subagent', async () => {
    write({
      history: [
        message('system', 0, '<thread_summary>\nCurrent task: x\n</thread_summary>'),
        message('user', 1, '<thread_summary>\nolder\n</thread_summary>'),
        message('user', 2, 'Fix the sums'),
        message('assistant', 3, 'found', { metadata: { source: 'subagent', unix_timestamp: AT + 3 } }),
      ],
      more: { session_name: null },
    })
    await bench.import()
    expect(await entries()).toMatchObject([
      { role: 'system', origin: 'meta' },
      { role: 'user', origin: 'meta' },
      { role: 'user' },
      { role: 'assistant', subagent: 'subagent' },
    ])
    expect((await entries())[2]).not.toHaveProperty('origin')
    expect(await bench.store.sessions.get(ID)).toMatchObject({ title: 'Fix the sums' })
  })

  it('keeps what is damaged apart: odd messages, odd numbers, deep values', async () => {
    const deep = '{"a":'.repeat(JSON_LEVELS + 20) + '1' + '}'.repeat(JSON_LEVELS + 20)
    const path = bench.write(
      FILE,
      JSON.stringify({
        history: [
          ASKED,
          'text',
          message('nobody', 1, 'x'),
          message('user', 2, { type: '__TIMEOUT__' }),
          { role: { role: 'user', content: 'nested' }, content: null },
          { role: 'user', content: 'no id' },
          { role: 'user', content: 'no id' },
          message('assistant', 4, 'DEEP'),
          message('user', 5, ''),
        ],
        stm: [],
        working_directory: '/code/app',
        billing: { requests: [request(2, -5, 7, 'known'), 'x', request(3, 10, 2.5, 'unknown')] },
        selected_model: 'openai/gpt-5',
      }).replace('"DEEP"', deep),
    )
    const report = await bench.import()
    expect(report).toMatchObject({ messages: 5, requests: 2 })
    expect(report.skipped.map(({ file, reason }) => [file, reason.slice(0, 40)]).sort()).toEqual([
      [path, 'a message whose role is not known'],
      [path, 'a token count that is no whole number; i'],
      [path, 'a token count that is no whole number; i'],
      [path, 'nested over 500 levels deep: what lies d'],
    ])
    const { rows } = await bench.store.usage.report({ by: 'model' })
    expect(rows.map(({ key, inputTokens, outputTokens }) => [key, inputTokens, outputTokens]).sort()).toEqual([
      ['gpt-5', 10, 2],
      ['known', 0, 7],
    ])
    expect(JSON.stringify(await entries())).toContain('__TIMEOUT__')
  })

  it.each([
    ['cut off', '{"history": [{"role": "us', 'not valid JSON'],
    ['another document', '{"todos": []}', 'not a session of CLIO'],
    ['a list', '[]', 'not a session of CLIO'],
  ])('names a file that is %s, and takes it in when it is whole', async (_what, content, reason) => {
    const file = bench.write(FILE, content)
    expect(await bench.import()).toMatchObject({ messages: 0, skipped: [{ file, reason, count: 1 }] })
    write({ history: [ASKED] })
    expect(await bench.import()).toMatchObject({ messages: 1, skipped: [] })
  })

  it('finds sessions in projects, and leaves what lies beside them', async () => {
    write({ history: [ASKED] })
    bench.write('app/.clio/ltm.json', '{"patterns": {}}')
    bench.write(`app/.clio/sessions/${SESSION}/todos.json`, '[]')
    bench.write('app/.clio/memory/x.json', '{}')
    expect(await bench.import({ from: [bench.folder] })).toMatchObject({ sessions: 1, messages: 1, skipped: [] })
  })

  it('is recognised in a copy by its content', async () => {
    write({ history: [ASKED] }, 'copy/one.json')
    expect(await bench.import()).toMatchObject({ sessions: 1, messages: 1, skipped: [] })
    expect((await bench.store.sessions.list({ agent: 'clio' })).total).toBe(1)
  })

  it('leaves out a session that is incognito', async () => {
    write({ history: [ASKED] })
    bench.write('home/.local/share/cairn/incognito.jsonl', `{"agent":"clio","session":"${SESSION}"}\n`)
    expect(await bench.import({ from: [`${bench.folder}/app`] })).toMatchObject({
      messages: 0,
      skipped: [{ reason: 'incognito' }],
    })
  })

  it('of whatever values is taken in once, or named', async () => {
    const anything = fc.jsonValue({ maxDepth: 2 })
    const odd = fc.record(
      {
        role: fc.oneof(fc.constantFrom('user', 'assistant', 'tool', 'system'), anything),
        content: fc.oneof(fc.string(), anything),
        id: fc.oneof(fc.constantFrom('a', 'b'), anything),
        metadata: anything,
        timestamp: anything,
        tool_calls: anything,
        tool_call_id: anything,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(odd, anything), { maxLength: 6 }),
        fc.oneof(fc.array(odd, { maxLength: 4 }), anything),
        fc.array(fc.oneof(anything, fc.record({ prompt_tokens: anything, completion_tokens: anything }))),
        async (history, thread, requests) => {
          const own = createWorkbench()
          try {
            own.write(
              FILE,
              JSON.stringify({ history, yarn: { x: thread }, billing: { requests }, session_name: thread }),
            )
            await own.import()
            expect(await own.import()).toMatchObject({ messages: 0, requests: 0 })
          } finally {
            own.end()
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('of many messages is read in parts', async () => {
    const history = Array.from({ length: 1203 }, (_, second) =>
      message('user', second, `${second} ${'x'.repeat(second % 50)}`),
    )
    write({ history, requests: history.map((_, second) => request(second, second + 1, 1)) })
    expect(await bench.import()).toMatchObject({ messages: 1203, requests: 1203 })
    expect(await bench.import()).toMatchObject({ messages: 0, requests: 0 })
    const { total } = await bench.store.usage.report({ by: 'session' })
    expect(total.inputTokens).toBe((1203 * 1204) / 2)
  })
})
