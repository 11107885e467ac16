import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'

const TASK = 'tasks/1755635300000'
const ID = 'cline:1755635300000'
const T = 1_755_635_300_000
const row = (after: number, type: 'say' | 'ask', kind: string, text: string | object) => ({
  ts: T + after,
  type,
  [type]: kind,
  text: typeof text === 'string' ? text : JSON.stringify(text),
})
const REQUEST = row(200, 'say', 'api_req_started', { tokensIn: 100, tokensOut: 20, cost: 0.5 })
const DISPLAY = [
  row(0, 'say', 'text', 'Mend the login'),
  REQUEST,
  row(300, 'say', 'reasoning', 'Where is it?'),
  row(400, 'say', 'text', 'I read it first'),
  row(500, 'say', 'tool', { tool: 'readFile', path: 'src/login.ts' }),
  row(600, 'ask', 'command', 'npm test'),
  row(700, 'say', 'command_output', 'all green'),
  row(800, 'ask', 'plan_mode_respond', { response: 'Shall I go on?', options: [] }),
  row(900, 'say', 'user_feedback', 'Yes, please'),
  row(950, 'say', 'completion_result', ''),
]

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const display = (rows: readonly object[], name = 'ui_messages.json'): string =>
  bench.write(`${TASK}/${name}`, JSON.stringify(rows))

describe('a task of which only the display file exists', () => {
  it('has its messages, title and requests', async () => {
    display(DISPLAY)
    expect(await bench.import()).toMatchObject({ sessions: 1, messages: 8, requests: 1, skipped: [] })
    const log = await bench.store.sessions.read(ID)
    expect(
      log.flatMap((entry) =>
        entry.kind !== 'message' ? [] : [[entry.role, entry.origin ?? 'own', entry.content[0]?.type]],
      ),
    ).toEqual([
      ['user', 'own', 'text'],
      ['assistant', 'own', 'thinking'],
      ['assistant', 'own', 'text'],
      ['assistant', 'own', 'tool_call'],
      ['assistant', 'own', 'tool_call'],
      ['user', 'meta', 'text'],
      ['assistant', 'own', 'text'],
      ['user', 'own', 'text'],
    ])
    expect(JSON.stringify(log)).toContain('"name":"execute_command","input":{"command":"npm test"}')
    expect(await bench.texts(ID)).toEqual([
      'Mend the login',
      'I read it first',
      'all green',
      'Shall I go on?',
      'Yes, please',
    ])
    expect(await bench.store.sessions.get(ID)).toMatchObject({ title: 'Mend the login', costNano: 500_000_000n })
  })

  it('imports each message once, however often the file is saved', async () => {
    display(DISPLAY)
    await bench.import()
    display([...DISPLAY, row(990, 'say', 'text', 'Done')])
    expect(await bench.import()).toMatchObject({ sessions: 0, messages: 1, requests: 0 })
  })

  it('is read also from its old file name, and where the history is empty', async () => {
    bench.write(`${TASK}/api_conversation_history.json`, '[]')
    display(DISPLAY, 'claude_messages.json')
    expect(await bench.import()).toMatchObject({ sessions: 1, messages: 8 })
  })

  it('is reported and skipped where it has no reply, without an empty session', async () => {
    const path = display([row(0, 'say', 'text', 'Mend the login'), row(1, 'say', 'api_req_started', { request: 'x' })])
    expect(await bench.import()).toMatchObject({
      sessions: 0,
      messages: 0,
      skipped: [{ file: path, count: 1, reason: expect.stringContaining('the task was left out') }],
    })
    expect(await bench.store.sessions.list({})).toEqual({ sessions: [], total: 0 })
  })

  it('repeats nothing where the history is beside it', async () => {
    const textRow = { role: 'user', ts: T, content: [{ type: 'text', text: '<task>\nMend the login\n</task>' }] }
    bench.write(`${TASK}/api_conversation_history.json`, JSON.stringify([textRow]))
    display(DISPLAY)
    expect(await bench.import()).toMatchObject({ sessions: 1, messages: 1, requests: 1 })
  })
})
