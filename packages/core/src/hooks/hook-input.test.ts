import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseHookInput } from './hook-input.ts'

describe('the input of a hook', () => {
  it.each([
    [
      'Claude Code, Codex and Gemini',
      { session_id: 's', transcript_path: '/t.jsonl', cwd: '/p', source: 'resume', prompt: ' why? ' },
      { sessionId: 's', transcriptPath: '/t.jsonl', folder: '/p', source: 'resume', prompt: 'why?' },
    ],
    [
      'Copilot CLI',
      { sessionId: 's', transcriptPath: 'C:\\t.jsonl', cwd: 'C:\\p', initialPrompt: 'why?' },
      { sessionId: 's', transcriptPath: 'C:\\t.jsonl', folder: 'C:\\p', prompt: 'why?' },
    ],
    ['OpenCode', { sessionID: 's', directory: '/p' }, { sessionId: 's', folder: '/p' }],
    [
      'Cline, a task',
      { taskId: '17', workspaceRoots: ['/p', '/q'], taskStart: { taskMetadata: { initialTask: 'why?' } } },
      { sessionId: '17', folder: '/p', prompt: 'why?' },
    ],
    [
      'Cline, a prompt',
      { taskId: '17', workspaceRoots: [], userPromptSubmit: { prompt: 'why?' } },
      { sessionId: '17', prompt: 'why?' },
    ],
    ['one who wants no trace', { session_id: 's', incognito: true }, { sessionId: 's', isIncognito: true }],
  ])('is read from %s', (_, input, expected) => {
    expect(parseHookInput(JSON.stringify(input))).toEqual({ isIncognito: false, ...expected })
  })

  it.each([
    ['a relative transcript', { transcript_path: '../../etc/passwd', cwd: 'here' }],
    ['a path with NUL', { transcript_path: '/a\0b', cwd: '/\0' }],
    ['names without end', { session_id: 'x'.repeat(5_000) }],
    ['values of other types', { session_id: 1, cwd: {}, prompt: [], source: null, incognito: 'yes' }],
  ])('leaves out %s', (_, input) => {
    expect(parseHookInput(JSON.stringify(input))).toEqual({ isIncognito: false })
  })

  it('truncates a prompt that holds a whole file', () => {
    expect(parseHookInput(JSON.stringify({ prompt: 'x'.repeat(100_000) }))?.prompt).toHaveLength(20_000)
  })

  it('accepts any JSON, and no other text', () => {
    fc.assert(fc.property(fc.json(), (text) => void parseHookInput(text)))
    fc.assert(fc.property(fc.string(), (text) => void parseHookInput(text)))
    for (const text of ['', 'null', '[]', '"x"', '{', '7']) expect(parseHookInput(text)).toBeUndefined()
  })
})
