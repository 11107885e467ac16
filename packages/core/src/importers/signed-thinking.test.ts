import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createWorkbench, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const SECRET = `gh${'p_'}${'a1B2'.repeat(9)}`
const thinking = (text: string) => ({ type: 'thinking', thinking: text, signature: `signed ${text.length}` })
const line = (id: string, content: readonly object[]): string =>
  `${JSON.stringify({
    type: 'assistant',
    sessionId: 's',
    cwd: '/p',
    uuid: id,
    timestamp: '2026-05-01T09:00:00Z',
    message: { id: `msg-${id}`, role: 'assistant', model: 'claude-opus-4-6', content },
  })}\n`

it('reasoning that held a secret is kept without its signature; other reasoning keeps its own', async () => {
  const plain = thinking('the key is in the environment')
  const held = thinking(`use ${SECRET}`)
  const sealed = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix' }
  const text = { type: 'text', text: SECRET }
  const path = bench.write('projects/p/s.jsonl', line('m1', [plain, held, sealed, text]) + line('m2', [plain]))
  await bench.import({ redact: true, agent: 'claude-code', from: [path] })
  const [session] = await bench.store.sessions.resolve('claude-code', 2)
  const entries = await bench.store.sessions.read(session?.id ?? '')
  const kept = { type: 'thinking', text: plain.thinking, signature: plain.signature }
  expect(entries.flatMap((entry) => (entry.kind === 'message' ? [entry.content] : []))).toEqual([
    [
      kept,
      { type: 'thinking', text: 'use [redacted:github-token]' },
      { type: 'other', value: sealed },
      { type: 'text', text: '[redacted:github-token]' },
    ],
    [kept],
  ])
})
