import type { LogEntry } from '@cairn/core'
import { describe, expect, it } from '@jest/globals'
import { EMPTY_CHAT, type ChatState } from './chat-state.ts'
import { callTitle, logEvents } from './log-events.ts'
import { reduceAll } from './reduce.ts'

type Written = LogEntry extends infer Entry ? (Entry extends LogEntry ? Omit<Entry, 'seq' | 'at'> : never) : never

const shown = (...entries: readonly Written[]): ChatState =>
  reduceAll(EMPTY_CHAT, logEvents(entries.map((entry, seq) => ({ ...entry, seq, at: seq }))))

const user = (text: string): Written => ({
  kind: 'message',
  id: text,
  role: 'user',
  content: [{ type: 'text', text }],
})
const reply = (id: string, ...content: Extract<Written, { kind: 'message' }>['content']): Written => ({
  kind: 'message',
  id,
  role: 'assistant',
  content,
})
const result = (callId: string, text: string, isError = false): Written => ({
  kind: 'message',
  id: `r${callId}${text}`,
  role: 'tool',
  content: [{ type: 'tool_result', callId, content: [{ type: 'text', text }], isError }],
})
const call = (id: string) => ({ type: 'tool_call', id, name: 'run_command', input: { command: 'npm  test' } }) as const

describe('a session of the log as a chat', () => {
  it('has calls with what came of them', () => {
    const { items, isWorking } = shown(
      user('go'),
      reply('a', { type: 'thinking', text: 'hm' }, call('1'), call('2'), call('3'), call('4')),
      result('1', 'ok'),
      result('2', 'Exit code 1.', true),
      result('3', 'Not run: the user declined it.', true),
      result('4', 'Interrupted, effect unknown: the program ended.', true),
      reply('b', { type: 'text', text: 'done' }),
    )
    expect(items.map((item) => (item.kind === 'tool' ? `${item.title} ${item.progress}` : item.kind))).toEqual([
      'user',
      'thinking',
      'run_command npm test done',
      'run_command npm test failed',
      'run_command npm test skipped',
      'run_command npm test unknown',
      'reply',
    ])
    expect(isWorking).toBe(false)
  })

  it('has the checkpoint of a turn with its message, none that the user made between, and rules beside their result', () => {
    const section = '<project_rules>\nRules of x/AGENTS.md\nFor x/:\nNo any.\n</project_rules>'
    const { items } = shown(
      user('one'),
      reply('a', { type: 'text', text: 'nothing to do' }),
      { kind: 'checkpoint', checkpointId: 'own' },
      user('two'),
      reply('b', call('1')),
      { kind: 'checkpoint', checkpointId: 'cp-1' },
      {
        kind: 'message',
        id: 'r1',
        role: 'tool',
        content: [
          {
            type: 'tool_result',
            callId: '1',
            content: [
              { type: 'text', text: 'ok' },
              { type: 'text', text: section },
            ],
          },
        ],
      },
      reply('c', { type: 'text', text: 'done' }),
    )
    expect(items.flatMap((item) => (item.kind === 'user' ? [item.checkpointId] : []))).toEqual([undefined, 'cp-1'])
    expect(items.find(({ kind }) => kind === 'tool')).toMatchObject({ output: 'ok', rules: ['x/AGENTS.md'] })
  })

  it('leaves out what was rewound, what broke off, subagents, and what no person said', () => {
    const { items } = shown(
      user('kept'),
      reply('a', { type: 'text', text: 'broken' }),
      { kind: 'truncation', fromSeq: 1, toSeq: 1, reason: 'broken off' },
      { ...(user('asked by the program') as Extract<Written, { kind: 'message' }>), origin: 'meta' },
      { ...(reply('s', { type: 'text', text: 'sub' }) as Extract<Written, { kind: 'message' }>), subagent: 'x' },
      reply('b', { type: 'text', text: 'whole' }),
      user('taken back'),
      { kind: 'rewind', toSeq: 5 },
    )
    expect(items.map((item) => ('text' in item ? item.text : item.kind))).toEqual(['kept', 'whole'])
  })

  it('shows what the user said, without what was put before and behind it', () => {
    const { items } = shown(
      {
        kind: 'message',
        id: 'm',
        role: 'user',
        content: [
          { type: 'text', text: '<file_changes>\nChanged by others\n</file_changes>' },
          { type: 'text', text: 'look at @a.ts' },
          { type: 'file', path: 'a.ts', text: 'content' },
        ],
      },
      reply('b', { type: 'text', text: 'seen' }),
    )
    expect(items[0]).toMatchObject({ kind: 'user', attachments: ['a.ts'] })
    expect(JSON.stringify(items[0])).not.toContain('Changed by others')
    expect(JSON.stringify(items[0])).toContain('look at @a.ts')
  })

  it('tells what left the context', () => {
    const { items } = shown(
      user('go'),
      reply('a', call('1')),
      {
        kind: 'rewrite',
        policy: 'p',
        trigger: 'window',
        changes: [{ seq: 1, block: 0, why: 'old' }],
        tokensBefore: 90,
        tokensAfter: 50,
      },
      result('1', 'ok'),
      reply('b', { type: 'text', text: 'done' }),
    )
    expect(items.find(({ kind }) => kind === 'removed')).toMatchObject({
      savedTokens: 40,
      removals: [{ name: 'run_command npm test', what: 'removed', why: 'old: cleared with the rest' }],
    })
  })

  it('offers to go on where it ends within a turn', () => {
    const open = (...entries: readonly Written[]) => shown(...entries).items.at(-1)
    expect(open(user('go'))).toMatchObject({ action: 'resume' })
    expect(open(user('go'), reply('a', call('1')))).toMatchObject({ action: 'resume' })
    expect(open(user('go'), reply('a', call('1')), result('1', 'ok'))).toMatchObject({ action: 'resume' })
    expect(open(user('go'), reply('a', { type: 'text', text: 'done' }))).toMatchObject({ kind: 'reply' })
    expect(shown().items).toEqual([])
  })
})

describe('the title of a call', () => {
  it.each([
    [{ path: 'src/a.ts', text: 'x' }, 'tool src/a.ts'],
    ['{"command":"ls\\n -l"}', 'tool ls -l'],
    ['{"command":', 'tool'],
    [{ count: 3 }, 'tool'],
    [null, 'tool'],
  ])('%j', (input, title) => {
    expect(callTitle('tool', input)).toBe(title)
  })
})
