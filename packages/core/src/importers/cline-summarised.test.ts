import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { modelHistory } from '../session/model-history.ts'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'

const TASK = 'roo-cline/tasks/t1'
const T = 1_755_635_300_000
const say = (after: number, kind: string, text: string) => ({ ts: T + after, type: 'say', say: kind, text })
const ask = (after: number, kind: string, value: object) => ({
  ts: T + after,
  type: 'ask',
  ask: kind,
  text: JSON.stringify(value),
})
const spoken = (after: number, role: string, text: string, more: object = {}) => ({
  role,
  ts: T + after,
  content: [{ type: 'text', text }],
  ...more,
})

const TASK_MESSAGE = spoken(100, 'user', '<task>\nMend the login\n</task>')
const KEPT = [spoken(9_000, 'user', '<feedback>\nGo on\n</feedback>'), spoken(9_500, 'assistant', 'Going on')]
const SUMMARY = spoken(9_000, 'assistant', 'They mended the login', { isSummary: true })
const DISPLAY = [
  say(0, 'text', 'Mend the login'),
  say(200, 'reasoning', 'Where is the login?'),
  say(300, 'text', 'I read the login first'),
  ask(400, 'tool', { tool: 'readFile', path: 'src/login.ts', content: '/code/src/login.ts' }),
  {
    ts: T + 450,
    type: 'say',
    say: 'api_req_started',
    text: JSON.stringify({ tokensIn: 100, tokensOut: 20, cost: 0.5 }),
  },
  say(500, 'user_feedback', 'The key is SECRET, not that one'),
  say(600, 'subtask_result', 'The subtask is done'),
  say(8_900, 'user_feedback', 'Go on'),
  say(9_400, 'reasoning', 'It is clear what to do'),
  say(9_450, 'text', 'Going on'),
]

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const take = async (history: readonly object[]): Promise<string> => {
  bench.write(`${TASK}/api_conversation_history.json`, JSON.stringify(history))
  bench.write(`${TASK}/ui_messages.json`, JSON.stringify(DISPLAY))
  await bench.import({ agent: 'roo' })
  return 'roo:t1'
}

describe('messages that condensing removed from the history', () => {
  it('are read from the display, in order, before the summary, and out of view', async () => {
    const id = await take([TASK_MESSAGE, SUMMARY, ...KEPT])
    const log = await bench.store.sessions.read(id)
    const messages = log.filter(({ kind }) => kind === 'message' || kind === 'compaction')
    expect(
      messages.map((entry) =>
        entry.kind === 'message' ? `${entry.role} ${entry.content.map(({ type }) => type).join()}` : entry.kind,
      ),
    ).toEqual([
      'user text',
      'assistant thinking',
      'assistant text',
      'assistant tool_call',
      'user text',
      'user text',
      'compaction',
      'assistant text',
      'user text',
      'assistant text',
    ])
    expect(messages.map(({ at }) => at)).toEqual(
      [...messages.map(({ at }) => at ?? 0)].toSorted((left, right) => left - right),
    )
    expect(messages[3]).toMatchObject({ at: T + 400, content: [{ name: 'readFile', input: { path: 'src/login.ts' } }] })
    expect(JSON.stringify(modelHistory(log))).not.toContain('I read the login first')
    expect((await bench.store.usage.report({ by: 'session' })).total).toMatchObject({
      requests: 1,
      inputTokens: 100,
      outputTokens: 20,
      costNano: 500_000_000n,
    })
  })

  it('are redacted', async () => {
    const id = await take([TASK_MESSAGE, SUMMARY, ...KEPT])
    expect((await bench.texts(id)).filter((text) => text.includes('The key is'))).toEqual([
      'The key is [redacted:x], not that one',
    ])
  })

  it('are imported once, however often the task is imported', async () => {
    const id = await take([TASK_MESSAGE, SUMMARY, ...KEPT])
    const before = await bench.texts(id)
    await take([TASK_MESSAGE, SUMMARY, ...KEPT, spoken(9_900, 'user', 'Thanks')])
    expect(await bench.texts(id)).toEqual([...before, 'Thanks'])
  })

  it('are not repeated where they were imported before condensing', async () => {
    const textRow = [
      TASK_MESSAGE,
      spoken(310, 'assistant', 'I read the login first'),
      spoken(510, 'user', '<feedback>\nThe key is SECRET, not that one\n</feedback>'),
    ]
    const id = await take(textRow)
    const before = await bench.texts(id)
    await take([TASK_MESSAGE, SUMMARY, ...KEPT])
    const after = await bench.texts(id)
    expect(after.slice(0, before.length)).toEqual(before)
    // The subtask came between the two imports.
    expect(after.slice(before.length)).toEqual([
      'The subtask is done',
      'They mended the login',
      expect.stringContaining('Go on'),
      'Going on',
    ])
    // What was known before is known after a second condensing, too.
    await take([
      TASK_MESSAGE,
      spoken(9_800, 'assistant', 'All is mended', { isSummary: true }),
      spoken(9_900, 'user', 'Thanks'),
    ])
    expect((await bench.texts(id)).slice(after.length)).toEqual(['All is mended', 'Thanks'])
  })

  it('are imported later where the display was missing at first', async () => {
    bench.write(`${TASK}/api_conversation_history.json`, JSON.stringify([TASK_MESSAGE, SUMMARY, ...KEPT]))
    await bench.import({ agent: 'roo' })
    expect(await bench.texts('roo:t1')).not.toContain('I read the login first')
    expect(await bench.texts(await take([TASK_MESSAGE, SUMMARY, ...KEPT, spoken(9_900, 'user', 'Thanks')]))).toContain(
      'I read the login first',
    )
  })

  it('are imported even when the previous import was incomplete', async () => {
    const whole = JSON.stringify([TASK_MESSAGE, spoken(700, 'assistant', 'x'), SUMMARY])
    bench.write(`${TASK}/api_conversation_history.json`, whole.slice(0, whole.indexOf('They mended')))
    await bench.import({ agent: 'roo' })
    const id = await take([TASK_MESSAGE, SUMMARY, ...KEPT])
    expect((await bench.texts(id)).filter((text) => text === 'I read the login first')).toHaveLength(1)
  })

  it('are none where the history is complete, or has no summary', async () => {
    const textRow = [
      spoken(310, 'assistant', 'I read the login first'),
      spoken(510, 'user', '<feedback>\nThe key is SECRET, not that one\n</feedback>'),
      spoken(610, 'user', 'The subtask is done'),
    ]
    const id = await take([TASK_MESSAGE, ...textRow, SUMMARY, ...KEPT])
    expect((await bench.texts(id)).filter((text) => text.startsWith('I read'))).toHaveLength(1)
    expect(await bench.texts(id)).toHaveLength(7)
    const other = createWorkbench()
    other.write(`${TASK}/api_conversation_history.json`, JSON.stringify([TASK_MESSAGE, ...KEPT]))
    other.write(`${TASK}/ui_messages.json`, JSON.stringify(DISPLAY))
    await other.import({ agent: 'roo' })
    expect(await other.texts('roo:t1')).toHaveLength(3)
    other.end()
  })
})
