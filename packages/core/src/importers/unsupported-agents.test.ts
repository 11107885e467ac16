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
const chat = { role: 'user', content: 'hi' }

/** A file's content, and whose it is where the path says nothing. */
const CONTENTS: readonly (readonly [agent: string, name: string, content: string])[] = [
  ['Gemini CLI', 'a.json', pretty({ sessionId: 's', projectHash: 'h', startTime: 't', messages: [] })],
  ['Gemini CLI', 'a.jsonl', lines({ sessionId: 's', projectHash: 'h', kind: 'main' }, { $set: { messages: [] } })],
  ['Aider', 'a.md', '\n# aider chat started at 2026-01-02 03:04:05\n\n> Aider v0.85.1\n\n#### hello\n'],
  [
    'Aider',
    'analytics.jsonl',
    lines({ event: 'message_send', properties: { main_model: 'gpt-4o', prompt_tokens: 5 }, user_id: 'u', time: 1 }),
  ],
  [
    'Continue',
    'a.json',
    pretty({ sessionId: 's', title: 't', workspaceDirectory: '/w', history: [{ message: chat }] }),
  ],
  ['Continue', 'list.json', pretty([{ sessionId: 's', title: 't', dateCreated: '1', workspaceDirectory: '/w' }])],
  ['OpenCode', 'export.json', pretty({ info: { id: 'ses_1', slug: 'calm-garden', directory: '/w' }, messages: [] })],
  ['OpenCode', 'message.json', pretty({ id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 1 } })],
  ['OpenCode', 'part.json', pretty({ id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1', type: 'text', text: 'x' })],
  [
    'GitHub Copilot CLI',
    'a.jsonl',
    lines(
      { type: 'session.start', data: { sessionId: 's', producer: 'copilot-agent', copilotVersion: '1.0' } },
      { type: 'user.message', data: { content: 'hi' } },
    ),
  ],
  ['Cursor', 'a.json', pretty({ composerId: 'c', conversation: [{ type: 1, bubbleId: 'b', text: 'hi' }] })],
  ['VS Code chat', 'a.json', pretty({ version: 3, requesterUsername: 'ann', responderUsername: 'Bot', requests: [] })],
  ['VS Code chat', 'a.jsonl', lines({ kind: 0, v: { version: 3, creationDate: 1, sessionId: 's', requests: [] } })],
  ['CLIO', 'a.json', pretty({ working_directory: '/w', session_name: 'n', history: [], stm: {}, yarn: {} })],
]

/** Where agents keep what names nobody, or is no text. */
const PATHS: readonly (readonly [agent: string, path: string, content: string | Uint8Array])[] = [
  ['Gemini CLI', '.gemini/tmp/w/logs.json', '[]'],
  ['Gemini CLI', 'tmp/w/chats/session-1.json', '{}'],
  ['Aider', 'w/.aider.chat.history.md', '#### hello\n'],
  ['Aider', 'w/.aider.input.history', '# 2026\n+hello\n'],
  ['Continue', '.continue/sessions/s.json', '{}'],
  ['OpenCode', 'share/opencode/storage/session_diff/x.json', '[]'],
  ['OpenCode', 'share/opencode/opencode.db', Uint8Array.from([83, 81, 76, 0, 1, 0])],
  ['GitHub Copilot CLI', 'session-state/0/events.jsonl', '{"type":"user.message"}\n'],
  ['Cursor', '.cursor/projects/w/agent-transcripts/1.jsonl', lines({ role: 'user', message: { content: [] } })],
  [
    'Cursor',
    '.cursor/projects/w/agent-transcripts/11111111-2222-3333-4444-555555555555.jsonl',
    lines({ role: 'user', message: { content: [] } }),
  ],
  ['Cursor', '.cursor/chats/h/i/store.db', Uint8Array.from([83, 81, 76, 0, 1, 0])],
  ['Cursor', 'Cursor/User/globalStorage/state.vscdb', Uint8Array.from([83, 81, 76, 0, 1, 0])],
  ['VS Code chat', 'Code/User/workspaceStorage/1/chatSessions/2.json', '{}'],
  ['CLIO', 'w/.clio/sessions/1.json', '{}'],
]

describe('agents that are not supported yet', () => {
  it.each([...CONTENTS, ...PATHS])('are reported: %s, %s', async (agent, path, content) => {
    const file = bench.write(path, content)
    const skipped = [{ file, reason: `${agent} sessions are not supported yet`, count: 1 }]
    expect(await bench.import({ from: [file] })).toMatchObject({ sessions: 0, skipped })
    // Of a folder's other texts only the name is looked at.
    if (path !== 'a.md') expect(await bench.import({ from: [bench.folder] })).toMatchObject({ sessions: 0, skipped })
  })

  it('are reported too where another agent was named', async () => {
    const [[, name, content] = ['', '', '']] = CONTENTS
    const file = bench.write(name, content)
    const { skipped } = await bench.import({ from: [file], agent: 'claude-code' })
    expect(skipped).toEqual([
      { file, reason: 'holds nothing of claude-code: Gemini CLI sessions are not supported yet', count: 1 },
    ])
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
