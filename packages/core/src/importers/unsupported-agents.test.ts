import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { join } from 'node:path'
import { createWorkbench, generic, type Workbench } from '../testing/import-workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
})
afterEach(() => bench.end())

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)
const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** A file's content, and whose it is where the path says nothing. */
const CONTENTS: readonly (readonly [agent: string, name: string, content: string])[] = [
  ['VS Code chat', 'a.json', pretty({ version: 3, requesterUsername: 'ann', responderUsername: 'Bot', requests: [] })],
  ['VS Code chat', 'a.jsonl', lines({ kind: 0, v: { version: 3, creationDate: 1, sessionId: 's', requests: [] } })],
]

/** Where agents keep what names nobody, or is no text. */
const PATHS: readonly (readonly [agent: string, path: string, content: string | Uint8Array])[] = [
  ['Early GitHub Copilot CLI', '.copilot/history-session-state/session_1.json', '{}'],
  ['Cursor CLI', '.cursor/projects/w/agent-transcripts/1.jsonl', lines({ role: 'user', message: { content: [] } })],
  [
    'Cursor CLI',
    '.cursor/projects/w/agent-transcripts/11111111-2222-3333-4444-555555555555.jsonl',
    lines({ role: 'user', message: { content: [] } }),
  ],
  ['Cursor CLI', '.cursor/chats/h/i/store.db', Uint8Array.from([83, 81, 76, 0, 1, 0])],
  ['VS Code chat', 'Code/User/workspaceStorage/1/chatSessions/2.json', '{}'],
]

describe('agents that are not supported yet', () => {
  it.each([...CONTENTS, ...PATHS])('are reported: %s, %s', async (agent, path, content) => {
    const file = bench.write(path, content)
    const skipped = [{ file, reason: `${agent} sessions are not supported yet`, count: 1 }]
    expect(await bench.import({ from: [file] })).toMatchObject({ sessions: 0, skipped })
    expect(await bench.import({ from: [bench.folder] })).toMatchObject({ sessions: 0, skipped })
  })

  it('are reported too where another agent was named', async () => {
    const [, name = '', content = ''] = CONTENTS.find(([agent]) => agent === 'VS Code chat') ?? []
    const file = bench.write(name, content)
    const { skipped } = await bench.import({ from: [file], agent: 'claude-code' })
    expect(skipped).toEqual([
      { file, reason: 'holds nothing of claude-code: VS Code chat sessions are not supported yet', count: 1 },
    ])
  })

  it.each([
    ['session', { id: 'ses_1', slug: 'calm-garden', projectID: 'p', directory: '/w' }],
    ['message', { id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 } }],
    ['part', { id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1', type: 'text', text: 'x' }],
  ])("a %s of OpenCode's storage that was taken out of it is told from the whole", async (_what, content) => {
    const file = bench.write('taken-out.json', pretty(content))
    const reason = 'a part of an OpenCode session; import the folder "storage" that it comes from as a whole'
    expect((await bench.import({ from: [file] })).skipped).toEqual([{ file, reason, count: 1 }])
  })

  it('do not claim files of an importer, or files that only quote them', async () => {
    bench.write('tmp/w/chats/session-1.jsonl', `${generic('hi')}\n`)
    const quote = bench.write('quote.jsonl', lines({ quotedText: pretty({ sessionId: 's', projectHash: 'h' }) }))
    expect(await bench.import({ from: [bench.folder] })).toMatchObject({
      messages: 1,
      skipped: [{ file: quote, reason: 'not a transcript of a known agent', count: 1 }],
    })
    expect(join(bench.folder, 'quote.jsonl')).toBe(quote)
  })
})
