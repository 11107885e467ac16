import { describe, expect, it } from '@jest/globals'
import { tool, user } from './conversation.fixture.ts'
import { progressNote, listRecentToolCalls } from './progress-note.ts'

const messages = [
  user('x'),
  ...tool('Read', { file_path: 'a.ts' }),
  ...tool('Bash', { command: 'npm test\nnpm run lint' }, 'error', true),
  ...tool('Edit', { file_path: 'b.ts' }).slice(0, 1),
]

describe('progressNote', () => {
  it('lists task, todo list, calls and requests', () => {
    expect(
      progressNote({
        at: 0,
        sessionId: 'cairn:1',
        task: 'Add a cache\n# with tests',
        todo: [{ text: 'cache', status: 'in_progress' }],
        recentToolCalls: listRecentToolCalls(messages),
        requests: 12,
        reason: '75 % of the window',
      }),
    ).toBe(`# Session progress

- Written: 1970-01-01T00:00:00.000Z
- Session: cairn:1
- Requests to the model: 12
- Before: 75 % of the window

## Current task
> Add a cache
> # with tests

## Todo
- [~] cache

## Recent tool calls
- Read: a.ts
- Bash: npm test npm run lint (failed)
- Edit: b.ts (no result)
`)
  })

  it('has a limited length', () => {
    const calls = Array.from({ length: 500 }, (_, index) => ({
      name: `tool-${index}`,
      input: 'x'.repeat(9999),
      outcome: 'done' as const,
    }))
    const note = progressNote({ at: 0, task: 'y'.repeat(99_999), todo: [], recentToolCalls: calls, requests: 0 })
    expect(note.length).toBeLessThan(8000)
    expect(note).toContain('tool-499')
    expect(note).toContain('(not listed: 490 earlier)')
    expect(progressNote({ at: NaN, todo: [], recentToolCalls: [], requests: 0 }).match(/\(none\)/g)).toHaveLength(3)
  })
})

it('listRecentToolCalls returns the last calls, oldest first', () => {
  expect(listRecentToolCalls(messages, 2).map(({ name, outcome }) => [name, outcome])).toEqual([
    ['Bash', 'failed'],
    ['Edit', 'no result'],
  ])
  expect(listRecentToolCalls(messages, 0)).toEqual([])
})

describe('calls that have the same id', () => {
  it('each have their own outcome', () => {
    const call = (name: string) => ({ type: 'tool_call' as const, id: '0', name, input: name })
    const result = (isError: boolean) => ({ type: 'tool_result' as const, callId: '0', content: [], isError })
    const messages = [
      { role: 'assistant' as const, content: [call('patch'), call('test'), call('status')] },
      { role: 'tool' as const, content: [result(false), result(true), result(false)] },
      { role: 'assistant' as const, content: [call('log')] },
    ]
    expect(listRecentToolCalls(messages).map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      'patch done',
      'test failed',
      'status done',
      'log no result',
    ])
  })
})
